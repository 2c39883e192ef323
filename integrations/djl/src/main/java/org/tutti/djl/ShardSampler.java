/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.djl;

import ai.djl.training.dataset.RandomAccessDataset;
import ai.djl.training.dataset.Sampler;

import org.tutti.collectives.Communicator;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Gives each rank batches of another part of a dataset, in a new random order in each epoch. The parts are disjoint and
 * equally long, and all ranks get as many batches: up to {@code size - 1} records, others in each epoch, are left out.
 * The order depends on seed and epoch only: batches of B records on N ranks have together the records of a batch of N *
 * B records on one rank.
 * <p>
 * Each call of {@link #sample}, as by {@code trainer.iterateDataset}, is an epoch: give each dataset a sampler of its
 * own, by {@code setSampling} of the dataset's builder. Not thread-safe.
 */
public final class ShardSampler implements Sampler
{
    private static final long EPOCH_FACTOR = 1_000_003;

    private final int rank;
    private final int size;
    private final long seed;
    private final int batchSize;
    private final boolean dropLast;
    private long epoch;

    /**
     * Creates a sampler that begins with epoch 0.
     *
     * @param communicator the ranks.
     * @param seed         seed of the orders, the same on all ranks.
     * @param batchSize    records of a batch on each rank, at least 1.
     * @param dropLast     whether to leave out a last batch that is shorter.
     * @throws IllegalArgumentException if the batch size is invalid.
     */
    public ShardSampler(
        final Communicator communicator, final long seed, final int batchSize, final boolean dropLast)
    {
        this(communicator.rank(), communicator.size(), seed, batchSize, dropLast);
    }

    /**
     * Creates a sampler that begins with epoch 0.
     *
     * @param rank      rank, from 0 to {@code size - 1}.
     * @param size      number of ranks, at least 1.
     * @param seed      seed of the orders, the same on all ranks.
     * @param batchSize records of a batch on each rank, at least 1.
     * @param dropLast  whether to leave out a last batch that is shorter.
     * @throws IllegalArgumentException if rank, size or batch size are invalid.
     */
    public ShardSampler(
        final int rank, final int size, final long seed, final int batchSize, final boolean dropLast)
    {
        if (size < 1 || rank < 0 || rank >= size)
        {
            throw new IllegalArgumentException("rank=" + rank + ", size=" + size + ": must be 0 <= rank < size");
        }
        if (batchSize < 1)
        {
            throw new IllegalArgumentException("batchSize=" + batchSize + ": must be at least 1");
        }
        this.rank = rank;
        this.size = size;
        this.seed = seed;
        this.batchSize = batchSize;
        this.dropLast = dropLast;
    }

    /**
     * Sets the epoch of the next {@link #sample}, to continue a training.
     *
     * @param next number of epochs that precede it, at least 0.
     * @throws IllegalArgumentException if it is negative.
     */
    public void epoch(final long next)
    {
        if (next < 0)
        {
            throw new IllegalArgumentException("epoch=" + next + ": must be at least 0");
        }
        epoch = next;
    }

    /**
     * Begins an epoch.
     *
     * @param dataset the dataset, of fewer than 2^31 records.
     * @return indices of this rank's records, batch by batch.
     * @throws IllegalArgumentException if the dataset has no batch for each rank.
     */
    @Override
    public Iterator<List<Long>> sample(final RandomAccessDataset dataset)
    {
        return sample(Math.toIntExact(dataset.size()));
    }

    @Override
    public int getBatchSize()
    {
        return batchSize;
    }

    /** DJL's BatchSampler counts batches by the records of the whole dataset, and would add empty ones. */
    Iterator<List<Long>> sample(final int records)
    {
        final int share = records / size;
        final int batches = dropLast ? share / batchSize : Math.ceilDiv(share, batchSize);
        if (batches == 0)
        {
            throw new IllegalArgumentException("the dataset has " + records + " records, and " + size +
                " ranks need at least " + (dropLast ? batchSize : 1) + " each: add records, or start fewer ranks");
        }
        final int[] order = shuffle(records, new SplittableRandom(seed * EPOCH_FACTOR + epoch++));
        return IntStream.range(0, batches).mapToObj(batch ->
        {
            final int end = Math.min(share - batch * batchSize, batchSize) + batch * batchSize;
            final List<Long> indices = new ArrayList<>(end - batch * batchSize);
            for (int i = batch * batchSize; i < end; i++)
            {
                indices.add((long)order[i * size + rank]);
            }
            return indices;
        }).iterator();
    }

    private static int[] shuffle(final int records, final SplittableRandom random)
    {
        final int[] order = new int[records];
        for (int i = 0; i < records; i++)
        {
            final int j = random.nextInt(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        return order;
    }
}
