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
 * The reducers of all types and operations: with vector instructions when the module {@code jdk.incubator.vector} is
 * there or can be loaded, with plain loops when it cannot. Thread-safe; makes each once, when it is first
 * asked for.
 */
public final class Reducers
{
    private static final boolean VECTORISED = VectorModule.load();
    /** By two keys, and not by a record of both, whose hash Java would first have to generate when a rank starts. */
    private static final Map<DataType, Map<ReduceOp.Kind, Reducer>> REDUCERS = new ConcurrentHashMap<>();

    private Reducers()
    {
    }

    /**
     * The reducer for elements of a type.
     *
     * @param type of the elements.
     * @param op   how they are combined.
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
        // Without the module, VectorReducers must not even be linked: it is only once that branch runs.
        return REDUCERS.computeIfAbsent(type, key -> new ConcurrentHashMap<>()).computeIfAbsent(kind, key ->
            VECTORISED ? VectorReducers.of(type, kind) : PlainReducers.of(type, kind));
    }

    /**
     * Whether vector instructions are asked for explicitly, rather than left to the JIT compiler.
     *
     * @return false if this JVM runs without the vector module.
     */
    public static boolean vectorised()
    {
        return VECTORISED;
    }
}
