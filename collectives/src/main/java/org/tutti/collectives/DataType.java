/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The type of the elements of a buffer, in native byte order. docs/types.md lists the operations that are defined on
 * each type. Immutable; compared by value.
 */
public final class DataType
{
    /** Two's complement, 8 bits; sums and products wrap. */
    public static final DataType INT8 = new DataType(Kind.INT8, 1, "int8");
    /** Unsigned, 8 bits; sums and products wrap. */
    public static final DataType UINT8 = new DataType(Kind.UINT8, 1, "uint8");
    /** Two's complement, 16 bits; sums and products wrap. */
    public static final DataType INT16 = new DataType(Kind.INT16, 2, "int16");
    /** Unsigned, 16 bits; sums and products wrap. */
    public static final DataType UINT16 = new DataType(Kind.UINT16, 2, "uint16");
    /** Two's complement, 32 bits; sums and products wrap. */
    public static final DataType INT32 = new DataType(Kind.INT32, 4, "int32");
    /** Unsigned, 32 bits; sums and products wrap. */
    public static final DataType UINT32 = new DataType(Kind.UINT32, 4, "uint32");
    /** Two's complement, 64 bits; sums and products wrap. */
    public static final DataType INT64 = new DataType(Kind.INT64, 8, "int64");
    /** Unsigned, 64 bits; sums and products wrap. */
    public static final DataType UINT64 = new DataType(Kind.UINT64, 8, "uint64");
    /** IEEE 754 binary16; each reduction is computed in {@code float} and rounded. */
    public static final DataType FLOAT16 = new DataType(Kind.FLOAT16, 2, "half");
    /** The upper half of a binary32; each reduction is computed in {@code float} and rounded. */
    public static final DataType BFLOAT16 = new DataType(Kind.BFLOAT16, 2, "bfloat16");
    /** OCP's 8-bit E4M3, without infinities; each reduction is computed in {@code float} and rounded. */
    public static final DataType FLOAT8_E4M3 = new DataType(Kind.FLOAT8_E4M3, 1, "fp8_e4m3");
    /** OCP's 8-bit E5M2; each reduction is computed in {@code float} and rounded. */
    public static final DataType FLOAT8_E5M2 = new DataType(Kind.FLOAT8_E5M2, 1, "fp8_e5m2");
    /** IEEE 754 binary32. */
    public static final DataType FLOAT32 = new DataType(Kind.FLOAT32, 4, "float");
    /** IEEE 754 binary64. */
    public static final DataType FLOAT64 = new DataType(Kind.FLOAT64, 8, "double");
    /** A binary32 followed by a 32-bit index, for MINLOC and MAXLOC. */
    public static final DataType FLOAT32_INT32 = new DataType(Kind.FLOAT32_INT32, 8, "float_int32");
    /** A binary64 followed by a 64-bit index, for MINLOC and MAXLOC. */
    public static final DataType FLOAT64_INT64 = new DataType(Kind.FLOAT64_INT64, 16, "double_int64");
    /** A 32-bit integer followed by a 32-bit index, for MINLOC and MAXLOC. */
    public static final DataType INT32_INT32 = new DataType(Kind.INT32_INT32, 8, "int32_int32");
    /** A 64-bit integer followed by a 64-bit index, for MINLOC and MAXLOC. */
    public static final DataType INT64_INT64 = new DataType(Kind.INT64_INT64, 16, "int64_int64");

    private static final int MAX_SIZE = 1 << 16;
    private static final DataType[] VALUES =
    {
        INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, FLOAT16, BFLOAT16, FLOAT8_E4M3, FLOAT8_E5M2,
        FLOAT32, FLOAT64, FLOAT32_INT32, FLOAT64_INT64, INT32_INT32, INT64_INT64
    };

    private final Kind kind;
    private final int size;
    private final String shortName;

