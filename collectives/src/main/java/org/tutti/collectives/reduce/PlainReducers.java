/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

/** The reducers that need nothing but the language. */
final class PlainReducers
{
    private PlainReducers()
    {
    }

    static Reducer of(final DataType type, final ReduceOp op)
    {
        return switch (type)
        {
            case FLOAT32 -> FloatKernels.of(op);
            case FLOAT64 -> DoubleKernels.of(op);
            case INT32 -> IntKernels.of(op);
            case INT64 -> LongKernels.of(op);
        };
    }
}
