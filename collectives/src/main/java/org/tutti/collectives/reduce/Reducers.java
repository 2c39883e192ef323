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
 * The reducers of all types and operations: plain loops at first, and loops over vectors where the processor has
 * instructions for them, once much was reduced and if the module {@code jdk.incubator.vector} can be loaded.
 * Thread-safe; makes each once, when it is first asked for.
 */
public final class Reducers
{
    /** By two keys, and not by a record of both, whose hash Java would first have to generate when a rank starts. */
    private static final Map<DataType, Map<ReduceOp.Kind, Reducer>> REDUCERS = new ConcurrentHashMap<>();

    private Reducers()
    {
    }

    /**
     * The reducer for elements of a type.
     *
     * @param type type of the elements.
     * @param op   operation that combines the elements.
     * @return shared by all callers, but for users' operations.
     * @throws IllegalArgumentException if the operation is not defined on the type.
     */
    public static Reducer of(final DataType type, final ReduceOp op)
    {
        op.requireDefinedOn(type);
        if (op.kind() == ReduceOp.Kind.USER)
        {
            return new UserReducer(type, op);
        }
        // PREMUL_SUM adds: there is one reducer for all scales, which Scaler applies.
        final ReduceOp.Kind kind = op.kind() == ReduceOp.Kind.PREMUL_SUM ? ReduceOp.Kind.SUM : op.kind();
        return REDUCERS.computeIfAbsent(type, key -> new ConcurrentHashMap<>())
            .computeIfAbsent(kind, key -> make(type, kind));
    }

    private static Reducer make(final DataType type, final ReduceOp.Kind kind)
    {
        final BlockReducer plain = PlainReducers.of(type, kind);
        // Without the module, VectorReducers must not even be linked: it is only when the lambda runs.
        return hasVectorLoop(type, kind) ? new WarmingReducer(plain, () ->
            VectorModule.load() ? VectorReducers.loop(type, kind, plain) : plain) : plain;
    }

    /**
     * Whether a loop over vectors is faster than a plain one: where the JIT compiler inlines it for sure. Else every
     * vector would be an object. It vectorises many plain loops itself; to convert floats of 8 and 16 bits, divide
     * integers, or multiply those of 8 bits takes many instructions. Those of bfloat16 are few.
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
     * Whether loops over vectors can replace plain ones.
     *
     * @return false if this JVM cannot load the vector module.
     */
    public static boolean vectorised()
    {
        return VectorModule.isAvailable();
    }
}
