/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

import java.util.EnumMap;
import java.util.Map;

/**
 * The reducers of all types and operations: with vector instructions when the module {@code jdk.incubator.vector} is
 * resolved ({@code --add-modules}), with plain loops when it is not. Thread-safe; makes them all once.
 */
public final class Reducers
{
    private static final boolean VECTORISED = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
    private static final Map<DataType, Map<ReduceOp, Reducer>> REDUCERS = new EnumMap<>(DataType.class);

    static
    {
        for (final DataType type : DataType.values())
        {
            final Map<ReduceOp, Reducer> byOp = new EnumMap<>(ReduceOp.class);
            for (final ReduceOp op : ReduceOp.values())
            {
                // Without the module, VectorReducers must not even be linked: it is only once this line runs.
                byOp.put(op, VECTORISED ? VectorReducers.of(type, op) : PlainReducers.of(type, op));
            }
            REDUCERS.put(type, byOp);
        }
    }

    private Reducers()
    {
    }

    /**
     * The reducer for elements of a type. Does not allocate.
     *
     * @param type of the elements.
     * @param op   how they are combined.
     * @return shared by all callers.
     */
    public static Reducer of(final DataType type, final ReduceOp op)
    {
        return REDUCERS.get(type).get(op);
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