    /** The interpretation of an element's bits, for {@code switch}. */
    public enum Kind
    {
        /** {@link DataType#INT8}. */
        INT8,
        /** {@link DataType#UINT8}. */
        UINT8,
        /** {@link DataType#INT16}. */
        INT16,
        /** {@link DataType#UINT16}. */
        UINT16,
        /** {@link DataType#INT32}. */
        INT32,
        /** {@link DataType#UINT32}. */
        UINT32,
        /** {@link DataType#INT64}. */
        INT64,
        /** {@link DataType#UINT64}. */
        UINT64,
        /** {@link DataType#FLOAT16}. */
        FLOAT16,
        /** {@link DataType#BFLOAT16}. */
        BFLOAT16,
        /** {@link DataType#FLOAT8_E4M3}. */
        FLOAT8_E4M3,
        /** {@link DataType#FLOAT8_E5M2}. */
        FLOAT8_E5M2,
        /** {@link DataType#FLOAT32}. */
        FLOAT32,
        /** {@link DataType#FLOAT64}. */
        FLOAT64,
        /** {@link DataType#FLOAT32_INT32}. */
        FLOAT32_INT32,
        /** {@link DataType#FLOAT64_INT64}. */
        FLOAT64_INT64,
        /** {@link DataType#INT32_INT32}. */
        INT32_INT32,
        /** {@link DataType#INT64_INT64}. */
        INT64_INT64,
        /** {@link DataType#opaque}: defined by the user. */
        OPAQUE
    }

    private DataType(final Kind kind, final int size, final String shortName)
    {
        this.kind = kind;
        this.size = size;
        this.shortName = shortName;
    }

    /**
     * Returns a user-defined type: elements of a fixed size, which only user-defined operations ({@link
     * ReduceOp#ofSegments}) can reduce. All ranks must use the same name and size.
     *
     * @param name name of 1 to 20 letters, digits, dots, dashes and underscores.
     * @param size size of an element in bytes, from 1 to 65536.
     * @return a type that equals others with the same name and size.
     * @throws IllegalArgumentException if the name or the size is invalid.
     */
    public static DataType opaque(final String name, final int size)
    {
        if (size < 1 || size > MAX_SIZE)
        {
            throw new IllegalArgumentException("size=" + size + ": must be from 1 to " + MAX_SIZE);
        }
        return new DataType(Kind.OPAQUE, size, Names.require(name, 20) + "[" + size + "]");
    }

    /**
     * Returns the built-in types.
     *
     * @return a copy, in display order.
     */
    public static DataType[] values()
    {
        return VALUES.clone();
    }

    /**
     * Finds a built-in type by name.
     *
     * @param shortName name as returned by {@link #shortName()}.
     * @return one of {@link #values()}.
     * @throws IllegalArgumentException if there is none; the message lists the names.
     */
    public static DataType named(final String shortName)
    {
        return Arrays.stream(VALUES).filter(type -> type.shortName.equals(shortName)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException("unknown type \"" + shortName + "\": must be one of " +
                Arrays.stream(VALUES).map(DataType::shortName).collect(Collectors.joining(", "))));
    }

    /**
     * Returns the interpretation of an element's bits.
     *
     * @return never null.
     */
    public Kind kind()
    {
        return kind;
    }

    /**
     * Returns the size of an element.
     *
     * @return size in bytes, from 1.
     */
    public int size()
    {
        return size;
    }

    /**
     * Returns the name that benchmarks print and by which ranks compare types.
     *
     * @return name; the one that nccl-tests uses, if nccl-tests supports the type.
     */
    public String shortName()
    {
        return shortName;
    }

    /**
     * Whether elements are integers.
     *
     * @return true for integer types, but not for pairs of integers.
     */
    public boolean isInteger()
    {
        return switch (kind)
        {
            case INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64 -> true;
            default -> false;
        };
    }

    /**
     * Whether elements are floating-point numbers.
     *
     * @return true for floating-point types, but not for pairs that contain a floating-point number.
     */
    public boolean isFloating()
    {
        return switch (kind)
        {
            case FLOAT16, BFLOAT16, FLOAT8_E4M3, FLOAT8_E5M2, FLOAT32, FLOAT64 -> true;
            default -> false;
        };
    }

    /**
     * Whether elements are pairs of a value and an index.
     *
     * @return true for the types of MINLOC and MAXLOC.
     */
    public boolean isPair()
    {
        return switch (kind)
        {
            case FLOAT32_INT32, FLOAT64_INT64, INT32_INT32, INT64_INT64 -> true;
            default -> false;
        };
    }

    /**
     * Whether elements are signed integers.
     *
     * @return false for all other types.
     */
    public boolean isSigned()
    {
        return switch (kind)
        {
            case INT8, INT16, INT32, INT64 -> true;
            default -> false;
        };
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof final DataType type &&
            kind == type.kind && size == type.size && shortName.equals(type.shortName);
    }

    @Override
    public int hashCode()
    {
        return shortName.hashCode();
    }

    @Override
    public String toString()
    {
        return kind == Kind.OPAQUE ? shortName : kind.name();
    }
}
