/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(120)
class WarmUpReducerTest
{
    private final BlockReducer plain = PlainReducers.of(DataType.FLOAT32, ReduceOp.Kind.SUM);

    @Test
    void shouldCreateVectorLoopOnlyWhenManyBytesWereReduced() throws InterruptedException
    {
        final AtomicBoolean isMade = new AtomicBoolean();
        final WarmUpReducer reducer = new WarmUpReducer(plain, () ->
        {
            isMade.set(true);
            return plain;
        });

        reduce(reducer, WarmUpReducer.START_BYTES);
        assertFalse(isMade.get());
        assertEquals(5, sum(reducer));
        while (!isMade.get())
        {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    @Test
    void shouldUsePlainLoopUntilVectorLoopIsFaster() throws InterruptedException
    {
        final CountDownLatch gate = new CountDownLatch(1);
        assertTrue(VectorModule.load());
        final BlockReducer vectors = VectorReducers.loop(DataType.FLOAT32, ReduceOp.Kind.SUM, plain);
        final WarmUpReducer reducer = new WarmUpReducer(plain, () ->
        {
            await(gate);
            return vectors;
        });

        reduce(reducer, WarmUpReducer.START_BYTES + 1);
        assertSame(plain, reducer.best());
        assertEquals(5, sum(reducer));

        gate.countDown();
        while (reducer.best() == plain)
        {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        assertSame(vectors, reducer.best());
        assertEquals(5, sum(reducer));
    }

    private static float sum(final Reducer reducer)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment memory = arena.allocateFrom(JAVA_FLOAT, 2, 3, 0);
            reducer.reduce(memory.address(), memory.address() + 4, memory.address() + 8, 1);
            return memory.getAtIndex(JAVA_FLOAT, 2);
        }
    }

    private static void reduce(final Reducer reducer, final long bytes)
    {
        final long length = 1 << 20;
        try (Arena arena = Arena.ofConfined())
        {
            final long address = arena.allocate(length, 64).address();
            for (long done = 0; done < bytes; done += length)
            {
                reducer.reduceAndFinish(address, address, address, length / Float.BYTES, 2);
            }
        }
    }

    private static void await(final CountDownLatch gate)
    {
        try
        {
            gate.await();
        }
        catch (final InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }
}
