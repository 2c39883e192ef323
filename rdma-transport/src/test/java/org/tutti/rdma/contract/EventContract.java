/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.Test;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.contract.Node.Event;
import org.tutti.rdma.contract.Node.Posted;
import org.tutti.rdma.contract.Node.Receive;
import org.tutti.rdma.contract.Node.Send;
import org.tutti.rdma.contract.Node.Sge;
import org.tutti.rdma.contract.Node.Tuning;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests completion events and asynchronous events, and waiting for them. */
abstract class EventContract extends PairContract
{
    @Test
    void shouldRaiseOneEventPerArming()
    {
        aReceives(Receive.of(1), Receive.of(2), Receive.of(3));
        assertFalse(a.awaitEvent(NEVER_MS));
        bPosts(Send.send(4));
        assertTrue(only(a.pollReceives(1, SOON_MS), 1).isSuccess());
        assertFalse(a.awaitEvent(NEVER_MS));

        a.armReceives(false);
        bPosts(Send.send(5), Send.send(6));

        assertTrue(a.awaitEvent(SOON_MS));
        assertFalse(a.awaitEvent(NEVER_MS));
        assertEquals(2, a.pollReceives(2, SOON_MS).size());
    }

    @Test
    void shouldRaiseNoEventWhenCompletionPrecedesArming()
    {
        aReceives(Receive.of(1));
        bPosts(Send.send(2));
        only(b.pollSends(1, SOON_MS), 2);
        a.armReceives(false);

        assertFalse(a.awaitEvent(NEVER_MS));
        assertEquals(1, a.pollReceives(1, SOON_MS).size());
    }

    @Test
    void shouldWakeWaitingThread() throws InterruptedException
    {
        // A thread that is not woken polls after a while: the fastest of many wake-ups shows that threads are woken.
        long leastNs = Long.MAX_VALUE;
        for (int i = 0; i < 20; i++)
        {
            aReceives(Receive.of(1));
            a.armReceives(false);
            final CompletableFuture<Long> sleeper =
                CompletableFuture.supplyAsync(() -> a.awaitEvent(SOON_MS) ? System.nanoTime() : 0);
            Thread.sleep(5);
            assertFalse(sleeper.isDone());

            final long startNs = System.nanoTime();
            bPosts(Send.send(2));

            final long wokenNs = sleeper.join();
            assertNotEquals(0, wokenNs);
            leastNs = Math.min(leastNs, wokenNs - startNs);
            assertTrue(only(a.pollReceives(1, SOON_MS), 1).isSuccess());
            assertTrue(only(b.pollSends(1, SOON_MS), 2).isSuccess());
        }
        assertTrue(leastNs < 20_000_000, "fastest wake-up " + leastNs + " ns");
    }

    @Test
    void shouldWakeOnlyForSolicitedEventsWhenArmedForThem()
    {
        aReceives(Receive.of(1), Receive.of(2));
        a.armReceives(true);
        bPosts(Send.send(3));
        assertFalse(a.awaitEvent(NEVER_MS));

        bPosts(Send.send(4).and(SendFlags.SOLICITED));
        assertTrue(a.awaitEvent(SOON_MS));
    }

    @Test
    void shouldWakeWhenSolicitedWriteWithImmediateArrives()
    {
        aReceives(Receive.of(1));
        a.armReceives(true);
        bPosts(Send.writeImm(2, 0, aRegion, 0).and(SendFlags.SOLICITED));

        assertTrue(a.awaitEvent(SOON_MS));
    }

    @Test
    void shouldWakeForFailuresWhenArmedForSolicitedEvents()
    {
        aReceives(Receive.of(1, aRegion.sge(0, 1)));
        a.armReceives(true);
        bPosts(Send.send(2, bRegion.sge(0, 8)));

        final boolean isToldOf = !has(Quirk.FAILURES_ARE_NOT_SOLICITED);
        assertEquals(isToldOf, a.awaitEvent(isToldOf ? SOON_MS : NEVER_MS));
        assertEquals(has(Quirk.SHORT_RECEIVE_IS_OPERATION_ERROR) ? WorkCompletionStatus.LOC_QP_OP_ERR :
            WorkCompletionStatus.LOC_LEN_ERR, only(a.pollReceives(1, SOON_MS), 1).status());
    }

