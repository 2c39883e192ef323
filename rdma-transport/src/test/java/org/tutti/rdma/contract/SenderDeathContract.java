/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.contract.Node.Completion;
import org.tutti.rdma.contract.Node.Info;
import org.tutti.rdma.contract.Node.Posted;
import org.tutti.rdma.contract.Node.Receive;
import org.tutti.rdma.contract.Node.Region;
import org.tutti.rdma.contract.Node.Send;
import org.tutti.rdma.contract.Node.Shape;
import org.tutti.rdma.contract.Node.Tuning;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Tests that if one of several senders to the same receives is killed at any moment, the others use all remaining
 * receives, each once.
 */
@Timeout(120)
abstract class SenderDeathContract extends Contract
{
    private static final long BOUND_MS = 30_000;
    private static final long BOUND_NS = BOUND_MS * 1_000_000;
    private static final int RECEIVES = 64;
    private static final int LENGTH = 1000;
    private static final int GRH = 40;
    private static final int QKEY = 77;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private PeerProcess process;
    private Node a;
    private Node victim;
    private Node other;
    private Info aInfo;
    private Info victimInfo;
    private Info otherInfo;
    private Region aRegion;
    private Region victimRegion;
    private Region otherRegion;

    /** Called by each test, so that no process is started for those that the provider lacks a feature for. */
    private void openAll()
    {
        System.out.println("sender death seed " + seed);
        process = fixture().startPeer();
        victim = process.node();
        a = new LocalNode(fixture()::open);
        other = new LocalNode(fixture()::open);
        aInfo = a.open(Shape.DEFAULT);
        victimInfo = victim.open(Shape.DEFAULT);
        otherInfo = other.open(Shape.DEFAULT);
        aRegion = a.register(0, aInfo.length(), AccessFlags.ALL);
        victimRegion = victim.register(0, victimInfo.length(), AccessFlags.ALL);
        otherRegion = other.register(0, otherInfo.length(), AccessFlags.ALL);
    }

    @AfterEach
    void close()
    {
        if (process != null)
        {
            process.kill();
            a.close();
            other.close();
        }
    }

    @RepeatedTest(3)
    void shouldUseEachDatagramReceiveOnceWhenASenderDies()
    {
        needs(Feature.UNRELIABLE_SERVICES);
        openAll();
        final int aQp = a.createQueuePair(QueuePairType.UD, 0);
        a.openDatagrams(aQp, QKEY);
        for (int i = 0; i < RECEIVES; i++)
        {
            assertEquals(Posted.ALL, a.postReceive(aQp, List.of(receive(i))));
        }
        sendDatagrams(aQp);
    }

    @RepeatedTest(3)
    void shouldUseEachSharedDatagramReceiveOnceWhenASenderDies()
    {
        needs(Feature.UNRELIABLE_SERVICES);
        openAll();
        final int shared = sharedReceives();
        final int aQp = a.createQueuePair(QueuePairType.UD, shared);
        a.openDatagrams(aQp, QKEY);
        sendDatagrams(aQp);
    }

    @RepeatedTest(3)
    void shouldUseEachSharedReceiveOnceWhenASenderDies()
    {
        openAll();
        final int shared = sharedReceives();
        final int toVictim = a.createQueuePair(QueuePairType.RC, shared);
        final int toOther = a.createQueuePair(QueuePairType.RC, shared);
        final int victimQp = victim.createQueuePair();
        final int otherQp = other.createQueuePair();
        a.connect(toVictim, victimInfo, victimQp, Tuning.DEFAULT);
        victim.connect(victimQp, aInfo, toVictim, Tuning.DEFAULT);
        a.connect(toOther, otherInfo, otherQp, Tuning.DEFAULT);
        other.connect(otherQp, aInfo, toOther, Tuning.DEFAULT);
        victim.startWriting(victimQp, Send.send(7, victimRegion.sge(0, LENGTH)));
        LockSupport.parkNanos(random.nextLong(3_000_000));
        process.kill();

        // Its queue pair releases its current receive as flushed.
        a.toState(toVictim, QueuePairState.ERR);
        final Set<Long> seen = new HashSet<>();
        while (seen.size() < RECEIVES)
        {
            assertEquals(Posted.ALL,
                other.postSend(otherQp, List.of(Send.send(1, otherRegion.sge(0, LENGTH)))));
            collectUntilSent(seen);
        }
        assertEquals(List.of(), a.pollReceives(1, 20));
    }

    /**
     * Collects until all posted requests are sent or all receives are used: if the victim was killed before it
     * published a completion, its receive may be polled late, and the last send then finds no receive.
     */
    private void collectUntilSent(final Set<Long> seen)
    {
        final long startNs = System.nanoTime();
        List<Completion> sent = List.of();
        while (sent.isEmpty() && seen.size() < RECEIVES)
        {
            assertTrue(System.nanoTime() - startNs < BOUND_NS,
                () -> "no receive is left after " + seen.size() + " were used, seed " + seed);
            sent = other.pollSends(1, 1);
            collect(seen, a.pollReceives(RECEIVES, 1));
        }
        assertTrue(sent.isEmpty() || sent.getFirst().isSuccess(), sent::toString);
    }

    private int sharedReceives()
    {
        final int shared = a.createSharedQueue(RECEIVES, 1);
        for (int i = 0; i < RECEIVES; i++)
        {
            assertEquals(Posted.ALL, a.postShared(shared, List.of(receive(i))));
        }
        return shared;
    }

    private Receive receive(final int i)
    {
        return Receive.of(i, aRegion.sge(2048L * i, LENGTH + GRH));
    }

    private void sendDatagrams(final int aQp)
    {
        final int victimQp = victim.createQueuePair(QueuePairType.UD, 0);
        final int otherQp = other.createQueuePair(QueuePairType.UD, 0);
        victim.openDatagrams(victimQp, QKEY);
        other.openDatagrams(otherQp, QKEY);
        victim.startWriting(victimQp, Send.send(7, victimRegion.sge(0, LENGTH))
            .to(victim.createAddressHandle(aInfo), aQp, QKEY));
        LockSupport.parkNanos(random.nextLong(3_000_000));
        process.kill();

        final int handle = other.createAddressHandle(aInfo);
        final Set<Long> seen = new HashSet<>();
        collect(seen, a.pollReceives(RECEIVES, 100));
        while (seen.size() < RECEIVES)
        {
            assertEquals(Posted.ALL, other.postSend(otherQp,
                List.of(Send.send(1, otherRegion.sge(0, LENGTH)).to(handle, aQp, QKEY))));
            assertTrue(other.pollSends(1, BOUND_MS).getFirst().isSuccess());
            collect(seen, a.pollReceives(1, BOUND_MS));
        }
        assertEquals(List.of(), a.pollReceives(1, 20));
    }

    private void collect(final Set<Long> seen, final List<Completion> completions)
    {
        for (final Completion completion : completions)
        {
            assertTrue(seen.add(completion.wrId()), () -> completion + ", seed " + seed);
        }
    }
}
