/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Decodes every bit pattern and encodes around every rounding boundary. */
class NarrowFloatTest
{
    private static final int SAMPLE = 1 << 22;

    static Stream<DataType> types()
    {
        return Stream.of(DataType.FLOAT16, DataType.BFLOAT16, DataType.FLOAT8_E4M3, DataType.FLOAT8_E5M2);
    }

    @ParameterizedTest
    @MethodSource("types")
    void shouldDecodeAllBitPatterns(final DataType type)
    {
        final NarrowReference reference = NarrowReference.of(type);
        final NarrowFloat format = NarrowFloat.of(type);
        for (int bits = 0; bits < 1 << (type.size() * 8); bits++)
        {
            final double expected = reference.decode(bits);
            final float actual = format.decode(bits);
            assertEquals(
                Double.doubleToLongBits(expected), Double.doubleToLongBits(actual), Integer.toHexString(bits));
            if (!Float.isNaN(actual))
            {
                assertEquals(bits, format.encode(actual));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void shouldRoundToNearestTiesToEven(final DataType type)
    {
        final NarrowReference reference = NarrowReference.of(type);
        final NarrowFloat format = NarrowFloat.of(type);
        for (final double middle : reference.middles())
        {
            final float tie = (float)middle;
            assertEquals(middle, tie);
            for (final float value : new float[] {tie, Math.nextUp(tie), Math.nextDown(tie)})
            {
                check(reference, format, value);
                check(reference, format, -value);
            }
        }
        final long seed = System.nanoTime();
        System.out.println("seed " + seed);
        final Random random = new Random(seed);
        for (int i = 0; i < SAMPLE; i++)
        {
            check(reference, format, Float.intBitsToFloat(random.nextInt()));
        }
        for (final float value : new float[] {
            0.0f, -0.0f, Float.NaN, Float.intBitsToFloat(0xFFC0_1234), Float.MAX_VALUE, -Float.MAX_VALUE,
            Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.MIN_VALUE, -Float.MIN_VALUE, Float.MIN_NORMAL})
        {
            check(reference, format, value);
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    @EnabledIfSystemProperty(named = "tutti.test.exhaustive", matches = "true", disabledReason = "takes minutes")
    void shouldRoundAllFloats(final DataType type)
    {
        final NarrowReference reference = NarrowReference.of(type);
        final NarrowFloat format = NarrowFloat.of(type);
        LongStream.range(Integer.MIN_VALUE, 1L << 31).parallel()
            .forEach(bits -> check(reference, format, Float.intBitsToFloat((int)bits)));
    }

    @Test
    void shouldConvertFloat16AsTheJdkDoes()
    {
        for (int bits = 0; bits < 1 << 16; bits++)
        {
            final float expected = Float.float16ToFloat((short)bits);
            assertEquals(
                Float.floatToIntBits(expected), Float.floatToIntBits(NarrowFloat.FLOAT16.decode(bits)));
        }
        final long seed = System.nanoTime();
        System.out.println("seed " + seed);
        final Random random = new Random(seed);
        for (int i = 0; i < SAMPLE; i++)
        {
            final float value = Float.intBitsToFloat(random.nextInt());
            if (!Float.isNaN(value))
            {
                assertEquals(Float.floatToFloat16(value), (short)NarrowFloat.FLOAT16.encode(value));
            }
        }
    }

    @Test
    void shouldHaveTheLimitsOfTheOcpFormats()
    {
        assertEquals(448.0f, NarrowFloat.E4M3.decode(0x7E));
        assertEquals(0x1p-9f, NarrowFloat.E4M3.decode(1));
        assertTrue(Float.isNaN(NarrowFloat.E4M3.decode(0x7F)));
        assertTrue(Float.isNaN(NarrowFloat.E4M3.decode(0xFF)));
        assertEquals(0x7E, NarrowFloat.E4M3.encode(464.0f));
        assertEquals(0x7F, NarrowFloat.E4M3.encode(Math.nextUp(464.0f)));
        assertEquals(0x7F, NarrowFloat.E4M3.encode(Float.NEGATIVE_INFINITY));
        assertEquals(57344.0f, NarrowFloat.E5M2.decode(0x7B));
        assertEquals(0x1p-16f, NarrowFloat.E5M2.decode(1));
        assertEquals(Float.NEGATIVE_INFINITY, NarrowFloat.E5M2.decode(0xFC));
        assertEquals(0x7C, NarrowFloat.E5M2.encode(61440.0f));
        assertEquals(0x7B, NarrowFloat.E5M2.encode(Math.nextDown(61440.0f)));
    }

    private static void check(final NarrowReference reference, final NarrowFloat format, final float value)
    {
        final int expected = reference.encode(value);
        final int actual = format.encode(value);
        if (expected != actual)
        {
            assertEquals(Integer.toHexString(expected), Integer.toHexString(actual), Float.toHexString(value));
        }
    }
}
