/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.djl;

import org.tutti.collectives.Communicator;

import java.util.ArrayList;
import java.util.List;

/**
 * Reduces the gradients of all parameters over all ranks, bucket by bucket. While a bucket is packed, buckets before it
 * are reduced. A bucket is copied back as soon as it is reduced, while its gradients are in the cache. All buckets use
 * the memory of a few exchanges, so this memory stays in the cache, too.
 * <p>
 * If the reduced values of a bucket are finite, so are the values of each rank: they can be replaced before other
 * buckets are checked, and the cause of a value that is not finite can still be found in the gradients of each rank.
 */
final class GradientExchange implements AutoCloseable
{
    /** Number of buckets in progress at once: the default of TUTTI_OUTSTANDING. */
    private static final int IN_PROGRESS = 8;
    /** Number of buckets that are started before the first of them proceeds. */
    private static final int AHEAD = IN_PROGRESS / 2;

    private final List<BucketExchange> exchanges = new ArrayList<>();
    private final List<GradientBucket> buckets = new ArrayList<>();
    private boolean areFinite;
    private TrainedParameter notFinite;

    /**
     * Distributes gradients over buckets of the same length, last parameter first: backward passes reach it first. At
     * least one value of the last bucket is unused, to tell other ranks of problems.
     *
     * @param parameters   all trained parameters, in the model's order.
     * @param communicator the ranks.
     * @param options      options of the trainer.
     */
    GradientExchange(final List<TrainedParameter> parameters, final Communicator communicator,
        final DistributedTrainer.Builder options)
    {
        final long total = parameters.stream().mapToLong(TrainedParameter::count).sum() + 1;
        final long number = Math.ceilDiv(total, options.bucketBytes() / Float.BYTES);
        final long size = Math.ceilDiv(total, number);
        for (int i = 0; i < Math.min(number, IN_PROGRESS); i++)
        {
            exchanges.add(BucketExchange.of(communicator, options.wireType(), options.isAverage(), size));
        }
        final List<GradientRange> ranges = new ArrayList<>();
        long free = size;
        for (final TrainedParameter parameter : parameters.reversed())
        {
            long first = 0;
            while (first < parameter.count())
            {
                final long count = Math.min(free, parameter.count() - first);
                ranges.add(new GradientRange(parameter, first, count));
                first += count;
                free -= count;
                if (free == 0)
                {
                    add(ranges, size);
                    ranges.clear();
                    free = size;
                }
            }
        }
        add(ranges, size);
    }

    private void add(final List<GradientRange> ranges, final long size)
    {
        buckets.add(new GradientBucket(ranges, exchanges.get(buckets.size() % exchanges.size()), size));
    }

    /**
     * Replaces the gradients by those of all ranks together.
     *
     * @param scale   factor of this rank's gradients.
     * @param problem whether this rank has a problem that its gradients do not show.
     * @return false if not all ranks' values are finite; the same on all ranks. The gradients are then those of this
     *         rank or of all ranks together; where this rank's are not finite, they are its own.
     */
    boolean run(final float scale, final boolean problem)
    {
        areFinite = true;
        notFinite = null;
        final int count = buckets.size();
        int finished = 0;
        for (int i = 0; i < count; i++)
        {
            // The buckets that are finished early differ from rank to rank; the order of starts and proceeds does not.
            while (finished < i && (i - finished == exchanges.size() || buckets.get(finished).isReduced()))
            {
                finish(buckets.get(finished++));
            }
            buckets.get(i).start(scale, problem);
            if (i >= AHEAD)
            {
                buckets.get(i - AHEAD).proceed();
            }
        }
        for (int i = Math.max(0, count - AHEAD); i < count; i++)
        {
            buckets.get(i).proceed();
        }
        while (finished < count)
        {
            finish(buckets.get(finished++));
        }
        return areFinite;
    }

    private void finish(final GradientBucket bucket)
    {
        if (!bucket.finish())
        {
            areFinite = false;
            notFinite = notFinite == null ? bucket.notFinite() : notFinite;
        }
    }

    /**
     * Returns a parameter whose reduced gradient was not finite in the last run.
     *
     * @return the first, or null if there was none.
     */
    TrainedParameter notFinite()
    {
        return notFinite;
    }

    @Override
    public void close()
    {
        exchanges.forEach(BucketExchange::close);
    }
}
