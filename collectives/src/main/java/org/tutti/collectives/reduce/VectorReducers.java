/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

/** The reducers that need the module {@code jdk.incubator.vector}; this class must not be linked without it. */
final class VectorReducers
{
    private VectorReducers()
    {
    }

    static Reducer of(final DataType type, final ReduceOp op)
    {
        return switch (type)
        {
            case FLOAT32 -> FloatVectorKernels.of(op);
            case FLOAT64 -> DoubleVectorKernels.of(op);
            case INT32 -> IntVectorKernels.of(op);
            case INT64 -> LongVectorKernels.of(op);
        };
    }
}
