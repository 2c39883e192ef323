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
 * State transitions of a queue pair: RESET, INIT, RTR, RTS. Each transition sets the attributes that the next state
 * needs, which depend on the type.
 * <pre>
 *   RESET --> INIT   which port, and what peers may do            from here on, receives can be posted
 *   INIT  --> RTR    who the peer is, how to get there            from here on, it receives
 *   RTR   --> RTS    how long to wait, how often to try again     from here on, it sends
 * </pre>
 */
final class States
{
    /** Q_Key of both sides of datagrams; datagrams with another Q_Key are dropped. */
    static final int QKEY = 0x11111111;

    /** 4.096 µs × 2^14 are 67 ms; with 7 retries, a request to an unresponsive peer fails after 8 times that. */
    private static final int TIMEOUT = 14;
    private static final int RETRIES = 7;
    /** 7 means infinite: the peer will be ready eventually. */
    private static final int RNR_RETRIES = 7;
    /** 12 means 0.64 ms between retries to a peer that was not ready. */
    private static final int RNR_TIMER = 12;

    private States()
    {
    }

    /** RESET to INIT, with all access flags that the type supports; each memory region still restricts access. */
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
            // An unreliable connection supports neither reads nor atomics.
            attributes.accessFlags = type == QueuePairType.RC ? AccessFlags.ALL :
                AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_WRITE;
            qp.modify(attributes, QueuePairAttributeMask.RC_INIT);
        }
    }

    /**
     * INIT to RTS, connected to a peer.
     *
     * @param mine local address.
     * @param peer address of the peer.
     * @param mtu  path MTU in bytes, the same on both sides.
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

    /** INIT to RTS without a peer: each datagram carries its destination. */
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
