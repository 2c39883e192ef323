/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

/** Reads and writes single elements of buffers, including types that Java does not have. Offsets are in bytes. */
public final class Elements
{
    private Elements()
    {
    }

    /**
     * Reads a floating-point number.
     *
     * @param type    type for which {@link DataType#isFloating} is true.
     * @param segment segment to read.
     * @param offset  offset in the segment, in bytes.
     * @return the exact value.
     * @throws IllegalArgumentException if the type is not a floating-point type.
     */
    public static double getDouble(final DataType type, final MemorySegment segment, final long offset)
    {
        return switch (type.kind())
        {
            case FLOAT64 -> segment.get(JAVA_DOUBLE_UNALIGNED, offset);
            case FLOAT32 -> segment.get(JAVA_FLOAT_UNALIGNED, offset);
            case FLOAT16, BFLOAT16 -> NarrowFloat.of(type).decode(segment.get(JAVA_SHORT_UNALIGNED, offset));
            case FLOAT8_E4M3, FLOAT8_E5M2 -> NarrowFloat.of(type).decode(segment.get(JAVA_BYTE, offset));
            default -> throw new IllegalArgumentException(type + " is not a floating-point type");
        };
    }

    /**
     * Writes a floating-point number.
     *
     * @param type    type for which {@link DataType#isFloating} is true.
     * @param segment segment to write.
     * @param offset  offset in the segment, in bytes.
     * @param value   value, rounded to {@code float} for all types but FLOAT64, and then to the type.
     * @throws IllegalArgumentException if the type is not a floating-point type.
     */
    public static void setDouble(
        final DataType type, final MemorySegment segment, final long offset, final double value)
    {
        switch (type.kind())
        {
            case FLOAT64 -> segment.set(JAVA_DOUBLE_UNALIGNED, offset, value);
            case FLOAT32 -> segment.set(JAVA_FLOAT_UNALIGNED, offset, (float)value);
            case FLOAT16, BFLOAT16 ->
                segment.set(JAVA_SHORT_UNALIGNED, offset, (short)NarrowFloat.of(type).encode((float)value));
            case FLOAT8_E4M3, FLOAT8_E5M2 ->
                segment.set(JAVA_BYTE, offset, (byte)NarrowFloat.of(type).encode((float)value));
            default -> throw new IllegalArgumentException(type + " is not a floating-point type");
        }
    }

    /**
     * Reads an integer.
     *
     * @param type    type for which {@link DataType#isInteger} is true.
     * @param segment segment to read.
     * @param offset  offset in the segment, in bytes.
     * @return the value; for UINT64, its bits.
     * @throws IllegalArgumentException if the type is not an integer type.
     */
    public static long getLong(final DataType type, final MemorySegment segment, final long offset)
    {
        return switch (type.kind())
        {
            case INT8 -> segment.get(JAVA_BYTE, offset);
            case UINT8 -> Byte.toUnsignedLong(segment.get(JAVA_BYTE, offset));
            case INT16 -> segment.get(JAVA_SHORT_UNALIGNED, offset);
            case UINT16 -> Short.toUnsignedLong(segment.get(JAVA_SHORT_UNALIGNED, offset));
            case INT32 -> segment.get(JAVA_INT_UNALIGNED, offset);
            case UINT32 -> Integer.toUnsignedLong(segment.get(JAVA_INT_UNALIGNED, offset));
            case INT64, UINT64 -> segment.get(JAVA_LONG_UNALIGNED, offset);
            default -> throw new IllegalArgumentException(type + " is not an integer type");
        };
    }

    /**
     * Writes an integer.
     *
     * @param type    type for which {@link DataType#isInteger} is true.
     * @param segment segment to write.
     * @param offset  offset in the segment, in bytes.
     * @param value   value; only as many of its low bits as the type has are written.
     * @throws IllegalArgumentException if the type is not an integer type.
     */
    public static void setLong(final DataType type, final MemorySegment segment, final long offset, final long value)
    {
        switch (type.kind())
        {
            case INT8, UINT8 -> segment.set(JAVA_BYTE, offset, (byte)value);
            case INT16, UINT16 -> segment.set(JAVA_SHORT_UNALIGNED, offset, (short)value);
            case INT32, UINT32 -> segment.set(JAVA_INT_UNALIGNED, offset, (int)value);
            case INT64, UINT64 -> segment.set(JAVA_LONG_UNALIGNED, offset, value);
            default -> throw new IllegalArgumentException(type + " is not an integer type");
        }
    }
}
