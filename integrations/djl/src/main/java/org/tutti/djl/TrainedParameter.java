/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDScope;

import java.lang.foreign.MemorySegment;

/**
 * A parameter of the model that has a gradient. The engine keeps the gradient in the same memory from step to step, so
 * it is looked up only once per step, to find out whether it still exists. Not thread-safe.
 */
final class TrainedParameter implements AutoCloseable
{
    private final String name;
    private final NDArray array;
    private final long count;
    /** The gradient in {@link #gradient}: while it is open, no other array gets its memory. */
    private NDArray kept;
    private MemorySegment gradient;

    /**
     * Creates a parameter.
     *
     * @param name  name within the model.
     * @param array value, FLOAT32 in host memory.
     */
    TrainedParameter(final String name, final NDArray array)
    {
        this.name = name;
        this.array = array;
        count = array.getShape().size();
    }

    String name()
    {
        return name;
    }

    NDArray array()
    {
        return array;
    }

    /** Returns the number of elements. */
    long count()
    {
        return count;
    }

    /**
     * Looks up the gradient, after a backward pass.
     *
     * @return its memory; null if there was no backward pass through the parameter, or the gradient is not in one
     *         contiguous part of host memory.
     */
    MemorySegment findGradient()
    {
        final NDArray latest = array.getGradient();
        final MemorySegment memory = HostMemory.direct(latest);
        if (gradient != null && memory != null && memory.address() == gradient.address())
        {
            latest.close();
            return gradient;
        }
        close();
        // Without a gradient, DJL returns new zeros each time; a sparse gradient is copied each time.
        if (memory != null && memory.address() == addressOfGradient())
        {
            NDScope.unregister(latest);
            kept = latest;
            gradient = memory;
        }
        else
        {
            latest.close();
        }
        return gradient;
    }

    private long addressOfGradient()
    {
        try (NDArray again = array.getGradient())
        {
            final MemorySegment memory = HostMemory.direct(again);
            return memory == null ? 0 : memory.address();
        }
    }

    /**
     * Returns what {@link #findGradient} has found.
     *
     * @return memory of the gradient, or null.
     */
    MemorySegment gradient()
    {
        return gradient;
    }

    /** Returns the square of the norm of the gradient, which must exist. */
    double sumOfSquares()
    {
        return Floats.sumOfSquares(gradient, count);
    }

    /** Multiplies the gradient, which must exist. */
    void scaleGradient(final float factor)
    {
        Floats.scale(gradient, 0, count, factor);
    }

    /** Sets the gradient to zeros, if there is one: the engine does so in each update. */
    void clearGradient()
    {
        if (gradient != null)
        {
            gradient.fill((byte)0);
        }
    }

    @Override
    public void close()
    {
        if (kept != null)
        {
            kept.close();
        }
        kept = null;
        gradient = null;
    }
}
