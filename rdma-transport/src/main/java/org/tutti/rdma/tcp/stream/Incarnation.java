/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.stream;

import org.tutti.rdma.tcp.wire.PrivateData;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The time of a queue pair from RTR to the next reset. A connection belongs to one incarnation of each side: a
 * handshake that an earlier one began never connects a later one.
 *
 * @param number number, greater than that of every earlier incarnation in this process.
 * @param peer   queue pair at the other side.
 * @param psn    first packet sequence number that this side expects.
 */
public record Incarnation(long number, PrivateData.Place peer, int psn)
{
    private static final AtomicLong LAST = new AtomicLong();

    /**
     * Whether the peer is a standard one: without Tutti's handshake, immediate data and atomics.
     *
     * @return false for a queue pair of Tutti.
     */
    public boolean isStandard()
    {
        return peer.isStandard();
    }

    static Incarnation begin(final PrivateData.Place peer, final int psn)
    {
        return new Incarnation(LAST.incrementAndGet(), peer, psn);
    }
}
