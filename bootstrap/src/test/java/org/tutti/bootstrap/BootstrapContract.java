/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of all bootstraps, independent of their transport. */
public abstract class BootstrapContract
{
    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private final List<Bootstrap> ranks = new ArrayList<>();

    /** Creates the ranks of a job, each to be used by its own thread. */
    protected abstract List<? extends Bootstrap> start(int size) throws Exception;

    private List<Bootstrap> job(final int size) throws Exception
    {
        ranks.addAll(start(size));
        return ranks;
    }

    @AfterEach
    void closeRanks()
    {
        ranks.forEach(Bootstrap::close);
    }

    @Test
    void shouldReturnRankAndSize() throws Exception
    {
        final List<Bootstrap> job = job(3);

        for (int rank = 0; rank < 3; rank++)
        {
            assertEquals(rank, job.get(rank).rank());
            assertEquals(3, job.get(rank).size());
            assertEquals(rank, job.get(rank).localRank());
            assertEquals(3, job.get(rank).localSize());
            assertEquals(job.get(0).jobId(), job.get(rank).jobId());
            assertEquals(job.get(0).jobDirectory(), job.get(rank).jobDirectory());
        }
    }

    @Test
    void shouldReadValueOfAnotherRank() throws Exception
    {
        final List<Bootstrap> job = job(2);

        assertNull(job.get(1).get("key"));
        job.get(0).put("key", bytes("value"));
        assertArrayEquals(bytes("value"), job.get(1).get("key"));
        job.get(1).put("key", bytes("other"));
        assertArrayEquals(bytes("other"), job.get(0).get("key"));
        job.get(1).put("key", new byte[0]);
        assertArrayEquals(new byte[0], job.get(0).await("key", RankThreads.TIMEOUT_NS));
    }

    @Test
    void shouldWaitUntilKeyIsPut() throws Exception
    {
        final Queue<Thread> waiting = new ConcurrentLinkedQueue<>();
        final List<byte[]> values = RankThreads.run(
            job(3),
            (rank) ->
            {
                if (rank.rank() == 1)
                {
                    awaitWaiting(waiting, 2);
                    rank.put("späte Post", bytes("là"));
                }
                else
                {
                    waiting.add(Thread.currentThread());
                }
                return rank.await("späte Post", RankThreads.TIMEOUT_NS);
            });

        values.forEach((value) -> assertArrayEquals(bytes("là"), value));
    }

