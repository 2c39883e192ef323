/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.CompletionOpcode;
import org.tutti.rdma.Errno;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.contract.Node.Completion;
import org.tutti.rdma.contract.Node.Event;
import org.tutti.rdma.contract.Node.Posted;
import org.tutti.rdma.contract.Node.Receive;
import org.tutti.rdma.contract.Node.Send;
import org.tutti.rdma.contract.Node.SharedAttributes;
import org.tutti.rdma.contract.Node.Tuning;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests two queue pairs of b that share one receive queue, each connected to one of a. */
abstract class SharedReceiveContract extends PairContract
{
    private static final int MAX_REQUESTS = 16;
    private static final int MAX_SGE = 2;

    private int shared;
    private int bFirst;
    private int bSecond;
    private int aSecond;

    @BeforeEach
    void connectTwoQueuePairs()
    {
        shared = b.createSharedQueue(MAX_REQUESTS, MAX_SGE);
        bFirst = b.createQueuePair(QueuePairType.RC, shared);
        bSecond = b.createQueuePair(QueuePairType.RC, shared);
        aSecond = a.createQueuePair();
        a.toState(aQp, QueuePairState.RESET);
        connect(aQp, bFirst, Tuning.DEFAULT);
        connect(aSecond, bSecond, Tuning.DEFAULT);
    }

    private void connect(final int aNumber, final int bNumber, final Tuning tuning)
    {
        a.connect(aNumber, bInfo, bNumber, tuning);
        b.connect(bNumber, aInfo, aNumber, tuning);
    }

    private void shares(final Receive... receives)
    {
        assertEquals(Posted.ALL, b.postShared(shared, List.of(receives)));
    }

    private void sends(final int qpNum, final long wrId)
    {
        assertEquals(Posted.ALL, a.postSend(qpNum, List.of(Send.send(wrId, aRegion.sge(0, 8)))));
        aSucceeds(wrId);
    }

    private void aSucceeds(final long wrId)
    {
        final Completion sent = aSent(wrId);
        assertTrue(sent.isSuccess(), sent::toString);
    }

    private void bTakes(final long wrId, final int qpNum)
    {
        final Completion received = bReceived(wrId);
        assertTrue(received.isSuccess(), received::toString);
        assertEquals(CompletionOpcode.RECV, received.opcode());
        assertEquals(qpNum, received.qpNum());
    }

    @Test
    void shouldServeQueuePairsInTheOrderOfTheirMessages()
    {
        shares(Receive.of(1, bRegion.sge(0, 8)), Receive.of(2, bRegion.sge(8, 8)), Receive.of(3, bRegion.sge(16, 8)));
        a.putLong(0, 71);
        sends(aSecond, 10);
        a.putLong(0, 72);
        sends(aQp, 11);
        a.putLong(0, 73);
        sends(aSecond, 12);

        bTakes(1, bSecond);
        bTakes(2, bFirst);
        bTakes(3, bSecond);
        assertEquals(71, b.getLong(0));
        assertEquals(72, b.getLong(8));
        assertEquals(73, b.getLong(16));
    }

    @Test
    void shouldUseSharedReceiveForWriteWithImmediate()
    {
        shares(Receive.of(1), Receive.of(2, bRegion.sge(8, 8)));
        assertEquals(Posted.ALL, a.postSend(aQp, List.of(Send.writeImm(10, 0xCAFE, bRegion, 512, aRegion.sge(0, 8)))));
        aSucceeds(10);
        sends(aSecond, 11);

        final Completion written = bReceived(1);
        assertEquals(CompletionOpcode.RECV_RDMA_WITH_IMM, written.opcode());
        assertEquals(0xCAFE, written.imm());
        bTakes(2, bSecond);
    }

    @Test
    void shouldScatterIntoTheListOfASharedReceive()
    {
        a.put(0, bytes(100, 5));
        shares(Receive.of(1, bRegion.sge(0, 33), bRegion.sge(200, 500)));
        assertEquals(Posted.ALL, a.postSend(aQp, List.of(Send.send(2, aRegion.sge(0, 100)))));

        assertEquals(100, bReceived(1).byteLength());
        final byte[] whole = new byte[100];
        System.arraycopy(b.get(0, 33), 0, whole, 0, 33);
        System.arraycopy(b.get(200, 67), 0, whole, 33, 67);
        assertArrayEquals(bytes(100, 5), whole);
    }

    @Test
    void shouldDeliverWhenSharedReceiveIsPostedLater()
    {
        assertEquals(Posted.ALL, a.postSend(aQp, List.of(Send.send(1, aRegion.sge(0, 8)))));
        assertEquals(List.of(), a.pollSends(1, NEVER_MS));
        shares(Receive.of(2, bRegion.sge(0, 8)));

        aSucceeds(1);
        bTakes(2, bFirst);
    }

