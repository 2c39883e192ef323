/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Reduces by plain loops until those over vectors are faster. Before the JIT compiler has compiled it, a loop over
 * vectors makes an object of each, and takes a thousand times as long: at first a rank would reduce 16 KiB in half a
 * second. So another thread calls it, with memory of its own, until it is compiled, which takes about a second of that
 * thread; whoever reduces meanwhile neither waits nor allocates. Where it does not become faster, as on a processor
 * without such vectors, the plain loops stay. Results are the same.
 */
final class WarmingReducer implements Reducer
{
    /** Ends when there is nothing to do, and does not keep the JVM from ending. */
    private static final ExecutorService WARMER = warmer();
    private static final int LENGTH = 1 << 12;
    private static final int CALLS = 16;
    private static final int WINS = 3;
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(60);

    private final BlockReducer plain;
    private final Supplier<BlockReducer> vectors;
    private volatile BlockReducer best;

    /**
     * Has the vectors' loop made and warmed up.
     *
     * @param plain   by which to reduce until then.
     * @param vectors makes what does the same by vectors.
     */
    WarmingReducer(final BlockReducer plain, final Supplier<BlockReducer> vectors)
    {
        this.plain = plain;
        this.vectors = vectors;
        best = plain;
        WARMER.execute(this::warmUp);
    }

    @Override
    public void reduce(final long left, final long right, final long dst, final long count)
    {
        best.reduce(left, right, dst, count);
    }

    @Override
    public void reduceAndFinish(
        final long left, final long right, final long dst, final long count, final int ranks)
    {
        best.reduceAndFinish(left, right, dst, count, ranks);
    }

    /**
     * By which it reduces now.
     *
     * @return the plain loop at first.
     */
    BlockReducer best()
    {
        return best;
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
            final MemorySegment memory = arena.allocate(3L * LENGTH, 64);
            final long startNs = System.nanoTime();
            int wins = 0;
            while (wins < WINS && System.nanoTime() - startNs < LIMIT_NS)
            {
                // Each by itself: one of both may be compiled long before the other.
                final boolean isFaster = takesNs(loop, memory, false) < takesNs(plain, memory, false);
                final boolean isFasterToo = takesNs(loop, memory, true) < takesNs(plain, memory, true);
                wins = isFaster && isFasterToo ? wins + 1 : 0;
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

    /** Of calls with all kinds of counts: what the compiler has never seen happen, it does not compile. */
    private static long takesNs(final BlockReducer reducer, final MemorySegment memory, final boolean isLast)
    {
        final long left = memory.address();
        final long count = LENGTH / reducer.elementSize();
        final long startNs = System.nanoTime();
        for (int i = 0; i < CALLS; i++)
        {
            if (isLast)
            {
                reducer.reduceAndFinish(left, left + LENGTH, left + 2 * LENGTH, count - i, 2);
            }
            else
            {
                reducer.reduce(left, left + LENGTH, left + 2 * LENGTH, count - i);
            }
        }
        return System.nanoTime() - startNs;
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
