/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.Test;
import org.tutti.rdma.CompletionOpcode;
import org.tutti.rdma.Errno;
import org.tutti.rdma.Gid;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.contract.Node.Completion;
import org.tutti.rdma.contract.Node.Info;
import org.tutti.rdma.contract.Node.Posted;
import org.tutti.rdma.contract.Node.Receive;
import org.tutti.rdma.contract.Node.Send;
import org.tutti.rdma.contract.Node.Sge;

import java.util.Arrays;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tutti.rdma.WorkCompletionStatus.LOC_QP_OP_ERR;
import static org.tutti.rdma.WorkCompletionStatus.SUCCESS;
import static org.tutti.rdma.WorkCompletionStatus.WR_FLUSH_ERR;

/** Tests datagrams: destinations, route headers, and dropped messages. */
abstract class DatagramContract extends DatagramPairContract
{
    @Test
    void shouldDeliverDatagramAfterTheRouteHeader()
    {
        final byte[] data = bytes(1000, 6);
        a.put(0, data);
        b.postReceive(bQp, List.of(Receive.of(1, bRegion.sge(0, 30), bRegion.sge(100, 20), bRegion.sge(200, 2000))));
        aPosts(toB(2, aRegion.sge(0, 400), aRegion.sge(400, 600)));

        final Completion received = bReceived(1);
        assertTrue(received.isSuccess(), received::toString);
        assertEquals(CompletionOpcode.RECV, received.opcode());
        assertEquals(GRH + 1000, received.byteLength());
        assertTrue(received.hasGrh());
        assertFalse(received.hasImm());
        assertEquals(bQp, received.qpNum());
        assertEquals(aQp, received.srcQp());
        assertArrayEquals(Arrays.copyOfRange(data, 0, 10), b.get(110, 10));
        assertArrayEquals(Arrays.copyOfRange(data, 10, 1000), b.get(200, 990));
        final Completion sent = aSent(2);
        assertTrue(sent.isSuccess(), sent::toString);
        assertEquals(CompletionOpcode.SEND, sent.opcode());
    }

    @Test
    void shouldReportSourceInTheHeader()
    {
        bReceives(bReceive(1, 0, 8));
        aPosts(toB(2, aRegion.sge(0, 8)));
        bGets(SUCCESS, 1);

        final byte[] header = b.get(0, GRH);
        final byte[] source = new Gid(aInfo.gidHigh(), aInfo.gidLow()).bytes();
        final byte[] destination = new Gid(bInfo.gidHigh(), bInfo.gidLow()).bytes();
        if (new Gid(aInfo.gidHigh(), aInfo.gidLow()).isIpv4Mapped())
        {
            // RoCE v2 over IPv4 puts the IP header into the last 20 bytes.
            assertEquals(4, header[20] >> 4);
            assertArrayEquals(Arrays.copyOfRange(source, 12, 16), Arrays.copyOfRange(header, 32, 36));
            assertArrayEquals(Arrays.copyOfRange(destination, 12, 16), Arrays.copyOfRange(header, 36, 40));
            return;
        }
        assertEquals(6, header[0] >> 4);
        assertArrayEquals(source, Arrays.copyOfRange(header, 8, 24));
        assertArrayEquals(destination, Arrays.copyOfRange(header, 24, 40));
    }

    @Test
    void shouldReplyToTheSource()
    {
        bReceives(bReceive(1, 0, 8));
        aReceives(Receive.of(2, aRegion.sge(0, GRH + 8)));
        aPosts(toB(3, aRegion.sge(104, 8)));
        final int source = bReceived(1).srcQp();
        b.putLong(104, 321);
        bPosts(Send.send(4, bRegion.sge(104, 8)).to(bToA, source, QKEY));

        final Completion answer = only(a.pollReceives(1, SOON_MS), 2);
        assertTrue(answer.isSuccess(), answer::toString);
        assertEquals(bQp, answer.srcQp());
        assertEquals(321, a.getLong(GRH));
    }

    @Test
    void shouldCarryImmediateAndInlineData()
    {
        bReceives(bReceive(1, 0, 8), bReceive(2, 104, 0));
        a.putLong(0, 19);
        aPosts(toB(3, new Sge(aInfo.address(), 8, 0)).withOpcode(SendOpcode.SEND_WITH_IMM)
            .withFlags(SendFlags.SIGNALED | SendFlags.INLINE).withImm(0xFEDC), toB(4));

        final Completion first = bReceived(1);
        assertTrue(first.hasImm());
        assertEquals(0xFEDC, first.imm());
        assertEquals(19, b.getLong(GRH));
        assertEquals(GRH, bReceived(2).byteLength());
        aSends(SUCCESS, 3);
        aSends(SUCCESS, 4);
    }

