/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

/**
 * A floating-point format of 16 or 8 bits: sign, exponent and mantissa, from high to low bits. Every value converts to
 * {@code float} exactly; conversion from {@code float} rounds to nearest, ties to even. Immutable, thread-safe.
 * <p>
 * Formats: binary16 and bfloat16 as implemented by processors, and the two of OCP's <i>8-bit Floating Point
 * Specification (OFP8)</i>, revision 1.0, 2023. Overflow yields infinity, or NaN in E4M3, which has no infinities.
 */
public final class NarrowFloat
{
    /** IEEE 754 binary16: values up to 65504. */
    public static final NarrowFloat FLOAT16 = new NarrowFloat(5, 10, 15, true);
    /** The upper half of a {@code float}. */
    public static final NarrowFloat BFLOAT16 = new NarrowFloat(8, 7, 127, true);
    /** OFP8 E4M3: values up to 448, no infinities, one NaN of each sign. */
    public static final NarrowFloat E4M3 = new NarrowFloat(4, 3, 7, false);
    /** OFP8 E5M2: values up to 57344, with infinities. */
    public static final NarrowFloat E5M2 = new NarrowFloat(5, 2, 15, true);

    private static final int FLOAT_MANTISSA_BITS = 23;
    private static final int FLOAT_BIAS = 127;
    private static final int FLOAT_NAN_ABOVE = 0x7F80_0000;

    private final int mantissaBits;
    private final int bias;
    private final int magnitudeBits;
    private final int greatest;
    private final int nan;

    private NarrowFloat(final int exponentBits, final int mantissaBits, final int bias, final boolean infinities)
    {
        this.mantissaBits = mantissaBits;
        this.bias = bias;
        magnitudeBits = exponentBits + mantissaBits;
        final int ones = (1 << magnitudeBits) - 1;
        greatest = infinities ? ((ones >>> mantissaBits) << mantissaBits) - 1 : ones - 1;
        nan = infinities ? (greatest + 1) | (1 << (mantissaBits - 1)) : ones;
    }

    /**
     * Returns the format of a type.
     *
     * @param type type of elements.
     * @return never null.
     * @throws IllegalArgumentException if the type is not a floating-point type of 16 or 8 bits.
     */
    public static NarrowFloat of(final DataType type)
    {
        return switch (type.kind())
        {
            case FLOAT16 -> FLOAT16;
            case BFLOAT16 -> BFLOAT16;
            case FLOAT8_E4M3 -> E4M3;
            case FLOAT8_E5M2 -> E5M2;
            default -> throw new IllegalArgumentException(type + " is not a floating-point type of 16 or 8 bits");
        };
    }

    /**
     * Converts bits to a value.
     *
     * @param bits bits, of which the low 16 or 8 are used.
     * @return the exact value; {@link Float#NaN} for all NaNs.
     */
    public float decode(final int bits)
    {
        final int magnitude = bits & ((1 << magnitudeBits) - 1);
        final int sign = ((bits >>> magnitudeBits) & 1) << (Integer.SIZE - 1);
        if (magnitude > greatest)
        {
            return magnitude > greatest + 1 || nan == greatest + 1 ? Float.NaN :
                Float.intBitsToFloat(FLOAT_NAN_ABOVE | sign);
        }
        final int shifted = magnitude << (FLOAT_MANTISSA_BITS - mantissaBits);
        if (magnitude >>> mantissaBits == 0)
        {
            // Subnormal: adding and subtracting the least normal number normalizes it.
            final int least = (FLOAT_BIAS - bias + 1) << FLOAT_MANTISSA_BITS;
            final float value = Float.intBitsToFloat(shifted + least) - Float.intBitsToFloat(least);
            return Float.intBitsToFloat(Float.floatToRawIntBits(value) | sign);
        }
        return Float.intBitsToFloat((shifted + ((FLOAT_BIAS - bias) << FLOAT_MANTISSA_BITS)) | sign);
    }

    /**
     * Converts a value to the bits of the nearest value of the format.
     *
     * @param value any value.
     * @return bits in the low 16 or 8, zeros above; the same for all NaNs.
     */
    public int encode(final float value)
    {
        final int bits = Float.floatToRawIntBits(value);
        final int magnitude = bits & Integer.MAX_VALUE;
        if (magnitude > FLOAT_NAN_ABOVE)
        {
            return nan;
        }
        final int shift = FLOAT_MANTISSA_BITS - mantissaBits;
        final int code;
        if (magnitude < (FLOAT_BIAS - bias + 1) << FLOAT_MANTISSA_BITS)
        {
            // Subnormal result: the anchor's unit in the last place is the format's least number, so the addition
            // rounds to a multiple of that number.
            final int anchor = (FLOAT_BIAS - bias + 1 + shift) << FLOAT_MANTISSA_BITS;
            code = Float.floatToRawIntBits(Float.intBitsToFloat(magnitude) + Float.intBitsToFloat(anchor)) - anchor;
        }
        else
        {
            final int odd = (magnitude >>> shift) & 1;
            final int rounded = magnitude + (1 << (shift - 1)) - 1 + odd -
                ((FLOAT_BIAS - bias) << FLOAT_MANTISSA_BITS);
            code = Math.min(rounded >>> shift, greatest + 1);
        }
        return code == nan ? nan : code | (bits >>> (Integer.SIZE - 1)) << magnitudeBits;
    }

    /**
     * Returns the number of mantissa bits, without the implicit leading one.
     *
     * @return number of bits, at least 2.
     */
    public int mantissaBits()
    {
        return mantissaBits;
    }

    /**
     * Returns the exponent bias.
     *
     * @return bias, such as 15 for binary16.
     */
    public int bias()
    {
        return bias;
    }

    /**
     * Returns the number of bits below the sign.
     *
     * @return 15 or 7.
     */
    public int magnitudeBits()
    {
        return magnitudeBits;
    }

    /**
     * Returns the bits of the greatest finite number.
     *
     * @return bits; greater bit patterns are infinity, if the format has infinities, and NaNs.
     */
    public int greatest()
    {
        return greatest;
    }

    /**
     * Returns the bits of the NaN that {@link #encode} produces.
     *
     * @return bits without sign.
     */
    public int nan()
    {
        return nan;
    }
}
