/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.CompletionOpcode;
import org.tutti.rdma.Errno;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.contract.Node.Completion;
import org.tutti.rdma.contract.Node.Posted;
import org.tutti.rdma.contract.Node.Receive;
import org.tutti.rdma.contract.Node.Region;
import org.tutti.rdma.contract.Node.Send;
import org.tutti.rdma.contract.Node.Sge;
import org.tutti.rdma.contract.Node.Tuning;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tutti.rdma.WorkCompletionStatus.LOC_QP_OP_ERR;
import static org.tutti.rdma.WorkCompletionStatus.SUCCESS;
import static org.tutti.rdma.WorkCompletionStatus.WR_FLUSH_ERR;

/** Tests unreliable connections: messages that the peer cannot accept are silently lost. */
abstract class UnreliableContract extends PairContract
{
    /** Replaces the reliable connections. */
    @BeforeEach
    void connectUnreliably()
    {
        a.destroyQueuePair(aQp);
        b.destroyQueuePair(bQp);
        aQp = a.createQueuePair(QueuePairType.UC, 0);
        bQp = b.createQueuePair(QueuePairType.UC, 0);
        connect(Tuning.DEFAULT);
    }

    @Test
    void shouldSendAndWriteInOrder()
    {
        final byte[] data = bytes(3000, 5);
        a.put(0, data);
        bReceives(Receive.of(1, bRegion.sge(0, 3000)), Receive.of(2, bRegion.sge(4000, 8)), Receive.of(3));
        aPosts(Send.send(10, aRegion.sge(0, 1000), aRegion.sge(1000, 2000)),
            Send.write(11, bRegion, 8192, aRegion.sge(0, 3000)),
            Send.send(12, aRegion.sge(0, 8)).withOpcode(SendOpcode.SEND_WITH_IMM).withImm(0xABCD),
            Send.writeImm(13, 0x1234, bRegion, 16384, aRegion.sge(0, 100)));

        final Completion first = bReceived(1);
        assertEquals(CompletionOpcode.RECV, first.opcode());
        assertEquals(3000, first.byteLength());
        assertEquals(0xABCD, bReceived(2).imm());
        final Completion last = bReceived(3);
        assertEquals(CompletionOpcode.RECV_RDMA_WITH_IMM, last.opcode());
        assertEquals(0x1234, last.imm());
        assertEquals(100, last.byteLength());
        assertArrayEquals(data, b.get(0, 3000));
        assertArrayEquals(data, b.get(8192, 3000));
        aSends(SUCCESS, 10);
        assertEquals(CompletionOpcode.RDMA_WRITE, aSent(11).opcode());
        aSends(SUCCESS, 12);
        aSends(SUCCESS, 13);
    }

    @Test
    void shouldCopyInlineDataWhenPosted()
    {
        bReceives(Receive.of(1, bRegion.sge(0, 64)));
        a.putLong(0, 77);
        aPosts(Send.send(2, new Sge(aInfo.address(), 8, 0)).and(SendFlags.INLINE));

        bGets(SUCCESS, 1);
        assertEquals(77, b.getLong(0));
        aSends(SUCCESS, 2);
    }

    @Test
    void shouldDropMessageWhenNoReceiveIsPosted()
    {
        a.putLong(0, 5);
        a.putLong(8, 6);
        aPosts(Send.send(1, aRegion.sge(0, 8)));
        aSends(SUCCESS, 1);

        bReceives(Receive.of(2, bRegion.sge(0, 8)));
        assertEquals(List.of(), b.pollReceives(1, NEVER_MS));
        aPosts(Send.send(3, aRegion.sge(8, 8)));
        bGets(SUCCESS, 2);
        assertEquals(6, b.getLong(0));
        aSends(SUCCESS, 3);
        assertConnected();
    }

    @Test
    void shouldDropMessageAndKeepReceiveWhenTooLong()
    {
        bReceives(Receive.of(1, bRegion.sge(0, 50)));
        aPosts(Send.send(2, aRegion.sge(0, 100)), Send.send(3, aRegion.sge(0, 20)));

        aSends(SUCCESS, 2);
        aSends(SUCCESS, 3);
        if (has(Quirk.LOST_MESSAGE_TAKES_A_RECEIVE))
        {
            bGets(LOC_QP_OP_ERR, 1);
            return;
        }
        final Completion received = bReceived(1);
        assertTrue(received.isSuccess(), received::toString);
        assertEquals(20, received.byteLength());
        assertConnected();
    }

