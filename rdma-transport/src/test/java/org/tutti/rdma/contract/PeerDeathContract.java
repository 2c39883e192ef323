/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.contract.Node.Completion;
import org.tutti.rdma.contract.Node.Info;
import org.tutti.rdma.contract.Node.Posted;
import org.tutti.rdma.contract.Node.Receive;
import org.tutti.rdma.contract.Node.Region;
import org.tutti.rdma.contract.Node.Send;
import org.tutti.rdma.contract.Node.Shape;
import org.tutti.rdma.contract.Node.Tuning;

import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Tests the death of the peer's process: the survivor's requests fail in bounded time, waiting threads can be woken,
 * nothing hangs, and other queue pairs continue.
 */
@Timeout(120)
abstract class PeerDeathContract extends Contract
{
    /** Much longer than the retries of {@link Tuning#DEFAULT}, even on a slow machine, but finite. */
    private static final long BOUND_MS = 20_000;

    private Node a;
    private Node victim;
    private Node bystander;
    private Info aInfo;
    private Info victimInfo;
    private PeerProcess process;
    private Region aRegion;
    private Region victimRegion;
    private int aQp;
    private int victimQp;
    private int aOther;
    private int bystanderQp;

    @BeforeEach
    void connect()
    {
        process = fixture().startPeer();
        a = new LocalNode(fixture()::open);
        bystander = new LocalNode(fixture()::open);
        victim = process.node();
        aInfo = a.open(Shape.DEFAULT);
        victimInfo = victim.open(Shape.DEFAULT);
        final Info bystanderInfo = bystander.open(Shape.DEFAULT);
        aRegion = a.register(0, aInfo.length(), AccessFlags.ALL);
        victimRegion = victim.register(0, victimInfo.length(), AccessFlags.ALL);
        aQp = a.createQueuePair();
        victimQp = victim.createQueuePair();
        // The victim may die before it is connected.
        a.connect(aQp, victimInfo, victimQp, Tuning.DEFAULT.withTimeout(9));
        victim.connect(victimQp, aInfo, aQp, Tuning.DEFAULT);
        aOther = a.createQueuePair();
        bystanderQp = bystander.createQueuePair();
        a.connect(aOther, bystanderInfo, bystanderQp, Tuning.DEFAULT);
        bystander.connect(bystanderQp, aInfo, aOther, Tuning.DEFAULT);
    }

    @AfterEach
    void close()
    {
        process.kill();
        a.close();
        bystander.close();
    }

    @Test
    void shouldFailRequestsWhenPeerIsDead()
    {
        process.kill();
        assertFails(Send.write(1, victimRegion, 0, aRegion.sge(0, 8)));
        assertEquals(Posted.ALL, a.postSend(aQp, List.of(Send.write(2, victimRegion, 0, aRegion.sge(0, 8)))));
        assertEquals(WorkCompletionStatus.WR_FLUSH_ERR, a.pollSends(1, BOUND_MS).getFirst().status());
        assertOthersGoOn();
    }

    @Test
    void shouldFailRequestWhenPeerDiesBeforeItPostsAReceive()
    {
        assertEquals(Posted.ALL, a.postSend(aQp, List.of(Send.send(1, aRegion.sge(0, 8)))));
        assertEquals(List.of(), a.pollSends(1, 50));
        process.kill();

        final List<Completion> completions = a.pollSends(1, BOUND_MS);
        assertEquals(1, completions.size());
        assertEquals(WorkCompletionStatus.RETRY_EXC_ERR, completions.getFirst().status());
        assertOthersGoOn();
    }

    @Test
    void shouldFailReadWhenPeerIsDead()
    {
        process.kill();
        assertFails(Send.read(1, victimRegion, 0, aRegion.sge(0, 8)));
        assertOthersGoOn();
    }

    @Test
    void shouldSurviveWhenPeerDiesDuringAStreamOfWrites()
    {
        victim.putLong(0, 1);
        victim.startWriting(victimQp, Send.write(7, aRegion, 4096, victimRegion.sge(0, 100_000)));
        final long startNs = System.nanoTime();
        while (a.getLong(4096) != 1)
        {
            assertTrue(System.nanoTime() - startNs < BOUND_MS * 1_000_000, "nothing was written");
            // Keeps the compiler from hoisting the load of the word.
            Thread.onSpinWait();
        }
        process.kill();

        assertFails(Send.write(1, victimRegion, 0, aRegion.sge(0, 8)));
        assertOthersGoOn();
    }

    @Test
    void shouldSurviveWhenPeerDiesDuringAStreamOfSends()
    {
        final Receive receive = Receive.of(9, aRegion.sge(4096, 100));
        victim.startWriting(victimQp, Send.send(7, victimRegion.sge(0, 100)));
        final long endNs = System.nanoTime() + 50_000_000;
        int outstanding = 0;
        while (System.nanoTime() - endNs < 0)
        {
            while (outstanding < Shape.DEFAULT.maxReceive())
            {
                assertEquals(Posted.ALL, a.postReceive(aQp, List.of(receive)));
                outstanding++;
            }
            outstanding -= a.pollReceives(1, 10).size();
        }
        process.kill();

        for (final Completion completion : a.pollReceives(outstanding, 100))
        {
            assertTrue(completion.isSuccess(), completion::toString);
        }
        assertFails(Send.write(1, victimRegion, 0, aRegion.sge(0, 8)));
        assertOthersGoOn();
    }