    @Test
    void shouldFailWhenNoSharedReceiveAndNoRnrRetries()
    {
        a.toState(aQp, QueuePairState.RESET);
        b.toState(bFirst, QueuePairState.RESET);
        connect(aQp, bFirst, Tuning.DEFAULT.withRnr(0, 1));
        assertEquals(Posted.ALL, a.postSend(aQp, List.of(Send.send(1, aRegion.sge(0, 8)))));

        assertEquals(WorkCompletionStatus.RNR_RETRY_EXC_ERR, aSent(1).status());
    }

    @Test
    void shouldRaiseLimitEventOnceWhenBelowTheLimit()
    {
        for (int i = 0; i < 5; i++)
        {
            shares(Receive.of(i, bRegion.sge(0, 8)));
        }
        b.armLimit(shared, 3);
        assertEquals(3, b.querySharedQueue(shared).limit());
        sends(aQp, 10);
        sends(aSecond, 11);
        assertNull(b.awaitAsync(NEVER_MS));

        sends(aQp, 12);
        assertEquals(new Event(AsyncEventType.SRQ_LIMIT_REACHED, 0), b.awaitAsync(SOON_MS));
        assertEquals(0, b.querySharedQueue(shared).limit());
        sends(aSecond, 13);
        assertNull(b.awaitAsync(NEVER_MS));
    }

    @Test
    void shouldRaiseLimitEventAgainWhenRearmed()
    {
        for (int round = 0; round < 2; round++)
        {
            shares(Receive.of(1, bRegion.sge(0, 8)), Receive.of(2, bRegion.sge(0, 8)));
            b.armLimit(shared, 2);
            sends(aQp, 10);
            assertEquals(new Event(AsyncEventType.SRQ_LIMIT_REACHED, 0), b.awaitAsync(SOON_MS));
            sends(aQp, 11);
        }
    }

    @Test
    void shouldRaiseNoLimitEventWhenDisarmed()
    {
        shares(Receive.of(1, bRegion.sge(0, 8)), Receive.of(2, bRegion.sge(0, 8)));
        b.armLimit(shared, 2);
        b.armLimit(shared, 0);
        sends(aQp, 10);

        assertNull(b.awaitAsync(NEVER_MS));
    }

    @Test
    void shouldRejectLimitWhenAboveCapacity()
    {
        final int most = b.querySharedQueue(shared).maxWorkRequests();
        final RdmaException ex = assertThrows(RdmaException.class, () -> b.armLimit(shared, most + 1));

        assertEquals(Errno.EINVAL, ex.errno(), ex::getMessage);
        assertEquals(0, b.querySharedQueue(shared).limit());
    }

    @Test
    void shouldHoldExactlyTheReportedCapacity()
    {
        final SharedAttributes attributes = b.querySharedQueue(shared);
        assertTrue(attributes.maxWorkRequests() >= MAX_REQUESTS, attributes::toString);
        assertTrue(attributes.maxSge() >= MAX_SGE, attributes::toString);
        for (int i = 0; i < attributes.maxWorkRequests(); i++)
        {
            shares(Receive.of(i, bRegion.sge(0, 8)));
        }

        assertEquals(new Posted(Errno.ENOMEM, 0), b.postShared(shared, List.of(Receive.of(99, bRegion.sge(0, 8)))));
        sends(aQp, 100);
        bTakes(0, bFirst);
        shares(Receive.of(99, bRegion.sge(0, 8)));
    }

    @Test
    void shouldPostReceivesBeforeTheRejectedOne()
    {
        final Receive good = Receive.of(1, bRegion.sge(0, 8));
        final List<Node.Sge> entries = new ArrayList<>();
        for (int i = 0; i <= b.querySharedQueue(shared).maxSge(); i++)
        {
            entries.add(bRegion.sge(0, 8));
        }
        final Receive bad = new Receive(2, entries);

        assertEquals(new Posted(Errno.EINVAL, 1), b.postShared(shared, List.of(good, bad, good)));
        sends(aQp, 10);
        bTakes(1, bFirst);
    }

    @Test
    void shouldRejectPostReceiveWhenQueuePairUsesASharedQueue()
    {
        final Receive receive = Receive.of(1, bRegion.sge(0, 8));

        assertEquals(new Posted(Errno.EINVAL, 0), b.postReceive(bFirst, List.of(receive)));
    }

    @Test
    void shouldKeepSharedReceivesWhenAQueuePairFails()
    {
        shares(Receive.of(1, bRegion.sge(0, 8)));
        b.toState(bFirst, QueuePairState.ERR);
        assertEquals(List.of(), b.pollReceives(1, NEVER_MS));

        sends(aSecond, 10);
        bTakes(1, bSecond);
    }

    @Test
    void shouldRejectCloseWhenQueuePairsUseIt()
    {
        final RdmaException ex = assertThrows(RdmaException.class, () -> b.destroySharedQueue(shared));
        assertEquals(Errno.EBUSY, ex.errno(), ex::getMessage);

        b.destroyQueuePair(bFirst);
        b.destroyQueuePair(bSecond);
        b.destroySharedQueue(shared);
    }
}
