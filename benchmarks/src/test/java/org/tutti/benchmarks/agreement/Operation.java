/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.agreement;

import org.tutti.collectives.ReduceOp;

import java.util.Locale;

/** The operations that MPI has too. */
enum Operation
{
    NONE(null),
    SUM(ReduceOp.SUM),
    PROD(ReduceOp.PROD),
    MIN(ReduceOp.MIN),
    MAX(ReduceOp.MAX);

    private final ReduceOp op;

    Operation(final ReduceOp op)
    {
        this.op = op;
    }

    ReduceOp op()
    {
        return op;
    }

    /** How the program in C calls it. */
    String text()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
