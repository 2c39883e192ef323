/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.stream;

import java.nio.channels.SocketChannel;

/** What makes and watches the connections of a context. Thread-safe; the calls return at once. */
public interface WireNetwork
{
    /**
     * Connects a queue pair to its peer, or waits for the peer to connect.
     *
     * @param transport transport of the queue pair, which gets the connection.
     */
    void connect(WireTransport transport);

    /**
     * Connects a queue pair again, after a connection that was made for an earlier incarnation.
     *
     * @param transport transport that {@link #connect} was called for.
     */
    void reconnect(WireTransport transport);

    /**
     * Ends what {@link #connect} began; the queue pair gets no connection any more.
     *
     * @param transport transport of the queue pair.
     */
    void disconnect(WireTransport transport);

    /**
     * Takes over a connection that ended: writes what is left, and closes it once the peer has closed its side.
     *
     * @param channel channel of the connection.
     * @param writer  what is left to write.
     */
    void linger(SocketChannel channel, Runnable writer);

    /**
     * Whether queue pairs may be connected with standard peers, which prove nothing.
     *
     * @return false if all peers must be Tutti's.
     */
    boolean acceptsStandardPeers();

    /** Wakes the thread that waits for the sockets: one of them waits for something else than before. */
    void wake();
}
