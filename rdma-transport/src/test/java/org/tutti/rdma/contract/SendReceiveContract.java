/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.Test;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.CompletionOpcode;
import org.tutti.rdma.Errno;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.contract.Node.Completion;
import org.tutti.rdma.contract.Node.Posted;
import org.tutti.rdma.contract.Node.Receive;
import org.tutti.rdma.contract.Node.Region;
import org.tutti.rdma.contract.Node.Send;
import org.tutti.rdma.contract.Node.Sge;
import org.tutti.rdma.contract.Node.Shape;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests sends and receives, lists, inline data, and rejected posts. */
abstract class SendReceiveContract extends PairContract
{
    @Test
    void shouldDeliverMessageToReceive()
    {
        final byte[] message = bytes(1000, 1);
        a.put(0, message);
        bReceives(Receive.of(7, bRegion.sge(5000, 2000)));
        aPosts(Send.send(8, aRegion.sge(0, 1000)));

        final Completion received = bReceived(7);
        assertTrue(received.isSuccess(), received::toString);
        assertEquals(CompletionOpcode.RECV, received.opcode());
        assertEquals(1000, received.byteLength());
        assertFalse(received.hasImm());
        assertEquals(bQp, received.qpNum());
        assertArrayEquals(message, b.get(5000, 1000));
        assertEquals(0, b.get(6000, 1)[0]);
        final Completion sent = aSent(8);
        assertTrue(sent.isSuccess());
        assertEquals(CompletionOpcode.SEND, sent.opcode());
        assertEquals(aQp, sent.qpNum());
    }

    @Test
    void shouldSendBothWaysAtOnce()
    {
        aReceives(Receive.of(1, aRegion.sge(0, 8)));
        bReceives(Receive.of(2, bRegion.sge(0, 8)));
        a.putLong(8, 11);
        b.putLong(8, 22);
        aPosts(Send.send(3, aRegion.sge(8, 8)));
        bPosts(Send.send(4, bRegion.sge(8, 8)));

        assertTrue(only(a.pollReceives(1, SOON_MS), 1).isSuccess());
        assertTrue(bReceived(2).isSuccess());
        assertEquals(22, a.getLong(0));
        assertEquals(11, b.getLong(0));
        assertTrue(aSent(3).isSuccess());
        assertTrue(only(b.pollSends(1, SOON_MS), 4).isSuccess());
    }

    @Test
    void shouldCarryImmediateData()
    {
        bReceives(Receive.of(1, bRegion.sge(0, 64)), Receive.of(2));
        aPosts(Send.send(3, aRegion.sge(0, 64)).withOpcode(SendOpcode.SEND_WITH_IMM).withImm(0x01020304),
            Send.send(4).withOpcode(SendOpcode.SEND_WITH_IMM).withImm(-2));

        final Completion first = bReceived(1);
        assertTrue(first.hasImm());
        assertEquals(0x01020304, first.imm());
        assertEquals(CompletionOpcode.RECV, first.opcode());
        assertEquals(-2, bReceived(2).imm());
    }

    @Test
    void shouldGatherAndScatterWithEmptyEntries()
    {
        final byte[] data = bytes(300, 2);
        a.put(0, data);
        bReceives(Receive.of(1, bRegion.sge(0, 10), bRegion.sge(0, 0), bRegion.sge(1000, 150), bRegion.sge(2000, 500)));
        aPosts(Send.send(2, aRegion.sge(0, 100), aRegion.sge(0, 0), aRegion.sge(100, 1), aRegion.sge(101, 199)));

        assertEquals(300, bReceived(1).byteLength());
        aSends(WorkCompletionStatus.SUCCESS, 2);
        assertArrayEquals(Arrays.copyOfRange(data, 0, 10), b.get(0, 10));
        assertArrayEquals(Arrays.copyOfRange(data, 10, 160), b.get(1000, 150));
        assertArrayEquals(Arrays.copyOfRange(data, 160, 300), b.get(2000, 140));
        assertEquals(0, b.get(2140, 1)[0]);
    }

    @Test
    void shouldIgnoreTheKeyOfAnEmptyEntry()
    {
        bReceives(Receive.of(1, new Sge(1, 0, 0x7777), bRegion.sge(0, 8)));
        aPosts(Send.send(2, new Sge(1, 0, 0x7777), aRegion.sge(0, 8)));

        bGets(WorkCompletionStatus.SUCCESS, 1);
        aSends(WorkCompletionStatus.SUCCESS, 2);
    }

