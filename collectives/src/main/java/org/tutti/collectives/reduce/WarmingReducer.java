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
 * Reduces by plain loops until those over vectors are faster. Before the JIT compiler has compiled it, a loop over
 * vectors makes an object of each, and takes a thousand times as long as afterwards. So another thread calls it, with
 * memory of its own, until it is compiled; callers that reduce meanwhile neither wait nor allocate. Where it does not
 * become faster, as on a processor without such vectors, the plain loops stay. Results are the same.
 * <p>
 * The thread starts when so much was reduced that vectors will pay, and then pauses every 200 microseconds, or after a
 * call that takes longer: ranks spin, and a thread that computes without a break would take a core from one of them.
 */
final class WarmingReducer implements Reducer
{
    /** Ends when there is nothing to do, and does not keep the JVM from ending. */
    private static final ExecutorService WARMER = warmer();
    /** Below this the warm-up costs more than it gains: with its compilations it takes up to a second of a core. */
    static final long START_BYTES = 1L << 30;
    /** Bytes of calls whose times are compared. */
    private static final int LENGTH = 1 << 12;
    /** Bytes of calls that warm up: their loops go round a few times even over the longest vectors. */
    private static final int WARM_UP_LENGTH = 1 << 10;
    /** Calls of each kind between two comparisons; not a power of two, so that all remainders occur. */
    private static final int WARM_UP_CALLS = 37;
    private static final int TIMED_CALLS = 4;
    private static final int WINS = 3;
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long SLICE_NS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final BlockReducer plain;
    private final Supplier<BlockReducer> vectors;
    private volatile BlockReducer best;
    /** What to reduce until the warm-up starts; negative once it has. A lost update only delays the start. */
    private long bytesToStart = START_BYTES;

    /**
     * Reduces by plain loops at first.
     *
     * @param plain   loops over single elements.
     * @param vectors makes what does the same over vectors; called by another thread, or never.
     */
    WarmingReducer(final BlockReducer plain, final Supplier<BlockReducer> vectors)
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
     * The loop that it reduces by now.
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

    /** Allocates a little, once. Two threads that call it at once have it done twice, to the same end. */
    private void startWarmUp()
    {
        try
        {
            WARMER.execute(this::warmUp);
        }
        catch (final OutOfMemoryError noThread)
        {
            // The call that reduces must not fail for it: plain loops give the same results.
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
        catch (final RuntimeException | LinkageError vectorsAreTooShort)
        {
            // As on processors that have none.
            return plain;
        }
    }

    /** Calls with all kinds of counts: what the compiler has never seen happen, it does not compile. */
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

    /** Whether both methods are: one may be compiled long before the other. */
    private boolean isFaster(final BlockReducer loop, final long memory)
    {
        return takesNs(loop, memory, false) < takesNs(plain, memory, false) &&
            takesNs(loop, memory, true) < takesNs(plain, memory, true);
    }

    /** The shortest of a few calls: a thread that was interrupted meanwhile tells nothing about its loop. */
    private static long takesNs(final BlockReducer reducer, final long memory, final boolean isLast)
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
                // Not compiled yet.
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
