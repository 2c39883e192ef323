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
 * What a reduction does with two elements: docs/types.md says with which, and how it treats NaN, zero and overflow. All
 * are commutative but for those of users that say otherwise. Immutable; equal if all is equal.
 * <p>
 * MIN and MAX of floating-point types follow {@link Math#min(float, float)}: NaN wins, and -0.0 is less than 0.0.
 * AVG is the sum divided by the number of ranks; on integers the quotient is truncated toward zero.
 */
public final class ReduceOp
{
    /** Sum. */
    public static final ReduceOp SUM = new ReduceOp(Kind.SUM);
    /** Product. */
    public static final ReduceOp PROD = new ReduceOp(Kind.PROD);
    /** The smaller. */
    public static final ReduceOp MIN = new ReduceOp(Kind.MIN);
    /** The larger. */
    public static final ReduceOp MAX = new ReduceOp(Kind.MAX);
    /** The sum divided by the number of ranks. */
    public static final ReduceOp AVG = new ReduceOp(Kind.AVG);
    /** Bitwise and, of integers. */
    public static final ReduceOp BAND = new ReduceOp(Kind.BAND);
    /** Bitwise or, of integers. */
    public static final ReduceOp BOR = new ReduceOp(Kind.BOR);
    /** Bitwise exclusive or, of integers. */
    public static final ReduceOp BXOR = new ReduceOp(Kind.BXOR);
    /** 1 if both are other than 0, else 0; of integers. */
    public static final ReduceOp LAND = new ReduceOp(Kind.LAND);
    /** 1 if any is other than 0, else 0; of integers. */
    public static final ReduceOp LOR = new ReduceOp(Kind.LOR);
    /** 1 if just one is other than 0, else 0; of integers. */
    public static final ReduceOp LXOR = new ReduceOp(Kind.LXOR);
    /** The pair of the smaller value; of the smaller index where values are equal. */
    public static final ReduceOp MINLOC = new ReduceOp(Kind.MINLOC);
    /** The pair of the larger value; of the smaller index where values are equal. */
    public static final ReduceOp MAXLOC = new ReduceOp(Kind.MAXLOC);

    private static final double MOST_WHOLE = 0x1p53;
    private static final ReduceOp[] VALUES =
    {
        SUM, PROD, MIN, MAX, AVG, BAND, BOR, BXOR, LAND, LOR, LXOR, MINLOC, MAXLOC
    };

    private final Kind kind;
    private final String shortName;
    private final double scale;
    private final boolean commutative;
    private final Object function;

    /** Which operation: for {@code switch}. */
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
        /** {@link ReduceOp#ofSegments} and its kin. */
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
     * The sum of products: every rank's input is multiplied by the same number once, as an element of its type, and
     * then added up.
     *
     * @param scale the factor, rounded to the type. For integers a whole number, not below 0 for unsigned ones, from
     *              -2^53 to 2^53; the products wrap.
     * @return equal for equal bits of the scale.
     */
    public static ReduceOp premulSum(final double scale)
    {
        return new ReduceOp(Kind.PREMUL_SUM, "premul_sum(" + scale + ")", scale, true, null);
    }

    /**
     * An operation of the user's on floating-point numbers of any type, one after the other.
     *
     * @param name     name, the same on all ranks: 1 to 40 letters, digits, dots, dashes and underscores; not that of
     *                 an operation which is there.
     * @param function associative; its results are rounded to the type.
     * @return equal to one of the same name and function.
     */
    public static ReduceOp ofDoubles(final String name, final DoubleBinaryOperator function)
    {
        return user(name, function);
    }

    /**
     * An operation of the user's on integers of any type, one after the other.
     *
     * @param name     name, the same on all ranks: 1 to 40 letters, digits, dots, dashes and underscores; not that of
     *                 an operation which is there.
     * @param function associative; of its results as many low bits count as the type has. Unsigned operands of less
     *                 than 64 bits are not negative.
     * @return equal to one of the same name and function.
     */
    public static ReduceOp ofLongs(final String name, final LongBinaryOperator function)
    {
        return user(name, function);
    }

    /**
     * An operation of the user's on elements of any type, many at a time.
     *
     * @param name     name, the same on all ranks: 1 to 40 letters, digits, dots, dashes and underscores; not that of
     *                 an operation which is there.
     * @param function associative.
     * @return equal to one of the same name and function.
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
                throw new IllegalArgumentException("name=" + name + ": is that of an operation which is there; ranks " +
                    "agree on operations by name, so choose another one");
            }
        }
        return new ReduceOp(Kind.USER, Names.require(name, 40), 1, true, requireNonNull(function, "function"));
    }

    /**
     * The same operation of a user's, whose operands must not be exchanged: they are combined in the order of ranks.
     *
     * @return an operation that fewer algorithms can do.
     * @throws IllegalStateException if it is not a user's: the others are commutative.
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
     * The operations that have no parameters.
     *
     * @return a copy, in the order in which to show them.
     */
    public static ReduceOp[] values()
    {
        return VALUES.clone();
    }

    /**
     * The operation of a name.
     *
     * @param shortName short name, as {@link #shortName()}.
     * @return one of {@link #values()}.
     * @throws IllegalArgumentException if there is none, with the names there are.
     */
    public static ReduceOp named(final String shortName)
    {
        return Arrays.stream(VALUES).filter(op -> op.shortName.equals(shortName)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no operation \"" + shortName + "\": there are " +
                Arrays.stream(VALUES).map(ReduceOp::shortName).collect(Collectors.joining(", "))));
    }

    /**
     * Which operation it is.
     *
     * @return never null.
     */
    public Kind kind()
    {
        return kind;
    }

    /**
     * What every input is multiplied by.
     *
     * @return 1 but for PREMUL_SUM.
     */
    public double scale()
    {
        return scale;
    }

    /**
     * Whether operands may be exchanged.
     *
     * @return true unless a user says otherwise.
     */
    public boolean isCommutative()
    {
        return commutative;
    }

    /**
     * What a user gave.
     *
     * @return a {@link DoubleBinaryOperator}, {@link LongBinaryOperator} or {@link SegmentOperator}; null for
     *         operations that are not a user's.
     */
    public Object function()
    {
        return function;
    }

    /**
     * The name that benchmarks print, and by which ranks agree on the operation.
     *
     * @return lower case with all parameters; of users' operations the name that they gave.
     */
    public String shortName()
    {
        return shortName;
    }

    /**
     * Refuses a type on whose elements the operation is not defined.
     *
     * @param type type of elements.
     * @throws IllegalArgumentException saying on which it is.
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
        return scale == Math.rint(scale) && Math.abs(scale) <= MOST_WHOLE && (type.isSigned() || scale >= 0);
    }

    private String operands(final DataType type)
    {
        return switch (kind)
        {
            case SUM, PROD, MIN, MAX, AVG -> "integers and floating-point numbers";
            case BAND, BOR, BXOR, LAND, LOR, LXOR -> "integers";
            case MINLOC, MAXLOC -> "pairs of a value and an index, such as FLOAT32_INT32";
            case PREMUL_SUM -> type.isInteger() ?
                "a whole scale up to 2^53 on integers, and none below 0 on unsigned ones" :
                "integers and floating-point numbers";
            case USER -> function instanceof DoubleBinaryOperator ?
                "floating-point numbers; ReduceOp.ofSegments takes all" : "integers; ReduceOp.ofSegments takes all";
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
