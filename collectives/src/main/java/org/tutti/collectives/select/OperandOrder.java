/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select;

import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.schedule.Algorithm;

/** The order in which a call requires its operands to be combined. */
public enum OperandOrder
{
    /** Any order, as long as all ranks get the same bits. */
    ANY("any order"),
    /** Rank order: operands come from consecutive ranks, the left one from the lower ranks. */
    RANKS("the operation is not commutative"),
    /** The order that all reproducible algorithms of the collective share. */
    FIXED("TUTTI_REPRODUCIBLE");

    private final String reason;

    OperandOrder(final String reason)
    {
        this.reason = reason;
    }

    /**
     * Returns the order that a call requires.
     *
     * @param type         type of the elements, or null.
     * @param op           operation of a reduction, or null.
     * @param reproducible whether the result must be bitwise the same whichever algorithm is used.
     * @return required order; {@link #ANY} if no order is required, which does not mean that all orders give the same
     *         bits.
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
            // User operators are often associative except for rounding.
            case USER -> true;
        };
        return reproducible && rounds ? FIXED : op.isCommutative() ? ANY : RANKS;
    }

    /**
     * Returns whether an algorithm combines operands in this order.
     *
     * @param algorithm algorithm of the call's collective.
     * @return true if the call may use the algorithm.
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
     * Returns why a call requires this order.
     *
     * @return reason, for messages.
     */
    public String reason()
    {
        return reason;
    }
}
