/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairType;

import java.net.ServerSocket;
import java.net.Socket;

/** A two-sided example with an {@link OutOfBandConnection}. */
abstract class TwoSidedExample extends TwoSided
{
    /** Runs the server. */
    abstract void server(OutOfBandConnection peer);

    /** Runs the client. */
    abstract void client(OutOfBandConnection peer);

    @Override
    final void serve(final ServerSocket socket)
    {
        try (OutOfBandConnection peer = OutOfBandConnection.accept(socket, timeoutMs()))
        {
            run(() -> server(peer));
        }
    }

    @Override
    final void call(final Socket socket)
    {
        try (OutOfBandConnection peer = OutOfBandConnection.over(socket, timeoutMs()))
        {
            run(() -> client(peer));
        }
    }

    /**
     * Connects a queue pair to the other side's: exchanges addresses, and changes the states.
     *
     * @param type type of both queue pairs.
     */
    static void connect(final QueuePair qp, final QueuePairType type, final Port port, final OutOfBandConnection peer)
    {
        States.init(qp, type, port);
        final Address mine = Address.of(port, qp);
        final Address theirs = peer.swap(mine);
        States.connect(qp, type, port, mine, theirs, Math.min(mine.mtu(), theirs.mtu()));
        // A side must not send before the other can receive.
        peer.barrier();
    }
}
