/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.agreement;

import org.tutti.collectives.ReduceOp;

import java.util.Locale;

/** The operations that MPI has too. */
// ReduceOp is immutable but has no annotation that Error Prone knows.
@SuppressWarnings("ImmutableEnumChecker")
enum MpiOperation
{
    NONE(null),
    SUM(ReduceOp.SUM),
    PROD(ReduceOp.PROD),
    MIN(ReduceOp.MIN),
    MAX(ReduceOp.MAX),
    BAND(ReduceOp.BAND),
    BOR(ReduceOp.BOR),
    BXOR(ReduceOp.BXOR),
    LAND(ReduceOp.LAND),
    LOR(ReduceOp.LOR),
    LXOR(ReduceOp.LXOR),
    MINLOC(ReduceOp.MINLOC),
    MAXLOC(ReduceOp.MAXLOC);

    private final ReduceOp op;

    MpiOperation(final ReduceOp op)
    {
        this.op = op;
    }

    ReduceOp op()
    {
        return op;
    }

    boolean isLogical()
    {
        return this == LAND || this == LOR || this == LXOR;
    }

    boolean isFor(final Element type)
    {
        return switch (this)
        {
            case NONE -> false;
            case SUM, PROD, MIN, MAX -> !type.isPair();
            case BAND, BOR, BXOR, LAND, LOR, LXOR -> !type.isPair() && !type.isFloat();
            case MINLOC, MAXLOC -> type.isPair();
        };
    }

    /** Name in the C program. */
    String text()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