    @Test
    void shouldSendAnEmptyMessage()
    {
        bReceives(Receive.of(1, bRegion.sge(0, 8)), Receive.of(2));
        aPosts(Send.send(3), Send.send(4, aRegion.sge(0, 0)));

        assertEquals(0, bReceived(1).byteLength());
        assertEquals(0, bReceived(2).byteLength());
        aSends(WorkCompletionStatus.SUCCESS, 3);
        aSends(WorkCompletionStatus.SUCCESS, 4);
    }

    @Test
    void shouldConsumeReceivesInOrder()
    {
        final List<Receive> receives = new ArrayList<>();
        final List<Send> sends = new ArrayList<>();
        for (int i = 0; i < 50; i++)
        {
            receives.add(Receive.of(100 + i, bRegion.sge(8L * i, 8)));
            a.putLong(8L * i, i);
            sends.add(Send.send(200 + i, aRegion.sge(8L * i, 8)));
        }
        assertEquals(Posted.ALL, b.postReceive(bQp, receives));
        assertEquals(Posted.ALL, a.postSend(aQp, sends));

        final List<Completion> received = b.pollReceives(50, SOON_MS);
        final List<Completion> sent = a.pollSends(50, SOON_MS);
        for (int i = 0; i < 50; i++)
        {
            assertEquals(100 + i, received.get(i).wrId());
            assertEquals(200 + i, sent.get(i).wrId());
            assertEquals(i, b.getLong(8L * i));
        }
    }

    @Test
    void shouldCopyInlineDataWithoutKey()
    {
        a.put(0, new byte[]{1, 2, 3});
        aPosts(Send.send(1, new Sge(aInfo.address(), 2, 0x6666), new Sge(aInfo.address() + 2, 1, 0))
            .and(SendFlags.INLINE));
        a.put(0, new byte[]{9, 9, 9});
        bReceives(Receive.of(2, bRegion.sge(0, 3)));

        bGets(WorkCompletionStatus.SUCCESS, 2);
        assertArrayEquals(new byte[]{1, 2, 3}, b.get(0, 3));
        aSends(WorkCompletionStatus.SUCCESS, 1);
    }

    @Test
    void shouldRejectInlineDataWhenTooLongOrForARead()
    {
        final int max = a.capabilities(aQp).maxInline();
        final Send fits = Send.write(1, bRegion, 0, aRegion.sge(0, max)).and(SendFlags.INLINE);
        final Send tooLong = Send.write(2, bRegion, 0, aRegion.sge(0, max), aRegion.sge(0, 1)).and(SendFlags.INLINE);
        final Send read = Send.read(3, bRegion, 0, aRegion.sge(0, 8)).and(SendFlags.INLINE);

        assertEquals(Posted.ALL, a.postSend(aQp, List.of(fits)));
        assertEquals(new Posted(Errno.EINVAL, 0), a.postSend(aQp, List.of(tooLong)));
        assertEquals(new Posted(Errno.EINVAL, 0), a.postSend(aQp, List.of(read)));
        aSends(WorkCompletionStatus.SUCCESS, 1);
        assertEquals(QueuePairState.RTS, a.state(aQp));
    }

    @Test
    void shouldRejectInvalidRequests()
    {
        final Sge sge = aRegion.sge(0, 1);
        final Posted refused = new Posted(Errno.EINVAL, 0);
        final List<Sge> tooManyToSend = Collections.nCopies(a.capabilities(aQp).maxSendSge() + 1, sge);
        final List<Sge> tooManyToReceive = Collections.nCopies(b.capabilities(bQp).maxReceiveSge() + 1, sge);

        assertEquals(refused, a.postSend(aQp, List.of(Send.send(1, tooManyToSend.toArray(new Sge[0])))));
        assertEquals(refused, a.postSend(aQp, List.of(Send.send(1, sge).withOpcode(99))));
        assertEquals(refused, a.postSend(aQp, List.of(Send.send(1, sge).withOpcode(-1))));
        assertEquals(refused, b.postReceive(bQp, List.of(new Receive(1, tooManyToReceive))));
        assertEquals(List.of(), a.pollSends(1, NEVER_MS));
    }

