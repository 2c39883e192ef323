/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

import java.lang.foreign.ValueLayout;

/** The type of the elements of a buffer, in native byte order. */
public enum DataType
{
    /** IEEE 754 binary32. */
    FLOAT32(Float.BYTES, "float"),
    /** IEEE 754 binary64. */
    FLOAT64(Double.BYTES, "double"),
    /** Two's complement, 32 bits; sums and products wrap. */
    INT32(Integer.BYTES, "int32"),
    /** Two's complement, 64 bits; sums and products wrap. */
    INT64(Long.BYTES, "int64");

    private final int size;
    private final String shortName;

    DataType(final int size, final String shortName)
    {
        this.size = size;
        this.shortName = shortName;
    }

    /**
     * The size of an element.
     *
     * @return in bytes.
     */
    public int size()
    {
        return size;
    }

    /**
     * How an element lies in memory.
     *
     * @return the layout to read and write segments with; no alignment is asked for.
     */
    public ValueLayout layout()
    {
        return switch (this)
        {
            case FLOAT32 -> ValueLayout.JAVA_FLOAT_UNALIGNED;
            case FLOAT64 -> ValueLayout.JAVA_DOUBLE_UNALIGNED;
            case INT32 -> ValueLayout.JAVA_INT_UNALIGNED;
            case INT64 -> ValueLayout.JAVA_LONG_UNALIGNED;
        };
    }

    /**
     * The name that benchmarks print.
     *
     * @return as nccl-tests spells it.
     */
    public String shortName()
    {
        return shortName;
    }
}
