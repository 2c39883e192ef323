/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.Test;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertTrue;

class ReducersAllocationTest
{
    private static final boolean IS_TORTURE = Boolean.getBoolean("tutti.test.torture");
    private static final int COUNT = IS_TORTURE ? 1003 : 203;
    private static final int CALLS = 2_000;

    /** Before the compilers have done their work vectors are objects: the promise is for code that runs hot. */
    @Test
    void shouldAllocateNothingOnceCompiled()
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment memory = arena.allocate(3L * 16 * COUNT, 64);
            for (final DataType type : DataType.values())
            {
                for (final ReduceOp op : ReduceOp.values())
                {
                    if (!ReducersTest.isDefined(op, type) || !(IS_TORTURE || isInEveryBuild(type, op)))
                    {
                        continue;
                    }
                    assertAllocatesNothing(threads, Reducers.of(type, op), memory.address(), type + " " + op);
                    if (Reducers.hasVectorLoop(type, op.kind()))
                    {
                        assertTrue(VectorModule.load());
                        assertAllocatesNothing(threads,
                            VectorReducers.loop(type, op.kind(), PlainReducers.of(type, op.kind())), memory.address(),
                            "vectors of " + type + " " + op);
                    }
                }
            }
        }
    }

    /** Half of the loops, each of which takes the compilers some time: every type, and every operation. */
    private static boolean isInEveryBuild(final DataType type, final ReduceOp op)
    {
        return (List.of(DataType.values()).indexOf(type) + op.kind().ordinal()) % 2 == 0;
    }

    private static void assertAllocatesNothing(
        final ThreadMXBean threads, final Reducer reducer, final long address, final String name)
    {
        long allocated = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 200 && allocated >= CALLS; attempt++)
        {
            final long before = threads.getCurrentThreadAllocatedBytes();
            reduce(reducer, address);
            allocated = Math.min(allocated, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertTrue(allocated < CALLS, name + " allocated " + allocated + " bytes");
    }

    private static void reduce(final Reducer reducer, final long address)
    {
        for (int i = 0; i < CALLS; i++)
        {
            reducer.reduce(address, address + 16L * COUNT, address + 32L * COUNT, COUNT);
            reducer.reduceAndFinish(address, address + 16L * COUNT, address + 32L * COUNT, COUNT, 3);
        }
    }
}
