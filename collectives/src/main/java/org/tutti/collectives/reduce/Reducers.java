/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reducers of all types and operations. They use plain loops at first; after many reductions they use vector loops,
 * where the processor has instructions for them and the module {@code jdk.incubator.vector} can be loaded. Thread-safe;
 * creates each reducer at first use.
 */
public final class Reducers
{
    /** By type, then by operation. A record as key would make Java generate its hash method when a rank starts. */
    private static final Map<DataType, Map<ReduceOp.Kind, Reducer>> REDUCERS = new ConcurrentHashMap<>();

    private Reducers()
    {
    }

    /**
     * Returns the reducer of an operation for elements of a type.
     *
     * @param type type of the elements.
     * @param op   operation that combines the elements.
     * @return reducer that all callers share, except for user-defined operations.
     * @throws IllegalArgumentException if the operation is not defined on the type.
     */
    public static Reducer of(final DataType type, final ReduceOp op)
    {
        op.requireDefinedOn(type);
        if (op.kind() == ReduceOp.Kind.USER)
        {
            return new UserReducer(type, op);
        }
        // PREMUL_SUM is a sum of inputs that Scaler has multiplied, so all scales share a reducer.
        final ReduceOp.Kind kind = op.kind() == ReduceOp.Kind.PREMUL_SUM ? ReduceOp.Kind.SUM : op.kind();
        return REDUCERS.computeIfAbsent(type, key -> new ConcurrentHashMap<>())
            .computeIfAbsent(kind, key -> make(type, kind));
    }

    private static Reducer make(final DataType type, final ReduceOp.Kind kind)
    {
        final BlockReducer plain = PlainReducers.of(type, kind);
        // VectorReducers cannot be linked without jdk.incubator.vector, so only the lambda refers to that class.
        return hasVectorLoop(type, kind) ? new WarmUpReducer(plain, () ->
            VectorModule.load() ? VectorReducers.loop(type, kind, plain) : plain) : plain;
    }

    /**
     * Whether a vector loop is faster than a plain one: only if the JIT compiler is sure to inline it, else every
     * vector would be an object. The compiler vectorizes many plain loops itself. Conversions of floats of 8 and 16
     * bits, division of integers and multiplication of 8-bit integers need many instructions; conversions of bfloat16
     * need few.
     */
    static boolean hasVectorLoop(final DataType type, final ReduceOp.Kind op)
    {
        final boolean isNarrowFloat =
            type.isFloating() && type.size() <= Short.BYTES && !type.equals(DataType.BFLOAT16);
        return switch (op)
        {
            case SUM, MIN, MAX, PREMUL_SUM -> !type.isPair() && !isNarrowFloat;
            case PROD -> !isNarrowFloat && type.size() > 1;
            case AVG -> type.isFloating() && !isNarrowFloat;
            case BAND, BOR, BXOR -> true;
            case LAND, LOR, LXOR, MINLOC, MAXLOC, USER -> false;
        };
    }

    /**
     * Whether vector loops can replace plain ones.
     *
     * @return false if this JVM cannot load the vector module.
     */
    public static boolean vectorised()
    {
        return VectorModule.isAvailable();
    }

    /**
     * Returns the option of the JVM without which it cannot load the vector module.
     *
     * @return the option as for the command line; null if no option would help.
     */
    public static String missingOption()
    {
        return VectorModule.missingOption();
    }
}
