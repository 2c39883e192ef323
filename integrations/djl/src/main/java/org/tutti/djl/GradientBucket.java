/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.djl;

import org.tutti.collectives.Communicator;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Gradients of several parameters, contiguous in memory for one exchange. A last value tells other ranks of a problem
 * that the gradients do not show: it is 0, or NaN.
 */
final class GradientBucket implements AutoCloseable
{
    private final List<TrainedParameter> parameters;
    private final BucketExchange exchange;
    private final long count;

    private GradientBucket(final List<TrainedParameter> parameters, final Communicator communicator,
        final DistributedTrainer.Builder options)
    {
        this.parameters = List.copyOf(parameters);
        count = parameters.stream().mapToLong(TrainedParameter::count).sum() + 1;
        exchange = BucketExchange.of(communicator, options.wireType(), options.isAverage(), count);
    }

    /**
     * Distributes parameters over buckets, last parameter first: backward passes reach it first. A bucket is full when
     * a further parameter would exceed the limit; one parameter may exceed it alone.
     *
     * @param parameters   all trained parameters, in the model's order.
     * @param communicator the ranks.
     * @param options      options with the limit.
     * @return buckets, to be closed by the caller.
     */
    static List<GradientBucket> of(final List<TrainedParameter> parameters, final Communicator communicator,
        final DistributedTrainer.Builder options)
    {
        final List<GradientBucket> buckets = new ArrayList<>();
        final List<TrainedParameter> current = new ArrayList<>();
        long bytes = 0;
        for (final TrainedParameter parameter : parameters.reversed())
        {
            final long more = parameter.count() * Float.BYTES;
            if (!current.isEmpty() && bytes + more > options.bucketBytes())
            {
                buckets.add(new GradientBucket(current, communicator, options));
                current.clear();
                bytes = 0;
            }
            current.add(parameter);
            bytes += more;
        }
        if (!current.isEmpty())
        {
            buckets.add(new GradientBucket(current, communicator, options));
        }
        return buckets;
    }

    /**
     * Packs this rank's gradients, and starts their exchange.
     *
     * @param scale   factor of the gradients.
     * @param problem whether this rank has a problem that its gradients do not show.
     */
    void start(final float scale, final boolean problem)
    {
        final MemorySegment values = exchange.values();
        long index = 0;
        for (final TrainedParameter parameter : parameters)
        {
            final MemorySegment gradient = parameter.findGradient();
            if (gradient == null)
            {
                Floats.fill(values, index, parameter.count(), Float.NaN);
            }
            else
            {
                Floats.copy(gradient, 0, values, index, parameter.count(), scale);
            }
            index += parameter.count();
        }
        Floats.fill(values, index, 1, problem ? Float.NaN : 0);
        exchange.start();
    }

    /** Continues the exchange. */
    void proceed()
    {
        exchange.proceed();
    }

    /**
     * Waits for the reduced gradients.
     *
     * @return whether they are finite; the same on all ranks.
     */
    boolean finish()
    {
        exchange.finish();
        return Floats.areFinite(exchange.values(), 0, count);
    }

    /**
     * Returns the square of the norm of the reduced gradients.
     *
     * @return sum of squares, the same on all ranks.
     */
    double sumOfSquares()
    {
        return Floats.sumOfSquares(exchange.values(), count);
    }

    /**
     * Copies the reduced gradients to the parameters.
     *
     * @param scale factor of the gradients.
     */
    void unpack(final float scale)
    {
        long index = 0;
        for (final TrainedParameter parameter : parameters)
        {
            Floats.copy(exchange.values(), index, parameter.gradient(), 0, parameter.count(), scale);
            index += parameter.count();
        }
    }

    /**
     * Returns a parameter whose reduced gradient is not finite.
     *
     * @return the first, or null if there is none.
     */
    TrainedParameter notFinite()
    {
        long index = 0;
        for (final TrainedParameter parameter : parameters)
        {
            if (!Floats.areFinite(exchange.values(), index, parameter.count()))
            {
                return parameter;
            }
            index += parameter.count();
        }
        return null;
    }

    @Override
    public void close()
    {
        exchange.close();
    }
}
