/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.djl;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Gradients that are contiguous in memory for one exchange. If they do not fill the bucket, the other values tell other
 * ranks of a problem that gradients do not show: they are 0, or NaN.
 */
final class GradientBucket
{
    private final List<GradientRange> ranges;
    private final BucketExchange exchange;
    private final long count;

    /**
     * Creates a bucket.
     *
     * @param ranges   gradients in the bucket; those of a parameter in ascending order, also over several buckets.
     * @param exchange exchange, which other buckets may use at other times.
     * @param count    number of values of the exchange.
     */
    GradientBucket(final List<GradientRange> ranges, final BucketExchange exchange, final long count)
    {
        this.ranges = List.copyOf(ranges);
        this.exchange = exchange;
        this.count = count;
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
        for (final GradientRange range : ranges)
        {
            final TrainedParameter parameter = range.parameter();
            final MemorySegment gradient = range.first() == 0 ? parameter.findGradient() : parameter.gradient();
            if (gradient == null)
            {
                Floats.fill(values, index, range.count(), Float.NaN);
            }
            else
            {
                Floats.copy(gradient, range.first(), values, index, range.count(), scale);
            }
            index += range.count();
        }
        Floats.fill(values, index, count - index, problem ? Float.NaN : 0);
        exchange.start();
    }

    /** Continues the exchange. */
    void proceed()
    {
        exchange.proceed();
    }

    /**
     * Checks for the reduced gradients without blocking.
     *
     * @return true if {@link #finish} would not wait.
     */
    boolean isReduced()
    {
        return exchange.isReduced();
    }

    /**
     * Waits for the reduced gradients, and copies them to the parameters if all are finite.
     *
     * @return whether they are finite; the same on all ranks.
     */
    boolean finish()
    {
        exchange.finish();
        final MemorySegment values = exchange.values();
        if (!Floats.areFinite(values, 0, count))
        {
            return false;
        }
        long index = 0;
        for (final GradientRange range : ranges)
        {
            Floats.copy(values, index, range.parameter().gradient(), range.first(), range.count());
            index += range.count();
        }
        return true;
    }

    /**
     * Returns a parameter whose reduced gradient is not finite, before another bucket uses the exchange.
     *
     * @return the first, or null if there is none.
     */
    TrainedParameter notFinite()
    {
        long index = 0;
        for (final GradientRange range : ranges)
        {
            if (!Floats.areFinite(exchange.values(), index, range.count()))
            {
                return range.parameter();
            }
            index += range.count();
        }
        return null;
    }
}