    @Test
    void shouldSendFromOneQueuePairToSeveral()
    {
        final int other = b.createQueuePair(QueuePairType.UD, 0);
        b.openDatagrams(other, QKEY + 1);
        bReceives(bReceive(1, 0, 8));
        assertEquals(Posted.ALL, b.postReceive(other, List.of(bReceive(2, 104, 8))));
        a.putLong(0, 1);
        a.putLong(8, 2);
        aPosts(toB(3, aRegion.sge(0, 8)), Send.send(4, aRegion.sge(8, 8)).to(aToB, other, QKEY + 1));

        final List<Completion> received = b.pollReceives(2, SOON_MS);
        assertEquals(2, received.size());
        assertEquals(1, b.getLong(GRH));
        assertEquals(2, b.getLong(104 + GRH));
    }

    @Test
    void shouldSendToItself()
    {
        final int aToA = a.createAddressHandle(aInfo);
        aReceives(Receive.of(1, aRegion.sge(0, GRH + 8)));
        a.putLong(104, 55);
        aPosts(Send.send(2, aRegion.sge(104, 8)).to(aToA, aQp, QKEY));

        assertEquals(aQp, only(a.pollReceives(1, SOON_MS), 1).srcQp());
        assertEquals(55, a.getLong(GRH));
    }

    @Test
    void shouldDropDatagramWhenQkeyDiffers()
    {
        bReceives(bReceive(1, 0, 8));
        aPosts(Send.send(2, aRegion.sge(0, 8)).to(aToB, bQp, QKEY ^ 1));
        aSends(SUCCESS, 2);
        assertEquals(List.of(), b.pollReceives(1, NEVER_MS));

        aPosts(toB(3, aRegion.sge(0, 8)));
        bGets(SUCCESS, 1);
        aSends(SUCCESS, 3);
    }

    @Test
    void shouldSendOwnQkeyWhenRequestedQkeyIsPrivileged()
    {
        bReceives(bReceive(1, 0, 8));
        aPosts(Send.send(2, aRegion.sge(0, 8)).to(aToB, bQp, 0x8000_0000));
        aSends(SUCCESS, 2);
        if (has(Quirk.PRIVILEGED_QKEYS_ARE_SENT))
        {
            assertEquals(List.of(), b.pollReceives(1, NEVER_MS));
            return;
        }
        bGets(SUCCESS, 1);
    }

    @Test
    void shouldDropDatagramWhenNoReceiveIsPosted()
    {
        aPosts(toB(1, aRegion.sge(0, 8)));
        aSends(SUCCESS, 1);
        bReceives(bReceive(2, 0, 8));
        assertEquals(List.of(), b.pollReceives(1, NEVER_MS));
        assertRunning();
    }

    @Test
    void shouldDropDatagramAndKeepReceiveWhenTooLong()
    {
        bReceives(bReceive(1, 0, 99));
        aPosts(toB(2, aRegion.sge(0, 100)));
        aSends(SUCCESS, 2);
        if (has(Quirk.LOST_MESSAGE_TAKES_A_RECEIVE))
        {
            bGets(LOC_QP_OP_ERR, 1);
            return;
        }
        assertEquals(List.of(), b.pollReceives(1, NEVER_MS));

        aPosts(toB(3, aRegion.sge(0, 99)));
        assertEquals(GRH + 99, bReceived(1).byteLength());
        aSends(SUCCESS, 3);
        assertRunning();
    }

    @Test
    void shouldDropDatagramsWhenDestinationDoesNotExist()
    {
        final int closed = b.createQueuePair(QueuePairType.UD, 0);
        b.openDatagrams(closed, QKEY);
        b.destroyQueuePair(closed);
        final int reset = b.createQueuePair(QueuePairType.UD, 0);
        final int connected = b.createQueuePair();
        aPosts(Send.send(1, aRegion.sge(0, 8)).to(aToB, closed, QKEY),
            Send.send(2, aRegion.sge(0, 8)).to(aToB, reset, QKEY),
            Send.send(3, aRegion.sge(0, 8)).to(aToB, connected, QKEY));

        aSends(SUCCESS, 1);
        aSends(SUCCESS, 2);
        aSends(SUCCESS, 3);
        assertRunning();
    }

