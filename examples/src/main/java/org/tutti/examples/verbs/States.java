/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairAttributeMask;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.QueuePairType;

/**
 * How a queue pair comes up: RESET, INIT, RTR, RTS. Each step takes the attributes that the next state works with, and
 * which those are depends on the type.
 * <pre>
 *   RESET --> INIT   which port, and what peers may do            from here on, receives can be posted
 *   INIT  --> RTR    who the peer is, how to get there            from here on, it receives
 *   RTR   --> RTS    how long to wait, how often to try again     from here on, it sends
 * </pre>
 */
final class States
{
    /** What two sides of datagrams must agree on; whoever has another one is not heard. */
    static final int QKEY = 0x11111111;

    /** 4.096 µs × 2^14 are 67 ms, times 8 until we give up on a silent peer. */
    private static final int TIMEOUT = 14;
    private static final int RETRIES = 7;
    /** 7 is for ever: a peer that is not ready will be. */
    private static final int RNR_RETRIES = 7;
    /** 12 stands for 0.64 ms, until a peer that was not ready is asked again. */
    private static final int RNR_TIMER = 12;

    private States()
    {
    }

    /** RESET to INIT: all that peers may do is allowed; each memory region still says what it allows. */
    static void init(final QueuePair qp, final QueuePairType type, final Port port)
    {
        final QueuePairAttributes attributes = new QueuePairAttributes();
        attributes.state = QueuePairState.INIT;
        attributes.pkeyIndex = 0;
        attributes.portNum = port.number();
        if (type == QueuePairType.UD)
        {
            attributes.qkey = QKEY;
            qp.modify(attributes, QueuePairAttributeMask.UD_INIT);
        }
        else
        {
            // An unreliable connection has neither reads nor atomics.
            attributes.accessFlags = type == QueuePairType.RC ? AccessFlags.ALL :
                AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;
            qp.modify(attributes, QueuePairAttributeMask.RC_INIT);
        }
    }

    /**
     * INIT to RTS, connected.
     *
     * @param mine record of the mine.
     * @param peer record of the peer.
     * @param mtu  the largest packet, in bytes: the same on both sides.
     */
    static void connect(
        final QueuePair qp, final QueuePairType type, final Port port, final Address mine, final Address peer,
        final int mtu)
    {
        final boolean reliable = type == QueuePairType.RC;
        final QueuePairAttributes attributes = new QueuePairAttributes();
        attributes.state = QueuePairState.RTR;
        attributes.path = port.pathTo(peer.gid(), peer.lid());
        attributes.pathMtu = mtu;
        attributes.destQpNum = peer.qpNum();
        attributes.rqPsn = peer.psn();
        attributes.maxDestRdAtomic = 1;
        attributes.minRnrTimer = RNR_TIMER;
        qp.modify(attributes, reliable ? QueuePairAttributeMask.RC_RTR : QueuePairAttributeMask.UC_RTR);

        attributes.state = QueuePairState.RTS;
        attributes.sqPsn = mine.psn();
        attributes.timeout = TIMEOUT;
        attributes.retryCount = RETRIES;
        attributes.rnrRetry = RNR_RETRIES;
        attributes.maxRdAtomic = 1;
        qp.modify(attributes, reliable ? QueuePairAttributeMask.RC_RTS : QueuePairAttributeMask.UC_RTS);
    }

    /** INIT to RTS without a peer: each datagram says where it goes. */
    static void openForDatagrams(final QueuePair qp, final Address mine)
    {
        final QueuePairAttributes attributes = new QueuePairAttributes();
        attributes.state = QueuePairState.RTR;
        qp.modify(attributes, QueuePairAttributeMask.UD_RTR);

        attributes.state = QueuePairState.RTS;
        attributes.sqPsn = mine.psn();
        qp.modify(attributes, QueuePairAttributeMask.UD_RTS);
    }
}
