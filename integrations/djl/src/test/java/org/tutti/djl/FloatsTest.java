/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.djl;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tutti.collectives.NarrowFloat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

import static org.junit.jupiter.api.Assertions.assertEquals;

class FloatsTest
{
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