    /** Waits until {@code count} threads have been seen waiting; fails after a timeout. */
    private static void awaitWaiting(final Collection<Thread> threads, final int count) throws InterruptedException
    {
        final long startNs = System.nanoTime();
        final Set<Thread> seen = new HashSet<>();
        while (seen.size() < count)
        {
            assertTrue(System.nanoTime() - startNs < RankThreads.TIMEOUT_NS, () -> seen + " are waiting of " + threads);
            Thread.sleep(1);
            threads.stream().filter(thread -> thread.getState() == Thread.State.TIMED_WAITING).forEach(seen::add);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndOnlyTheWaitWhenInterrupted(final boolean isInterruptedBefore) throws Exception
    {
        final List<Bootstrap> job = job(2);
        final FutureTask<Throwable> wait = new FutureTask<>(() ->
        {
            if (isInterruptedBefore)
            {
                Thread.currentThread().interrupt();
            }
            final Throwable thrown = assertThrows(BootstrapInterruptedException.class,
                () -> job.get(0).allgather("never", bytes("x"), RankThreads.TIMEOUT_NS));
            assertTrue(Thread.currentThread().isInterrupted());
            // Calls that need no other rank still complete.
            job.get(0).put("later", bytes("is here"));
            assertTrue(Thread.currentThread().isInterrupted());
            return thrown;
        });
        final Thread thread = new Thread(wait, "waiter");
        thread.start();
        if (!isInterruptedBefore)
        {
            awaitWaiting(List.of(thread), 1);
            thread.interrupt();
        }

        final String message = wait.get(RankThreads.TIMEOUT_NS, TimeUnit.NANOSECONDS).getMessage();

        assertTrue(message.contains("rank 0") && message.contains("thread waiter was interrupted"), message);
        assertArrayEquals(bytes("is here"), job.get(1).get("later"));
        assertNull(job.get(0).failure());
        assertNull(job.get(1).failure());
    }

    @Test
    void shouldGatherValuesOfAllRanksInOrder() throws Exception
    {
        final List<List<byte[]>> gathered = RankThreads.run(
            job(5), (rank) -> rank.allgather("names", bytes("r".repeat(rank.rank())), RankThreads.TIMEOUT_NS));

        for (final List<byte[]> values : gathered)
        {
            assertEquals(5, values.size());
            for (int rank = 0; rank < 5; rank++)
            {
                assertArrayEquals(bytes("r".repeat(rank)), values.get(rank));
            }
        }
    }

    @Test
    void shouldGatherValuesOfMembers() throws Exception
    {
        final List<List<byte[]>> gathered = RankThreads.run(
            job(5),
            (rank) ->
            {
                final int[] members = rank.rank() % 2 == 0 ? new int[]{0, 2, 4} : new int[]{1, 3};
                final String name = "parity-" + rank.rank() % 2;
                rank.barrier(name, members, RankThreads.TIMEOUT_NS);
                return rank.allgather(name, members, bytes("r" + rank.rank()), RankThreads.TIMEOUT_NS);
            });

        for (int rank = 0; rank < 5; rank++)
        {
            final List<byte[]> values = gathered.get(rank);
            assertEquals(rank % 2 == 0 ? 3 : 2, values.size());
            for (int i = 0; i < values.size(); i++)
            {
                assertArrayEquals(bytes("r" + (rank % 2 + 2 * i)), values.get(i));
            }
        }
    }

    @Test
    void shouldNameMissingMembersOnTimeout() throws Exception
    {
        final Bootstrap rank = job(4).get(1);

        final String message = assertThrows(BootstrapTimeoutException.class,
            () -> rank.barrier("some", new int[]{1, 3}, SHORT_NS)).getMessage();

        assertTrue(message.contains("1 of 2 ranks missing: 3 (ranks of the job)"), message);
    }

    @Test
    void shouldRejectMembersThatDoNotAscendOrLackTheRank() throws Exception
    {
        final Bootstrap rank = job(3).get(1);

        assertThrows(IllegalArgumentException.class, () -> rank.barrier("b", new int[]{0, 2}, SHORT_NS));
        assertThrows(IllegalArgumentException.class, () -> rank.barrier("b", new int[]{1, 1}, SHORT_NS));
        assertThrows(IllegalArgumentException.class, () -> rank.barrier("b", new int[]{1, 3}, SHORT_NS));
    }

    @Test
    void shouldTakeValueOnce() throws Exception
    {
        final List<Bootstrap> job = job(2);
        job.get(0).put("once", bytes("value"));

        assertArrayEquals(bytes("value"), job.get(1).take("once"));
        assertNull(job.get(1).take("once"));
        assertNull(job.get(0).get("once"));
    }

    @Test
    void shouldTransferLargeValues() throws Exception
    {
        final byte[] large = new byte[(1 << 20) + 1];
        new Random(42).nextBytes(large);
        final List<List<byte[]>> gathered = RankThreads.run(
            job(3),
            (rank) ->
            {
                if (rank.rank() == 2)
                {
                    rank.put("large", large);
                }
                assertArrayEquals(large, rank.await("large", RankThreads.TIMEOUT_NS));
                return rank.allgather("large", large, RankThreads.TIMEOUT_NS);
            });

        gathered.forEach((values) -> values.forEach((value) -> assertArrayEquals(large, value)));
    }

    @Test
    void shouldPassBarrierOnlyWhenAllRanksHaveArrived() throws Exception
    {
        RankThreads.run(
            job(4),
            (rank) ->
            {
                for (int i = 0; i < 20; i++)
                {
                    rank.put("came-" + i + "-" + rank.rank(), bytes("yes"));
                    rank.barrier("round-" + i, RankThreads.TIMEOUT_NS);
                    for (int other = 0; other < 4; other++)
                    {
                        assertArrayEquals(bytes("yes"), rank.get("came-" + i + "-" + other));
                    }
                }
                return null;
            });
    }

    @Test
    void shouldNameMissingRanksWhenBarrierTimesOut() throws Exception
    {
        final List<Bootstrap> job = job(4);

        final List<String> messages = RankThreads.run(
            List.of(job.get(1), job.get(3)),
            (rank) -> assertThrows(
                BootstrapTimeoutException.class, () -> rank.barrier("connect", SHORT_NS)).getMessage());

        for (final String message : messages)
        {
            assertTrue(message.startsWith("barrier 'connect' timed out after 200 ms: "), message);
            assertTrue(message.contains(" of 4 ranks missing: "), message);
            assertTrue(message.contains("0") && message.contains("2"), message);
        }
    }

    @Test
    void shouldTimeOutWhenNoRankPutsKey() throws Exception
    {
        final Bootstrap rank = job(2).get(0);

        final BootstrapTimeoutException timeout = assertThrows(
            BootstrapTimeoutException.class, () -> rank.await("never", SHORT_NS));

        assertTrue(timeout.getMessage().contains("'never' timed out after 200 ms"), timeout.getMessage());
    }

    @Test
    void shouldServeWaitsOfSeveralThreadsOfRank() throws Exception
    {
        final List<Bootstrap> job = job(2);
        final Bootstrap rank = job.get(0);

        final List<byte[]> values = RankThreads.run(
            List.of(rank, rank, rank, job.get(1)),
            (each) ->
            {
                if (each.rank() == 1)
                {
                    each.put("shared", bytes("all"));
                }
                return each.await("shared", RankThreads.TIMEOUT_NS);
            });

        values.forEach((value) -> assertArrayEquals(bytes("all"), value));
    }

    @Test
    void shouldEndAllWaitsWhenRankAborts() throws Exception
    {
        final List<Bootstrap> job = job(3);
        final List<RankFailure> delivered = java.util.Collections.synchronizedList(new ArrayList<>());
        job.get(1).onFailure(delivered::add);

        final Queue<Thread> waiting = new ConcurrentLinkedQueue<>();
        final List<String> messages = RankThreads.run(
            job,
            (rank) ->
            {
                if (rank.rank() == 2)
                {
                    awaitWaiting(waiting, 2);
                    rank.abort("no data");
                }
                else
                {
                    waiting.add(Thread.currentThread());
                }
                return assertThrows(
                    BootstrapException.class, () -> rank.barrier("end", RankThreads.TIMEOUT_NS)).getMessage();
            });

        for (final String message : messages)
        {
            assertTrue(message.startsWith("rank 2 on "), message);
            assertTrue(message.endsWith("failed: aborted: no data"), message);
        }
        for (final Bootstrap rank : job)
        {
            assertEquals(2, rank.failure().rank());
            assertThrows(BootstrapException.class, () -> rank.get("key"));
        }
        awaitDelivered(delivered, 1);
        assertEquals(List.of(job.get(1).failure()), delivered);
        job.get(0).onFailure(delivered::add);
        awaitDelivered(delivered, 2);
    }

    /** Waits for listeners, which the bootstrap's own thread calls. */
    private static void awaitDelivered(final List<RankFailure> delivered, final int count) throws InterruptedException
    {
        final long deadlineNs = System.nanoTime() + RankThreads.TIMEOUT_NS;
        while (delivered.size() < count && System.nanoTime() - deadlineNs < 0)
        {
            Thread.sleep(1);
        }
        assertEquals(count, delivered.size());
    }

    @Test
    void shouldRejectCallsAfterClose() throws Exception
    {
        final List<Bootstrap> job = job(2);
        job.get(0).close();
        job.get(0).close();

        final BootstrapException refusal = assertThrows(
            BootstrapException.class, () -> job.get(0).barrier("late", SHORT_NS));

        assertTrue(refusal.getMessage().contains("closed"), refusal.getMessage());
    }

    @Test
    void shouldRejectInvalidArguments() throws Exception
    {
        final Bootstrap rank = job(1).get(0);

        assertThrows(IllegalArgumentException.class, () -> rank.put("", new byte[1]));
        assertThrows(IllegalArgumentException.class, () -> rank.get("k".repeat(256)));
        assertThrows(IllegalArgumentException.class, () -> rank.barrier("b", -1));
        assertThrows(
            IllegalArgumentException.class, () -> rank.put("k", new byte[Arguments.MAX_VALUE_LENGTH + 1]));
    }

    static byte[] bytes(final String text)
    {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