    @Test
    void shouldRaiseNoAsyncEventInNormalOperation()
    {
        assertNull(a.awaitAsync(0));
        assertNull(a.awaitAsync(NEVER_MS));
    }

    @Test
    void shouldRaiseCommEstWhenMessageArrivesBeforeReadyToSend()
    {
        final int aNew = a.createQueuePair();
        final int bNew = b.createQueuePair();
        a.listen(aNew, bInfo, bNew, Tuning.DEFAULT);
        b.connect(bNew, aInfo, aNew, Tuning.DEFAULT);
        assertEquals(Posted.ALL, a.postReceive(aNew, List.of(Receive.of(1))));
        assertEquals(Posted.ALL, b.postSend(bNew, List.of(Send.send(2))));

        assertTrue(only(a.pollReceives(1, SOON_MS), 1).isSuccess());
        if (!has(Quirk.NO_RESPONDER_EVENTS))
        {
            assertEquals(new Event(AsyncEventType.COMM_EST, aNew), a.awaitAsync(SOON_MS));
        }
        assertNull(a.awaitAsync(NEVER_MS));
    }

    @Test
    void shouldRaiseDrainedEventWhenStartedRequestCompletes()
    {
        needs(Feature.DRAINING);
        aPosts(Send.send(1), Send.send(2));
        a.drain(aQp);
        if (has(Quirk.EARLY_DRAINED_EVENT))
        {
            assertEquals(new Event(AsyncEventType.SQ_DRAINED, aQp), a.awaitAsync(SOON_MS));
            return;
        }
        assertNull(a.awaitAsync(NEVER_MS));

        bReceives(Receive.of(3), Receive.of(4));
        bGets(WorkCompletionStatus.SUCCESS, 3);
        if (has(Quirk.WAITING_REQUESTS_HAVE_STARTED))
        {
            bGets(WorkCompletionStatus.SUCCESS, 4);
            assertEquals(new Event(AsyncEventType.SQ_DRAINED, aQp), a.awaitAsync(SOON_MS));
            return;
        }
        assertEquals(new Event(AsyncEventType.SQ_DRAINED, aQp), a.awaitAsync(SOON_MS));
        assertEquals(List.of(), b.pollReceives(1, NEVER_MS));

        a.toState(aQp, QueuePairState.RTS);
        bGets(WorkCompletionStatus.SUCCESS, 4);
    }

    @Test
    void shouldRaiseDrainedEventOnlyWhenRequested()
    {
        needs(Feature.DRAINING);
        a.drain(aQp);
        assertEquals(new Event(AsyncEventType.SQ_DRAINED, aQp), a.awaitAsync(SOON_MS));
        a.toState(aQp, QueuePairState.RTS);
        a.toState(aQp, QueuePairState.SQD);
        if (has(Quirk.EARLY_DRAINED_EVENT))
        {
            assertEquals(new Event(AsyncEventType.SQ_DRAINED, aQp), a.awaitAsync(SOON_MS));
        }
        assertNull(a.awaitAsync(NEVER_MS));
    }

    @Test
    void shouldRaiseNoAsyncEventWhenRequestCompletesWithError()
    {
        aPosts(Send.send(1, new Sge(0, 8, 0)));
        aSends(badKey(), 1);
        assertState(QueuePairState.ERR, a, aQp);
        assertNull(a.awaitAsync(NEVER_MS));
    }

    @Test
    void shouldWakeThreadThatWaitsForAsyncEvents()
    {
        needs(Feature.ASYNC_EVENTS);
        final CompletableFuture<Event> sleeper = CompletableFuture.supplyAsync(() -> a.awaitAsync(SOON_MS));
        a.drain(aQp);

        assertEquals(new Event(AsyncEventType.SQ_DRAINED, aQp), sleeper.join());
    }
}