    @Test
    void shouldDropWritesWhenPeerForbidsThem()
    {
        b.putLong(0, 99);
        final Region readOnly = b.register(0, 4096, AccessFlags.LOCAL_WRITE | AccessFlags.REMOTE_READ);
        bReceives(Receive.of(9));
        aPosts(Send.write(1, readOnly, 0, aRegion.sge(0, 8)),
            Send.rdma(SendOpcode.RDMA_WRITE, 2, bInfo.address(), bRegion.rkey() + 1, aRegion.sge(0, 8)),
            Send.write(3, bRegion, bInfo.length() - 4, aRegion.sge(0, 8)),
            Send.rdma(SendOpcode.RDMA_WRITE_WITH_IMM, 4, bInfo.address(), bRegion.rkey() + 1, aRegion.sge(0, 8)));

        for (int wrId = 1; wrId <= 4; wrId++)
        {
            aSends(SUCCESS, wrId);
        }
        assertEquals(List.of(), b.pollReceives(1, NEVER_MS));
        assertEquals(99, b.getLong(0));
        assertConnected();
    }

    @Test
    void shouldSucceedWhenPeerDoesNotExist()
    {
        b.destroyQueuePair(bQp);
        aPosts(Send.send(1, aRegion.sge(0, 8)), Send.write(2, bRegion, 0, aRegion.sge(0, 8)));

        aSends(SUCCESS, 1);
        aSends(SUCCESS, 2);
        assertState(QueuePairState.RTS, a, aQp);
    }

    @Test
    void shouldStopSendingButReceiveWhenASendFailed()
    {
        aReceives(Receive.of(5, aRegion.sge(64, 8)));
        aPosts(Send.send(1, new Sge(aInfo.address(), 8, aRegion.lkey() + 1)), Send.send(2, aRegion.sge(0, 8)));
        aSends(badKey(), 1);
        aSends(WR_FLUSH_ERR, 2);
        if (has(Quirk.NO_SEND_QUEUE_ERROR_STATE))
        {
            assertState(QueuePairState.ERR, a, aQp);
            return;
        }
        assertState(QueuePairState.SQE, a, aQp);
        aPosts(Send.send(3, aRegion.sge(0, 8)));
        aSends(WR_FLUSH_ERR, 3);

        b.putLong(0, 4);
        bPosts(Send.send(4, bRegion.sge(0, 8)));
        assertEquals(SUCCESS, only(a.pollReceives(1, SOON_MS), 5).status());
        assertEquals(4, a.getLong(64));

        a.toState(aQp, QueuePairState.RTS);
        bReceives(Receive.of(6, bRegion.sge(0, 8)));
        aPosts(Send.send(7, aRegion.sge(0, 8)));
        bGets(SUCCESS, 6);
        aSends(SUCCESS, 7);
    }

    @Test
    void shouldRejectReadsAndAtomics()
    {
        assertRefused(Send.read(1, bRegion, 0, aRegion.sge(0, 8)));
        assertRefused(Send.fetchAdd(2, bRegion, 0, 1, aRegion.sge(0, 8)));
        assertRefused(Send.compareSwap(3, bRegion, 0, 1, 2, aRegion.sge(0, 8)));
    }

    private void assertRefused(final Send send)
    {
        final Posted posted = a.postSend(aQp, List.of(send));
        assertEquals(new Posted(Errno.EINVAL, 0), posted);
        assertEquals(List.of(), a.pollSends(1, NEVER_MS));
    }

    @Test
    void shouldIgnoreMessagesWhenConnectionTypeDiffers()
    {
        final int reliable = a.createQueuePair();
        a.connect(reliable, bInfo, bQp, Tuning.DEFAULT);
        bReceives(Receive.of(1, bRegion.sge(0, 8)));
        assertEquals(Posted.ALL, a.postSend(reliable, List.of(Send.send(2, aRegion.sge(0, 8)))));

        assertEquals(WorkCompletionStatus.RETRY_EXC_ERR, aSent(2).status());
        assertEquals(List.of(), b.pollReceives(1, NEVER_MS));
    }

    private void assertConnected()
    {
        assertEquals(QueuePairState.RTS, a.state(aQp));
        assertEquals(QueuePairState.RTS, b.state(bQp));
    }
}
