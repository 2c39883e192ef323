/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import jdk.incubator.vector.VectorOperators;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

/** The reducers that need the module {@code jdk.incubator.vector}; this class must not be linked without it. */
final class VectorReducers
{
    private VectorReducers()
    {
    }

    /**
     * Makes a reducer.
     *
     * @param type of the elements.
     * @param op   that is defined on them, and not the user's.
     * @return a new one; with plain loops where there is no instruction for it, and for bfloat16 until that loop, of
     *     many, is compiled.
     */
    static Reducer of(final DataType type, final ReduceOp.Kind op)
    {
        final BlockReducer plain = PlainReducers.of(type, op);
        if (isOneInstruction(type, op))
        {
            return loop(type, op, plain);
        }
        return type.equals(DataType.BFLOAT16) ? new WarmingReducer(plain, () -> loop(type, op, plain)) : plain;
    }

    /**
     * Makes a loop over vectors.
     *
     * @param plain for what does not fill a vector.
     * @return a new one.
     */
    static BlockReducer loop(final DataType type, final ReduceOp.Kind op, final BlockReducer plain)
    {
        return Template.copy(
            loop(type), new VectorKernel(instruction(type, op), op == ReduceOp.Kind.AVG, plain));
    }

    /**
     * Whether the JIT compiler inlines it for sure. Else every vector would be an object, and the plain reducers, whose
     * loops it vectorises itself where it can, are faster: to convert floats of 16 and 8 bits, divide integers, or
     * multiply those of 8 bits takes many instructions.
     */
    private static boolean isOneInstruction(final DataType type, final ReduceOp.Kind op)
    {
        return switch (op)
        {
            case SUM, MIN, MAX, PREMUL_SUM -> !type.isPair() && !isNarrowFloat(type);
            case PROD -> !isNarrowFloat(type) && type.size() > 1;
            case AVG -> type.isFloating() && !isNarrowFloat(type);
            case BAND, BOR, BXOR -> true;
            case LAND, LOR, LXOR, MINLOC, MAXLOC, USER -> false;
        };
    }

    private static boolean isNarrowFloat(final DataType type)
    {
        return type.isFloating() && type.size() <= Short.BYTES;
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
