/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import java.lang.foreign.Arena;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Reduces with plain loops until vector loops are faster. A vector loop that the JIT compiler has not compiled yet
 * allocates an object per vector and takes a thousand times as long. So another thread calls the loop on its own memory
 * until the loop is compiled; meanwhile, callers that reduce neither wait nor allocate. If the vector loop does not
 * become faster than the plain loop, as on a processor without such vectors, the plain loop stays. Results are the
 * same.
 * <p>
 * The thread starts when so many bytes have been reduced that vectors will pay off. It pauses every 200 microseconds,
 * or after a call that takes longer: ranks spin, and a thread that computes without pause would take a core from one of
 * them.
 */
final class WarmUpReducer implements Reducer
{
    /** Runs warm-ups on a daemon thread, which ends when there is no work. */
    private static final ExecutorService WARMER = warmer();
    /**
     * Bytes that must be reduced before the warm-up starts. With fewer, the warm-up costs more than it gains: it and
     * its JIT compilations take up to a second of CPU time.
     */
    static final long START_BYTES = 1L << 30;
    /** Bytes per call when times are compared. */
    private static final int LENGTH = 1 << 12;
    /** Bytes per call of the warm-up: a few iterations even with the longest vectors. */
    private static final int WARM_UP_LENGTH = 1 << 10;
    /** Calls of each method between two comparisons of times; not a power of two, so that all remainders occur. */
    private static final int WARM_UP_CALLS = 37;
    private static final int TIMED_CALLS = 4;
    private static final int WINS = 3;
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long SLICE_NS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final BlockReducer plain;
    private final Supplier<BlockReducer> vectors;
    private volatile BlockReducer best;
    /** Bytes left to reduce until the warm-up starts; then negative. A lost update only delays the start. */
    private long bytesToStart = START_BYTES;

    /**
     * Creates a reducer that uses the plain loop at first.
     *
     * @param plain   loop over single elements.
     * @param vectors creates the equivalent vector loop; called by another thread, or never.
     */
    WarmUpReducer(final BlockReducer plain, final Supplier<BlockReducer> vectors)
    {
        this.plain = plain;
        this.vectors = vectors;
        best = plain;
    }

    @Override
    public void reduce(final long left, final long right, final long dst, final long count)
    {
        countBytes(count);
        best.reduce(left, right, dst, count);
    }

    @Override
    public void reduceAndFinish(
        final long left, final long right, final long dst, final long count, final int ranks)
    {
        countBytes(count);
        best.reduceAndFinish(left, right, dst, count, ranks);
    }

    /**
     * Returns the loop that is used now.
     *
     * @return the plain loop at first.
     */
    BlockReducer best()
    {
        return best;
    }

    private void countBytes(final long count)
    {
        if (bytesToStart >= 0)
        {
            bytesToStart -= count * plain.elementSize();
            if (bytesToStart < 0)
            {
                startWarmUp();
            }
        }
    }

    /**
     * Starts the warm-up on another thread; allocates a little, once. Two threads that call this method concurrently
     * start the warm-up twice, which only takes more time.
     */
    private void startWarmUp()
    {
        try
        {
            WARMER.execute(this::warmUp);
        }
        catch (final OutOfMemoryError noThread)
        {
            // The reduction must not fail: plain loops give the same results.
        }
    }

    private void warmUp()
    {
        try (Arena arena = Arena.ofConfined())
        {
            final BlockReducer loop = make();
            if (loop == plain)
            {
                return;
            }
            final long memory = arena.allocate(3L * LENGTH, 64).address();
            final long startNs = System.nanoTime();
            int wins = 0;
            while (wins < WINS && System.nanoTime() - startNs < LIMIT_NS)
            {
                warmUp(loop, memory);
                wins = isFaster(loop, memory) ? wins + 1 : 0;
            }
            if (wins == WINS)
            {
                best = loop;
            }
        }
    }

    private BlockReducer make()
    {
        try
        {
            return vectors.get();
        }
        catch (final RuntimeException | LinkageError unsupported)
        {
            // The processor has no such vectors.
            return plain;
        }
    }

    /** Calls the loop with all kinds of counts, because the compiler does not compile branches that have never run. */
    private static void warmUp(final BlockReducer loop, final long memory)
    {
        final long count = WARM_UP_LENGTH / loop.elementSize();
        long sliceNs = System.nanoTime();
        for (int i = 0; i < WARM_UP_CALLS; i++)
        {
            loop.reduce(memory, memory + LENGTH, memory + 2 * LENGTH, count - i);
            loop.reduceAndFinish(memory, memory + LENGTH, memory + 2 * LENGTH, count - i, 2);
            if (System.nanoTime() - sliceNs > SLICE_NS)
            {
                LockSupport.parkNanos(PAUSE_NS);
                sliceNs = System.nanoTime();
            }
        }
    }

    /** Whether both methods of the loop are faster than the plain loop's; one may be compiled long before the other. */
    private boolean isFaster(final BlockReducer loop, final long memory)
    {
        return shortestNs(loop, memory, false) < shortestNs(plain, memory, false) &&
            shortestNs(loop, memory, true) < shortestNs(plain, memory, true);
    }

    /** Returns the shortest time of a few calls, because a thread may be preempted during some of them. */
    private static long shortestNs(final BlockReducer reducer, final long memory, final boolean isLast)
    {
        final long count = LENGTH / reducer.elementSize();
        long leastNs = Long.MAX_VALUE;
        for (int i = 0; i < TIMED_CALLS; i++)
        {
            final long startNs = System.nanoTime();
            if (isLast)
            {
                reducer.reduceAndFinish(memory, memory + LENGTH, memory + 2 * LENGTH, count, 2);
            }
            else
            {
                reducer.reduce(memory, memory + LENGTH, memory + 2 * LENGTH, count);
            }
            leastNs = Math.min(leastNs, System.nanoTime() - startNs);
            if (leastNs > SLICE_NS)
            {
                // The loop is not compiled yet: one measurement is enough.
                return leastNs;
            }
        }
        return leastNs;
    }

    private static ExecutorService warmer()
    {
        final ThreadPoolExecutor warmer = new ThreadPoolExecutor(
            1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("tutti-kernels").factory());
        warmer.allowCoreThreadTimeOut(true);
        return warmer;
    }
}
