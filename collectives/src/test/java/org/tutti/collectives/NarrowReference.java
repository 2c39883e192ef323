/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

import java.util.Arrays;

/** Reference implementation of a narrow floating-point format: a table of all values and a search in it. */
public final class NarrowReference
{
    private final int mantissaBits;
    private final int bias;
    private final int magnitudeBits;
    private final boolean infinities;
    /** Values by code; the last is the one after the greatest finite value. */
    private final double[] values;

    private NarrowReference(final int exponentBits, final int mantissaBits, final int bias, final boolean infinities)
    {
        this.mantissaBits = mantissaBits;
        this.bias = bias;
        this.infinities = infinities;
        magnitudeBits = exponentBits + mantissaBits;
        final int afterGreatest = infinities ? ((1 << exponentBits) - 1) << mantissaBits : (1 << magnitudeBits) - 1;
        values = new double[afterGreatest + 1];
        Arrays.setAll(values, this::finite);
    }

    /**
     * Returns the reference of a type.
     *
     * @param type type of 16 or 8 bits.
     * @return a new reference.
     */
    public static NarrowReference of(final DataType type)
    {
        return switch (type.kind())
        {
            case FLOAT16 -> new NarrowReference(5, 10, 15, true);
            case BFLOAT16 -> new NarrowReference(8, 7, 127, true);
            case FLOAT8_E4M3 -> new NarrowReference(4, 3, 7, false);
            case FLOAT8_E5M2 -> new NarrowReference(5, 2, 15, true);
            default -> throw new IllegalArgumentException(type.toString());
        };
    }

    private double finite(final int code)
    {
        final int exponent = code >> mantissaBits;
        final double fraction = (code - (exponent << mantissaBits)) / (double)(1 << mantissaBits);
        return exponent == 0 ? fraction * Math.pow(2, 1 - bias) : (1 + fraction) * Math.pow(2, exponent - bias);
    }

    /**
     * Converts bits to a value.
     *
     * @param bits bits, of which as many low ones are used as the format has.
     * @return exact value.
     */
    public double decode(final int bits)
    {
        final boolean negative = (bits >> magnitudeBits & 1) == 1;
        final int code = bits & ((1 << magnitudeBits) - 1);
        final double value = code < values.length - 1 ? values[code] :
            infinities && code == values.length - 1 ? Double.POSITIVE_INFINITY : Double.NaN;
        return negative ? -value : value;
    }

    /**
     * Converts a value to the bits of the nearest value of the format, ties to even.
     *
     * @param value value of a {@code float}.
     * @return bits of the format, in the low bits of the result.
     */
    public int encode(final double value)
    {
        final int nan = infinities ? values.length - 1 | 1 << (mantissaBits - 1) : values.length - 1;
        if (Double.isNaN(value))
        {
            return nan;
        }
        int code = Arrays.binarySearch(values, Math.abs(value));
        if (code < 0)
        {
            final int above = -1 - code;
            if (above == values.length)
            {
                code = values.length - 1;
            }
            else
            {
                final double middle = (values[above - 1] + values[above]) / 2;
                final int nearest = Math.abs(value) < middle ? above - 1 : above;
                code = Math.abs(value) == middle ? above - above % 2 : nearest;
            }
        }
        if (code == values.length - 1 && !infinities)
        {
            return nan;
        }
        return Double.doubleToRawLongBits(value) < 0 ? code | 1 << magnitudeBits : code;
    }

    /**
     * Returns the midpoints between adjacent values.
     *
     * @return rounding boundaries, all exact {@code float}s.
     */
    public double[] middles()
    {
        final double[] middles = new double[values.length - 1];
        Arrays.setAll(middles, i -> (values[i] + values[i + 1]) / 2);
        return middles;
    }
}
