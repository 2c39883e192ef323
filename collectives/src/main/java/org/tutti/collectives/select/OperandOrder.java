/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select;

import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.schedule.Algorithm;

/** In which order a call wants operands to be combined. */
public enum OperandOrder
{
    /** Any, the same on all ranks. */
    ANY("any order will do"),
    /** What is combined comes from ranks that follow one another, the left operand from the lower ones. */
    RANKS("the operation is not commutative"),
    /** That which all reproducible algorithms of the collective have. */
    FIXED("TUTTI_REPRODUCIBLE");

    private final String reason;

    OperandOrder(final String reason)
    {
        this.reason = reason;
    }

    /**
     * The order that a call needs.
     *
     * @param type         type of the elements, or null.
     * @param op           operation of a reduction, or null.
     * @param reproducible whether results must have the same bits whatever the algorithm.
     * @return any, if the result is the same in every order.
     */
    public static OperandOrder of(final DataType type, final ReduceOp op, final boolean reproducible)
    {
        if (op == null)
        {
            return ANY;
        }
        final boolean rounds = switch (op.kind())
        {
            case SUM, PROD, AVG, PREMUL_SUM -> type.isFloating();
            case MIN, MAX, BAND, BOR, BXOR, LAND, LOR, LXOR, MINLOC, MAXLOC -> false;
            // Users often call associative what is so but for rounding.
            case USER -> true;
        };
        return reproducible && rounds ? FIXED : op.isCommutative() ? ANY : RANKS;
    }

    /**
     * Whether an algorithm combines operands in this order.
     *
     * @param algorithm algorithm of the call's collective.
     * @return whether the call may get it.
     */
    public boolean isKeptBy(final Algorithm algorithm)
    {
        return switch (this)
        {
            case ANY -> true;
            case RANKS -> algorithm.keepsRankOrder();
            case FIXED -> algorithm.isReproducible();
        };
    }

    /**
     * Why a call needs it.
     *
     * @return for people.
     */
    public String reason()
    {
        return reason;
    }
}