    @Test
    void shouldSendDatagramsUpToThePortMtu()
    {
        final int mtu = aInfo.mtu();
        final byte[] data = bytes(mtu, 7);
        a.put(0, data);
        bReceives(bReceive(1, 0, 2 * mtu), bReceive(2, 4L * mtu, 2 * mtu));
        aPosts(toB(3, aRegion.sge(0, mtu + 1)), toB(4, aRegion.sge(0, mtu)));

        // Specification, C10-93.1.1: it is not sent, without an error.
        aSends(SUCCESS, 3);
        aSends(SUCCESS, 4);
        assertEquals(GRH + mtu, bReceived(1).byteLength());
        assertArrayEquals(data, b.get(GRH, mtu));
        assertEquals(List.of(), b.pollReceives(1, NEVER_MS));
    }

    @Test
    void shouldStopSendingButReceiveWhenASendFailed()
    {
        aReceives(Receive.of(5, aRegion.sge(0, GRH + 8)));
        aPosts(toB(1, new Sge(aInfo.address(), 8, aRegion.lkey() + 1)), toB(2, aRegion.sge(0, 8)));
        aSends(badKey(), 1);
        aSends(WR_FLUSH_ERR, 2);
        if (has(Quirk.NO_SEND_QUEUE_ERROR_STATE))
        {
            assertState(QueuePairState.ERR, a, aQp);
            return;
        }
        assertState(QueuePairState.SQE, a, aQp);
        bPosts(Send.send(4, bRegion.sge(0, 8)).to(bToA, aQp, QKEY));
        assertEquals(SUCCESS, only(a.pollReceives(1, SOON_MS), 5).status());

        a.toState(aQp, QueuePairState.RTS);
        bReceives(bReceive(6, 0, 8));
        aPosts(toB(7, aRegion.sge(0, 8)));
        bGets(SUCCESS, 6);
        aSends(SUCCESS, 7);
    }

    @Test
    void shouldRejectOpcodesOtherThanSend()
    {
        final int[] opcodes =
        {
            SendOpcode.RDMA_WRITE, SendOpcode.RDMA_WRITE_WITH_IMM, SendOpcode.RDMA_READ, SendOpcode.ATOMIC_CMP_AND_SWP
        };
        for (final int opcode : opcodes)
        {
            final Posted posted = a.postSend(aQp, List.of(toB(1, aRegion.sge(0, 8)).withOpcode(opcode)));
            assertEquals(new Posted(Errno.EINVAL, 0), posted);
        }
    }

    @Test
    void shouldFlushReceivesInTheErrorState()
    {
        bReceives(bReceive(1, 0, 8), bReceive(2, 104, 8));
        b.toState(bQp, QueuePairState.ERR);
        bGets(WR_FLUSH_ERR, 1);
        bGets(WR_FLUSH_ERR, 2);

        aPosts(toB(3, aRegion.sge(0, 8)));
        aSends(SUCCESS, 3);
    }

    @Test
    void shouldDeliverWhenQueuePairWasReset()
    {
        b.toState(bQp, QueuePairState.RESET);
        b.openDatagrams(bQp, QKEY + 5);
        bReceives(bReceive(1, 0, 8));
        aPosts(toB(2, aRegion.sge(0, 8)), Send.send(3, aRegion.sge(0, 8)).to(aToB, bQp, QKEY + 5));

        aSends(SUCCESS, 2);
        aSends(SUCCESS, 3);
        bGets(SUCCESS, 1);
        assertEquals(List.of(), b.pollReceives(1, NEVER_MS));
    }

    @Test
    void shouldShareAddressHandlesBetweenQueuePairs()
    {
        final int other = a.createQueuePair(QueuePairType.UD, 0);
        a.openDatagrams(other, 1);
        bReceives(bReceive(1, 0, 8), bReceive(2, 104, 8));
        aPosts(toB(3, aRegion.sge(0, 8)));
        aSends(SUCCESS, 3);
        assertEquals(Posted.ALL, a.postSend(other, List.of(toB(4, aRegion.sge(0, 8)))));

        assertEquals(aQp, bReceived(1).srcQp());
        assertEquals(other, bReceived(2).srcQp());
    }

    @Test
    void shouldCreateAndCloseManyAddressHandles()
    {
        final Info info = bInfo;
        for (int i = 0; i < 100; i++)
        {
            a.destroyAddressHandle(a.createAddressHandle(info));
        }
        bReceives(bReceive(1, 0, 8));
        aPosts(toB(2, aRegion.sge(0, 8)));
        bGets(SUCCESS, 1);
    }

    private void assertRunning()
    {
        assertEquals(QueuePairState.RTS, a.state(aQp));
        assertEquals(QueuePairState.RTS, b.state(bQp));
    }
}
