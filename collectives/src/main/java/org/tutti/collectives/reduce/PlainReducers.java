/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import org.tutti.collectives.DataType;
import org.tutti.collectives.NarrowFloat;
import org.tutti.collectives.ReduceOp;

/** Reducers that need no module but java.base. */
final class PlainReducers
{
    private PlainReducers()
    {
    }

    /**
     * Creates a reducer.
     *
     * @param type type of the elements.
     * @param op   predefined operation on the type.
     * @return a new reducer.
     */
    static BlockReducer of(final DataType type, final ReduceOp.Kind op)
    {
        return switch (type.kind())
        {
            case INT8, UINT8 -> LoopTemplate.copy(ByteLoop.class, ints(type, op));
            case INT16, UINT16 -> LoopTemplate.copy(ShortLoop.class, ints(type, op));
            case INT32, UINT32 -> LoopTemplate.copy(IntLoop.class, ints(type, op));
            case INT64, UINT64 -> LoopTemplate.copy(LongLoop.class, IntegerMath.ofLongs(op, type.isSigned()));
            case FLOAT32 -> LoopTemplate.copy(FloatLoop.class, FloatingMath.ofFloats(op));
            case FLOAT64 -> LoopTemplate.copy(DoubleLoop.class, FloatingMath.ofDoubles(op));
            case FLOAT16 -> LoopTemplate.copy(Float16Loop.class, narrow(type, op));
            case BFLOAT16 -> LoopTemplate.copy(ShortLoop.class, narrow(type, op));
            case FLOAT8_E4M3, FLOAT8_E5M2 -> new Float8Loop(narrow(type, op));
            case FLOAT32_INT32, FLOAT64_INT64, INT32_INT32, INT64_INT64 -> new PairLoop(type.kind(), op);
            case OPAQUE -> throw new IllegalArgumentException(op + " on " + type);
        };
    }

    private static IntMath ints(final DataType type, final ReduceOp.Kind op)
    {
        return IntegerMath.ofInts(op, type.isSigned(), type.size() * Byte.SIZE);
    }

    private static NarrowMath narrow(final DataType type, final ReduceOp.Kind op)
    {
        return new NarrowMath(NarrowFloat.of(type), FloatingMath.ofFloats(op), op == ReduceOp.Kind.AVG);
    }
}
