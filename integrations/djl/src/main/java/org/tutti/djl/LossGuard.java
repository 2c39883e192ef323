/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.DataType;
import ai.djl.training.GradientCollector;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A collector of gradients that looks at the loss. The engine permits one collector per process: ranks that are threads
 * of one process take turns.
 */
final class LossGuard implements GradientCollector
{
    private static final ReentrantLock ENGINE = new ReentrantLock();

    private final GradientCollector collector;
    private final Consumer<Float> notFinite;
    private boolean closed;

    /**
     * Opens a collector, as soon as no other thread has one.
     *
     * @param opener    creates the engine's collector.
     * @param notFinite called with a loss that is not finite.
     */
    LossGuard(final Supplier<GradientCollector> opener, final Consumer<Float> notFinite)
    {
        boolean opened = false;
        ENGINE.lock();
        try
        {
            collector = opener.get();
            opened = true;
        }
        finally
        {
            if (!opened)
            {
                ENGINE.unlock();
            }
        }
        this.notFinite = notFinite;
    }

    @Override
    public void backward(final NDArray target)
    {
        try (NDArray sum = target.sum(); NDArray single = sum.toType(DataType.FLOAT32, true))
        {
            final float loss = single.getFloat();
            if (!Float.isFinite(loss))
            {
                notFinite.accept(loss);
            }
        }
        collector.backward(target);
    }

    @Override
    public void zeroGradients()
    {
        collector.zeroGradients();
    }

    @Override
    public void close()
    {
        if (!closed)
        {
            closed = true;
            try
            {
                collector.close();
            }
            finally
            {
                ENGINE.unlock();
            }
        }
    }
}
