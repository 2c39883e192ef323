/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.stream.Collectors;

import static java.util.Objects.requireNonNull;

/**
 * A reduction operation on two elements. docs/types.md lists the types of each operation and how it treats NaN, zero
 * and overflow. All operations are commutative, except user-defined ones declared otherwise. Immutable; compared by
 * value.
 * <p>
 * MIN and MAX of floating-point types follow {@link Math#min(float, float)}: the result is NaN if an operand is NaN,
 * and -0.0 is less than 0.0. AVG is the sum divided by the number of ranks; on integers the quotient is truncated
 * toward zero.
 */
public final class ReduceOp
{
    /** Sum. */
    public static final ReduceOp SUM = new ReduceOp(Kind.SUM);
    /** Product. */
    public static final ReduceOp PROD = new ReduceOp(Kind.PROD);
    /** Minimum. */
    public static final ReduceOp MIN = new ReduceOp(Kind.MIN);
    /** Maximum. */
    public static final ReduceOp MAX = new ReduceOp(Kind.MAX);
    /** The sum divided by the number of ranks. */
    public static final ReduceOp AVG = new ReduceOp(Kind.AVG);
    /** Bitwise AND of integers. */
    public static final ReduceOp BAND = new ReduceOp(Kind.BAND);
    /** Bitwise OR of integers. */
    public static final ReduceOp BOR = new ReduceOp(Kind.BOR);
    /** Bitwise XOR of integers. */
    public static final ReduceOp BXOR = new ReduceOp(Kind.BXOR);
    /** Logical AND of integers: 1 if both are nonzero, else 0. */
    public static final ReduceOp LAND = new ReduceOp(Kind.LAND);
    /** Logical OR of integers: 1 if either is nonzero, else 0. */
    public static final ReduceOp LOR = new ReduceOp(Kind.LOR);
    /** Logical XOR of integers: 1 if exactly one is nonzero, else 0. */
    public static final ReduceOp LXOR = new ReduceOp(Kind.LXOR);
    /** The pair with the smaller value; of equal values, the pair with the smaller index. */
    public static final ReduceOp MINLOC = new ReduceOp(Kind.MINLOC);
    /** The pair with the larger value; of equal values, the pair with the smaller index. */
    public static final ReduceOp MAXLOC = new ReduceOp(Kind.MAXLOC);

    private static final double MAX_INTEGRAL_SCALE = 0x1p53;
    private static final ReduceOp[] VALUES =
    {
        SUM, PROD, MIN, MAX, AVG, BAND, BOR, BXOR, LAND, LOR, LXOR, MINLOC, MAXLOC
    };

    private final Kind kind;
    private final String shortName;
    private final double scale;
    private final boolean commutative;
    private final Object function;

    /** The kind of operation, for {@code switch}. */
    public enum Kind
    {
        /** {@link ReduceOp#SUM}. */
        SUM,
        /** {@link ReduceOp#PROD}. */
        PROD,
        /** {@link ReduceOp#MIN}. */
        MIN,
        /** {@link ReduceOp#MAX}. */
        MAX,
        /** {@link ReduceOp#AVG}. */
        AVG,
        /** {@link ReduceOp#BAND}. */
        BAND,
        /** {@link ReduceOp#BOR}. */
        BOR,
        /** {@link ReduceOp#BXOR}. */
        BXOR,
        /** {@link ReduceOp#LAND}. */
        LAND,
        /** {@link ReduceOp#LOR}. */
        LOR,
        /** {@link ReduceOp#LXOR}. */
        LXOR,
        /** {@link ReduceOp#MINLOC}. */
        MINLOC,
        /** {@link ReduceOp#MAXLOC}. */
        MAXLOC,
        /** {@link ReduceOp#premulSum}. */
        PREMUL_SUM,
        /**
         * A user-defined operation: {@link ReduceOp#ofSegments}, {@link ReduceOp#ofDoubles} or {@link
         * ReduceOp#ofLongs}.
         */
        USER
    }

    private ReduceOp(final Kind kind)
    {
        this(kind, kind.name().toLowerCase(Locale.ROOT), 1, true, null);
    }

    private ReduceOp(
        final Kind kind, final String shortName, final double scale, final boolean commutative, final Object function)
    {
        this.kind = kind;
        this.shortName = shortName;
        this.scale = scale;
        this.commutative = commutative;
        this.function = function;
    }

    /**
     * Returns an operation that multiplies each rank's input once by a factor, and then sums the products. The products
     * have the type of the elements.
     *
     * @param scale factor, rounded to the type. For integers an integral value from -2^53 to 2^53, not negative for
     *              unsigned types; products wrap.
     * @return an operation that equals others with the same bits of the factor.
     */
    public static ReduceOp premulSum(final double scale)
    {
        return new ReduceOp(Kind.PREMUL_SUM, "premul_sum(" + scale + ")", scale, true, null);
    }

    /**
     * Returns a user-defined operation on single elements of any floating-point type.
     *
     * @param name     name, the same on all ranks: 1 to 40 letters, digits, dots, dashes and underscores; not that of a
     *                 built-in operation.
     * @param function associative function, whose results are rounded to the type.
     * @return an operation that equals others with the same name and function.
     */
    public static ReduceOp ofDoubles(final String name, final DoubleBinaryOperator function)
    {
        return user(name, function);
    }

