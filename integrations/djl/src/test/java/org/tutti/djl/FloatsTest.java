/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.djl;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.collectives.NarrowFloat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class FloatsTest
{
    private static final int COUNT = 67;

    @ParameterizedTest
    @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY})
    void shouldFindValueThatIsNotFinite(final float value)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment floats = arena.allocate(COUNT * Float.BYTES, Float.BYTES);
            Floats.fill(floats, 0, COUNT, -Float.MAX_VALUE);
            assertTrue(Floats.areFinite(floats, 0, COUNT));
            for (int i = 0; i < COUNT; i++)
            {
                Floats.fill(floats, i, 1, value);
                assertFalse(Floats.areFinite(floats, 0, COUNT));
                assertFalse(Floats.areFinite(floats, i, 1));
                assertTrue(Floats.areFinite(floats, 0, i));
                assertTrue(Floats.areFinite(floats, i + 1, COUNT - i - 1));
                Floats.fill(floats, i, 1, 0);
            }
        }
    }

    @Test
    void shouldScaleOnlyTheGivenValues()
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment floats = arena.allocate(COUNT * Float.BYTES, Float.BYTES);
            Floats.fill(floats, 0, COUNT, 3);
            Floats.scale(floats, 2, COUNT - 4, 0.5f);
            for (int i = 0; i < COUNT; i++)
            {
                assertEquals(i < 2 || i >= COUNT - 2 ? 3 : 1.5f, floats.getAtIndex(ValueLayout.JAVA_FLOAT, i));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(floats = {1, 0.5f})
    void shouldMultiplyValuesThatAreCopied(final float factor)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment from = arena.allocate(COUNT * Float.BYTES, Float.BYTES);
            final MemorySegment to = arena.allocate(COUNT * Float.BYTES, Float.BYTES);
            for (int i = 0; i < COUNT; i++)
            {
                from.setAtIndex(ValueLayout.JAVA_FLOAT, i, i + 1);
            }
            Floats.copy(from, 3, to, 5, COUNT - 9, factor);
            for (int i = 0; i < COUNT; i++)
            {
                final float expected = i < 5 || i >= COUNT - 4 ? 0 : factor * (i - 1);
                assertEquals(expected, to.getAtIndex(ValueLayout.JAVA_FLOAT, i));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"BFLOAT16", "FLOAT16"})
    void shouldRoundAsTuttiDoes(final WireType wire)
    {
        final int count = 100_000;
        final long seed = 3;
        System.out.println("seed " + seed);
        final SplittableRandom random = new SplittableRandom(seed);
        final NarrowFloat format = NarrowFloat.of(wire.type());
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment floats = arena.allocate(count * Float.BYTES, Float.BYTES);
            final MemorySegment narrow = arena.allocate(count * Short.BYTES, Short.BYTES);
            final MemorySegment widened = arena.allocate(count * Float.BYTES, Float.BYTES);
            for (int i = 0; i < count; i++)
            {
                floats.setAtIndex(ValueLayout.JAVA_INT, i, random.nextInt());
            }
            Floats.encode(wire, floats, narrow, count);
            Floats.decode(wire, narrow, 0, widened, count);
            for (int i = 0; i < count; i++)
            {
                final float expected = format.decode(format.encode(floats.getAtIndex(ValueLayout.JAVA_FLOAT, i)));
                assertEquals(expected, widened.getAtIndex(ValueLayout.JAVA_FLOAT, i));
            }
        }
    }
}
