/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import jdk.incubator.vector.VectorOperators;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

/** Vector loops, which need the module {@code jdk.incubator.vector}; this class cannot be linked without it. */
final class VectorReducers
{
    private VectorReducers()
    {
    }

    /**
     * Creates a vector loop.
     *
     * @param type  type of the elements.
     * @param op    operation that {@link Reducers#hasVectorLoop} accepts.
     * @param plain plain loop for the elements that do not fill a vector.
     * @return a new loop.
     */
    static BlockReducer loop(final DataType type, final ReduceOp.Kind op, final BlockReducer plain)
    {
        return LoopTemplate.copy(
            loop(type), new VectorKernel(instruction(type, op), op == ReduceOp.Kind.AVG, plain));
    }

    private static Class<? extends BlockReducer> loop(final DataType type)
    {
        return switch (type.kind())
        {
            case INT8, UINT8 -> ByteVectorLoop.class;
            case INT16, UINT16 -> ShortVectorLoop.class;
            case INT32, UINT32 -> IntVectorLoop.class;
            case INT64, UINT64 -> LongVectorLoop.class;
            case FLOAT32 -> FloatVectorLoop.class;
            case FLOAT64 -> DoubleVectorLoop.class;
            case BFLOAT16 -> BFloat16VectorLoop.class;
            default -> throw new IllegalArgumentException(type.toString());
        };
    }

    private static VectorOperators.Binary instruction(final DataType type, final ReduceOp.Kind op)
    {
        final boolean unsigned = type.isInteger() && !type.isSigned();
        return switch (op)
        {
            case SUM, AVG, PREMUL_SUM -> VectorOperators.ADD;
            case PROD -> VectorOperators.MUL;
            case MIN -> unsigned ? VectorOperators.UMIN : VectorOperators.MIN;
            case MAX -> unsigned ? VectorOperators.UMAX : VectorOperators.MAX;
            case BAND -> VectorOperators.AND;
            case BOR -> VectorOperators.OR;
            case BXOR -> VectorOperators.XOR;
            default -> throw new IllegalArgumentException(op + " on " + type);
        };
    }
}