    @Test
    void shouldPostRequestsBeforeTheRejectedOne()
    {
        bReceives(Receive.of(1, bRegion.sge(0, 8)), Receive.of(2, bRegion.sge(8, 8)));
        final Send good = Send.send(3, aRegion.sge(0, 8));
        final Send bad = good.withOpcode(99);

        assertEquals(new Posted(Errno.EINVAL, 2), a.postSend(aQp, List.of(good, good, bad, good)));
        assertEquals(2, b.pollReceives(2, SOON_MS).size());
        assertEquals(2, a.pollSends(2, SOON_MS).size());
        assertEquals(List.of(), b.pollReceives(1, NEVER_MS));
        assertEquals(List.of(), a.pollSends(1, NEVER_MS));
    }

    @Test
    void shouldRejectSendWhenQueueIsFull()
    {
        // Without receives, no send completes.
        final Send send = Send.send(1, aRegion.sge(0, 8)).and(SendFlags.INLINE);
        final int max = a.capabilities(aQp).maxSend();
        for (int i = 0; i < max; i++)
        {
            aPosts(send);
        }

        assertEquals(new Posted(Errno.ENOMEM, 0), a.postSend(aQp, List.of(send)));
    }

    @Test
    void shouldKeepSlotOfUnsignaledRequestUntilLaterCompletionIsPolled()
    {
        final Send quiet = Send.write(1, bRegion, 0, aRegion.sge(0, 8)).unsignaled();
        final int max = a.capabilities(aQp).maxSend();
        for (int i = 0; i < max - 1; i++)
        {
            aPosts(quiet);
        }
        aPosts(Send.write(2, bRegion, 0, aRegion.sge(0, 8)));
        if (has(Quirk.SLOTS_ARE_FREE_EARLY))
        {
            aSends(WorkCompletionStatus.SUCCESS, 2);
            aPosts(quiet);
            return;
        }
        assertEquals(new Posted(Errno.ENOMEM, 0), a.postSend(aQp, List.of(quiet)));

        aSends(WorkCompletionStatus.SUCCESS, 2);
        assertEquals(List.of(), a.pollSends(1, NEVER_MS));

        for (int i = 0; i < max; i++)
        {
            aPosts(quiet);
        }
        assertEquals(new Posted(Errno.ENOMEM, 0), a.postSend(aQp, List.of(quiet)));
    }

    @Test
    void shouldSignalAllRequestsWhenSignalAllIsSet()
    {
        reopen(Shape.DEFAULT.withSignalAll(), Shape.DEFAULT);
        aPosts(Send.write(5, bRegion, 0, aRegion.sge(0, 8)).unsignaled());

        aSends(WorkCompletionStatus.SUCCESS, 5);
    }

    @Test
    void shouldRejectReceiveWhenQueueIsFull()
    {
        final Receive receive = Receive.of(1, bRegion.sge(0, 8));
        final int max = b.capabilities(bQp).maxReceive();
        for (int i = 0; i < max; i++)
        {
            bReceives(receive);
        }

        assertEquals(new Posted(Errno.ENOMEM, 0), b.postReceive(bQp, List.of(receive)));
        aPosts(Send.send(2, aRegion.sge(0, 8)));
        bGets(WorkCompletionStatus.SUCCESS, 1);
        bReceives(receive);
    }

    @Test
    void shouldKeepReceivesWhenPostedBeforeConnecting()
    {
        final int aNew = a.createQueuePair();
        final int bNew = b.createQueuePair();
        b.listen(bNew, aInfo, aNew, Node.Tuning.DEFAULT);
        assertEquals(Posted.ALL, b.postReceive(bNew, List.of(Receive.of(1, bRegion.sge(0, 8)))));
        a.connect(aNew, bInfo, bNew, Node.Tuning.DEFAULT);
        assertEquals(Posted.ALL, a.postSend(aNew, List.of(Send.send(2, aRegion.sge(0, 8)))));

        assertTrue(bReceived(1).isSuccess());
        assertTrue(aSent(2).isSuccess());
    }

    @Test
    void shouldSendWhenRegionLacksLocalWrite()
    {
        final Region readOnly = a.register(0, 4096, 0);
        bReceives(Receive.of(1, bRegion.sge(0, 8)));
        aPosts(Send.send(2, readOnly.sge(0, 8)));
        bGets(WorkCompletionStatus.SUCCESS, 1);
        aSends(WorkCompletionStatus.SUCCESS, 2);
    }

    @Test
    void shouldReceiveWhenRegionHasOnlyLocalWrite()
    {
        final Region local = b.register(0, 4096, AccessFlags.LOCAL_WRITE);
        bReceives(Receive.of(1, local.sge(0, 8)));
        aPosts(Send.send(2, aRegion.sge(0, 8)));
        bGets(WorkCompletionStatus.SUCCESS, 1);
    }
}