    @RepeatedTest(3)
    void shouldSurviveWhenPeerDiesAtAnyMoment()
    {
        final long seed = System.nanoTime();
        System.out.println("death seed " + seed);
        final Random random = new Random(seed);
        for (int i = 0; i < Shape.DEFAULT.maxReceive(); i++)
        {
            assertEquals(Posted.ALL, a.postReceive(aQp, List.of(Receive.of(i, aRegion.sge(4096, 100)))));
        }
        final List<Send> sends = List.of(
            Send.send(7, victimRegion.sge(0, 100)),
            Send.writeImm(7, 1, aRegion, 4096, victimRegion.sge(0, 100)),
            Send.fetchAdd(7, aRegion, 8, 1, victimRegion.sge(0, 8)),
            Send.read(7, aRegion, 4096, victimRegion.sge(0, 100_000)));
        victim.startWriting(victimQp, sends.get(random.nextInt(sends.size())));
        LockSupport.parkNanos(random.nextLong(5_000_000));
        process.kill();

        assertFails(Send.write(1, victimRegion, 0, aRegion.sge(0, 8)));
        final List<Completion> received = a.pollReceives(Shape.DEFAULT.maxReceive(), BOUND_MS);
        for (int i = 0; i < Shape.DEFAULT.maxReceive(); i++)
        {
            assertEquals(i, received.get(i).wrId(), () -> "seed " + seed);
        }
        assertOthersGoOn();
    }

    @Test
    void shouldWakeWaitingThreadWhenOtherPeersSend() throws Exception
    {
        needs(Feature.SILENT_DEATHS);
        assertEquals(Posted.ALL, a.postReceive(aQp, List.of(Receive.of(1))));
        assertEquals(Posted.ALL, a.postReceive(aOther, List.of(Receive.of(2))));
        a.armReceives(false);
        final FutureTask<Boolean> sleeper = new FutureTask<>(() -> a.awaitEvent(BOUND_MS));
        SleepingThread.await(Thread.ofPlatform().daemon().name("sleeper").start(sleeper));
        process.kill();
        assertThrows(TimeoutException.class, () -> sleeper.get(PairContract.NEVER_MS, TimeUnit.MILLISECONDS));

        assertEquals(Posted.ALL, bystander.postSend(bystanderQp, List.of(Send.send(3))));
        assertTrue(sleeper.get());
        assertEquals(2, a.pollReceives(1, BOUND_MS).getFirst().wrId());
        assertFails(Send.write(4, victimRegion, 0, aRegion.sge(0, 8)));
    }

    @Test
    void shouldConnectToNewProcessWhenPeerDied()
    {
        process.kill();
        assertFails(Send.write(1, victimRegion, 0, aRegion.sge(0, 8)));
        a.toState(aQp, QueuePairState.RESET);

        process = fixture().startPeer();
        victim = process.node();
        final Info info = victim.open(Shape.DEFAULT);
        final Region region = victim.register(0, info.length(), AccessFlags.ALL);
        final int qp = victim.createQueuePair();
        a.connect(aQp, info, qp, Tuning.DEFAULT);
        victim.connect(qp, aInfo, aQp, Tuning.DEFAULT);
        a.putLong(0, 31);
        assertEquals(Posted.ALL, a.postSend(aQp, List.of(Send.write(2, region, 0, aRegion.sge(0, 8)))));
        assertTrue(a.pollSends(1, BOUND_MS).getFirst().isSuccess());
        assertEquals(31, victim.getLong(0));
    }

    /** Until the survivor detects the death, memory mapped by both accepts writes and reads. */
    private void assertFails(final Send send)
    {
        final long startNs = System.nanoTime();
        Completion completion;
        do
        {
            assertEquals(Posted.ALL, a.postSend(aQp, List.of(send)));
            final List<Completion> completions = a.pollSends(1, BOUND_MS);
            assertEquals(1, completions.size(), () -> "after " + (System.nanoTime() - startNs) / 1_000_000 + " ms");
            completion = completions.getFirst();
        }
        while (completion.isSuccess() && System.nanoTime() - startNs < BOUND_MS * 1_000_000);
        assertEquals(send.wrId(), completion.wrId());
        assertEquals(WorkCompletionStatus.RETRY_EXC_ERR, completion.status());
        PairContract.assertState(QueuePairState.ERR, a, aQp);
    }

    private void assertOthersGoOn()
    {
        assertEquals(Posted.ALL, bystander.postReceive(bystanderQp, List.of(Receive.of(50))));
        assertEquals(Posted.ALL, a.postSend(aOther, List.of(Send.send(51))));
        assertTrue(bystander.pollReceives(1, BOUND_MS).getFirst().isSuccess());
        final Completion sent = a.pollSends(1, BOUND_MS).getFirst();
        assertEquals(51, sent.wrId());
        assertTrue(sent.isSuccess());
    }
}
