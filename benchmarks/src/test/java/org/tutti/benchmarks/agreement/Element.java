/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.agreement;

import org.tutti.collectives.DataType;

import java.lang.foreign.MemorySegment;
import java.util.Locale;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

/** The types that MPI has too, and the mapping of random bits to their values, as in {@code peers/mpi_values.h}. */
// DataType is immutable but has no annotation that Error Prone knows.
@SuppressWarnings("ImmutableEnumChecker")
enum Element
{
    INT8(DataType.INT8),
    UINT8(DataType.UINT8),
    INT16(DataType.INT16),
    UINT16(DataType.UINT16),
    INT32(DataType.INT32),
    UINT32(DataType.UINT32),
    INT64(DataType.INT64),
    UINT64(DataType.UINT64),
    FLOAT32(DataType.FLOAT32),
    FLOAT64(DataType.FLOAT64),
    INT32_INT32(DataType.INT32_INT32),
    /** MPI's index has 32 bits followed by padding. */
    INT64_INT32(DataType.INT64_INT64),
    FLOAT32_INT32(DataType.FLOAT32_INT32),
    /** As {@link #INT64_INT32}. */
    FLOAT64_INT32(DataType.FLOAT64_INT64);

    /** Few enough values of pairs that some are equal. */
    private static final int PAIR_VALUES = 5;
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private final DataType type;
    private final int size;

    Element(final DataType type)
    {
        this.type = type;
        size = type.size();
    }

    DataType type()
    {
        return type;
    }

    int size()
    {
        return size;
    }

    boolean isFloat()
    {
        return this == FLOAT32 || this == FLOAT64;
    }

    boolean isUnsigned()
    {
        return type.isInteger() && !type.isSigned();
    }

    boolean isPair()
    {
        return type.isPair();
    }

    /** Name in the C program. */
    String text()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Unit roundoff of a float. */
    double unit()
    {
        return this == FLOAT32 ? 0x1p-24 : 0x1p-53;
    }

    /** Writes an element of a rank's input. */
    void put(final MemorySegment memory, final long index, final AgreementCase of, final int rank)
    {
        final long z = bits(of.seed(), rank, index);
        final long number = of.op().isLogical() ? z & 1 : z;
        final long offset = index * size;
        switch (this)
        {
            case INT8, UINT8 -> memory.set(JAVA_BYTE, offset, (byte)number);
            case INT16, UINT16 -> memory.set(JAVA_SHORT_UNALIGNED, offset, (short)number);
            case INT32, UINT32 -> memory.set(JAVA_INT_UNALIGNED, offset, (int)number);
            case INT64, UINT64 -> memory.set(JAVA_LONG_UNALIGNED, offset, number);
            case FLOAT32 -> memory.set(JAVA_FLOAT_UNALIGNED, offset, (float)real(z, of.op()));
            case FLOAT64 -> memory.set(JAVA_DOUBLE_UNALIGNED, offset, real(z, of.op()));
            case INT32_INT32, INT64_INT32, FLOAT32_INT32, FLOAT64_INT32 ->
                putPair(memory, offset, (int)Long.remainderUnsigned(z, PAIR_VALUES), rank);
        }
    }

    private void putPair(final MemorySegment memory, final long offset, final int value, final int index)
    {
        switch (this)
        {
            case INT32_INT32 -> memory.set(JAVA_INT_UNALIGNED, offset, value);
            case INT64_INT32 -> memory.set(JAVA_LONG_UNALIGNED, offset, value);
            case FLOAT32_INT32 -> memory.set(JAVA_FLOAT_UNALIGNED, offset, value);
            case FLOAT64_INT32 -> memory.set(JAVA_DOUBLE_UNALIGNED, offset, value);
            default -> throw new IllegalStateException(text());
        }
        if (size == 2 * Long.BYTES)
        {
            memory.set(JAVA_LONG_UNALIGNED, offset + Long.BYTES, index);
        }
        else
        {
            memory.set(JAVA_INT_UNALIGNED, offset + Integer.BYTES, index);
        }
    }

    /** Clears the padding of pairs, which MPI leaves undefined. */
    void clearPadding(final MemorySegment memory)
    {
        if (this == INT64_INT32 || this == FLOAT64_INT32)
        {
            for (long end = size; end <= memory.byteSize(); end += size)
            {
                memory.set(JAVA_INT_UNALIGNED, end - Integer.BYTES, 0);
            }
        }
    }

    /** Value of a floating-point element. */
    double get(final MemorySegment memory, final long index)
    {
        return this == FLOAT32 ? memory.get(JAVA_FLOAT_UNALIGNED, index * size) :
            memory.get(JAVA_DOUBLE_UNALIGNED, index * size);
    }

    /** Value of a floating-point element of a rank's input. */
    static double input(final AgreementCase of, final int rank, final long index)
    {
        return real(bits(of.seed(), rank, index), of.op());
    }

    /** SplitMix64: Steele, Lea, Flood, OOPSLA 2014, doi:10.1145/2660193.2660195. */
    private static long bits(final long seed, final int rank, final long index)
    {
        long z = seed + GOLDEN * (((long)rank << 32) + index + 1);
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    private static double real(final long z, final MpiOperation op)
    {
        final double fraction = (z >>> 41) * 0x1p-23;
        final double sign = (z & 1) == 0 ? 1 : -1;
        return op == MpiOperation.PROD ? sign * (1 + fraction) * ((z & 2) == 0 ? 0.5 : 1) : sign * fraction;
    }
}