    /**
     * Returns a user-defined operation on single elements of any integer type.
     *
     * @param name     name, the same on all ranks: 1 to 40 letters, digits, dots, dashes and underscores; not that of a
     *                 built-in operation.
     * @param function associative function, whose results are truncated to the low bits of the type. Operands of
     *                 unsigned types narrower than 64 bits are zero-extended.
     * @return an operation that equals others with the same name and function.
     */
    public static ReduceOp ofLongs(final String name, final LongBinaryOperator function)
    {
        return user(name, function);
    }

    /**
     * Returns a user-defined operation that combines many elements of any type per call.
     *
     * @param name     name, the same on all ranks: 1 to 40 letters, digits, dots, dashes and underscores; not that of a
     *                 built-in operation.
     * @param function associative operator.
     * @return an operation that equals others with the same name and function.
     */
    public static ReduceOp ofSegments(final String name, final SegmentOperator function)
    {
        return user(name, function);
    }

    private static ReduceOp user(final String name, final Object function)
    {
        for (final ReduceOp op : VALUES)
        {
            if (op.shortName.equals(name))
            {
                throw new IllegalArgumentException("name=" + name + ": is the name of a built-in operation; ranks " +
                    "compare operations by name, so choose another name");
            }
        }
        return new ReduceOp(Kind.USER, Names.require(name, 40), 1, true, requireNonNull(function, "function"));
    }

    /**
     * Returns the same user-defined operation declared non-commutative: operands are combined in rank order.
     *
     * @return the non-commutative operation, which fewer algorithms support.
     * @throws IllegalStateException if the operation is built-in and therefore commutative.
     */
    public ReduceOp nonCommutative()
    {
        if (kind != Kind.USER)
        {
            throw new IllegalStateException(shortName + " is commutative");
        }
        return new ReduceOp(kind, shortName, scale, false, function);
    }

    /**
     * Returns the built-in operations without parameters.
     *
     * @return a copy, in display order.
     */
    public static ReduceOp[] values()
    {
        return VALUES.clone();
    }

    /**
     * Finds a built-in operation by name.
     *
     * @param shortName name as returned by {@link #shortName()}.
     * @return one of {@link #values()}.
     * @throws IllegalArgumentException if there is none; the message lists the names.
     */
    public static ReduceOp named(final String shortName)
    {
        return Arrays.stream(VALUES).filter(op -> op.shortName.equals(shortName)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException("unknown operation \"" + shortName + "\": must be one of " +
                Arrays.stream(VALUES).map(ReduceOp::shortName).collect(Collectors.joining(", "))));
    }

    /**
     * Returns the kind of operation.
     *
     * @return never null.
     */
    public Kind kind()
    {
        return kind;
    }

    /**
     * Returns the factor by which every input is multiplied.
     *
     * @return 1, except for PREMUL_SUM.
     */
    public double scale()
    {
        return scale;
    }

    /**
     * Whether operands may be exchanged.
     *
     * @return false only for operations of {@link #nonCommutative()}.
     */
    public boolean isCommutative()
    {
        return commutative;
    }

    /**
     * Returns the user's function.
     *
     * @return a {@link DoubleBinaryOperator}, {@link LongBinaryOperator} or {@link SegmentOperator}; null for built-in
     *         operations.
     */
    public Object function()
    {
        return function;
    }

    /**
     * Returns the name that benchmarks print and by which ranks compare operations.
     *
     * @return name in lower case with all parameters; for a user-defined operation, the name that the user gave.
     */
    public String shortName()
    {
        return shortName;
    }

    /**
     * Throws if the operation is not defined on a type.
     *
     * @param type type of elements.
     * @throws IllegalArgumentException if it is not; the message lists the types that are allowed.
     */
    public void requireDefinedOn(final DataType type)
    {
        final boolean defined = switch (kind)
        {
            case SUM, PROD, MIN, MAX, AVG -> type.isInteger() || type.isFloating();
            case BAND, BOR, BXOR, LAND, LOR, LXOR -> type.isInteger();
            case MINLOC, MAXLOC -> type.isPair();
            case PREMUL_SUM -> type.isFloating() || (type.isInteger() && isFactorOf(type));
            case USER -> function instanceof SegmentOperator ||
                (function instanceof DoubleBinaryOperator ? type.isFloating() : type.isInteger());
        };
        if (!defined)
        {
            throw new IllegalArgumentException(
                "op=" + shortName + " is not defined on " + type + ": it takes " + operands(type));
        }
    }

    private boolean isFactorOf(final DataType type)
    {
        return scale == Math.rint(scale) && Math.abs(scale) <= MAX_INTEGRAL_SCALE && (type.isSigned() || scale >= 0);
    }

    private String operands(final DataType type)
    {
        return switch (kind)
        {
            case SUM, PROD, MIN, MAX, AVG -> "integers and floating-point numbers";
            case BAND, BOR, BXOR, LAND, LOR, LXOR -> "integers";
            case MINLOC, MAXLOC -> "pairs of a value and an index, such as FLOAT32_INT32";
            case PREMUL_SUM -> type.isInteger() ?
                "an integral scale up to 2^53 on integers, not negative on unsigned ones" :
                "integers and floating-point numbers";
            case USER -> function instanceof DoubleBinaryOperator ?
                "floating-point numbers; ReduceOp.ofSegments takes all types" :
                "integers; ReduceOp.ofSegments takes all types";
        };
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof final ReduceOp op && kind == op.kind &&
            commutative == op.commutative && shortName.equals(op.shortName) && Objects.equals(function, op.function);
    }

    @Override
    public int hashCode()
    {
        return shortName.hashCode();
    }

    @Override
    public String toString()
    {
        return shortName;
    }
}
