/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.BeforeEach;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.contract.Node.Receive;
import org.tutti.rdma.contract.Node.Send;
import org.tutti.rdma.contract.Node.Sge;

/** Two nodes that exchange datagrams instead of using connections. */
abstract class DatagramPairContract extends PairContract
{
    /** Length of the header in front of each datagram. */
    static final int GRH = 40;
    static final int QKEY = 0x1111_2222;

    int aToB;
    int bToA;

    @BeforeEach
    void openDatagrams()
    {
        a.destroyQueuePair(aQp);
        b.destroyQueuePair(bQp);
        aQp = a.createQueuePair(QueuePairType.UD, 0);
        bQp = b.createQueuePair(QueuePairType.UD, 0);
        a.openDatagrams(aQp, QKEY);
        b.openDatagrams(bQp, QKEY);
        aToB = a.createAddressHandle(bInfo);
        bToA = b.createAddressHandle(aInfo);
    }

    Send toB(final long wrId, final Sge... sges)
    {
        return Send.send(wrId, sges).to(aToB, bQp, QKEY);
    }

    /** A receive with space for a datagram of that length. */
    Receive bReceive(final long wrId, final long offset, final int length)
    {
        return Receive.of(wrId, bRegion.sge(offset, GRH + length));
    }
}
