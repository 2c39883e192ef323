/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** The vectors on a rank of a barrier stage: in registered memory, so that collectives copy nothing. */
final class RankVectors implements ModelVectors, AutoCloseable
{
    /** Chunks start on cache lines. */
    private static final long ALIGNMENT = 64 / Double.BYTES;

    private final Communicator communicator;
    private final PointKernel kernel;
    private final List<LabeledPoint> points;
    private final int length;
    /** Length of the chunks, which unused elements at the end make equal. */
    private final long chunk;
    private final DataBuffer parameters;
    private final DataBuffer sums;
    private final DataBuffer ownParameters;
    private final DataBuffer ownSums;

    /**
     * Allocates the vectors. Collective.
     *
     * @param communicator communicator of all ranks.
     * @param kernel       what is summed.
     * @param points       points of this rank.
     * @param features     number of features.
     */
    RankVectors(
        final Communicator communicator, final PointKernel kernel, final List<LabeledPoint> points, final int features)
    {
        this.communicator = communicator;
        this.kernel = kernel;
        this.points = points;
        length = kernel.length(features);
        chunk = Math.ceilDiv(Math.ceilDiv((long)length, communicator.size()), ALIGNMENT) * ALIGNMENT;
        parameters = communicator.allocate(DataType.FLOAT64, chunk * communicator.size());
        sums = communicator.allocate(DataType.FLOAT64, chunk * communicator.size());
        ownParameters = parameters.slice(communicator.rank() * chunk, chunk);
        ownSums = sums.slice(communicator.rank() * chunk, chunk);
    }

    @Override
    public long chunkStart()
    {
        return communicator.rank() * chunk;
    }

    @Override
    public int chunkLength()
    {
        return (int)Math.max(0, Math.min(chunk, length - chunkStart()));
    }

    @Override
    public MemorySegment parameters()
    {
        return parameters.segment();
    }

    @Override
    public MemorySegment sums()
    {
        return sums.segment();
    }

    @Override
    public double addPoints()
    {
        final MemorySegment current = parameters();
        final MemorySegment target = sums();
        target.fill((byte)0);
        double cost = 0;
        for (final LabeledPoint point : points)
        {
            cost += kernel.add(point, current, target);
        }
        return cost;
    }

    @Override
    public void sumAll()
    {
        communicator.allreduce(sums, ReduceOp.SUM);
    }

    @Override
    public void sumChunks()
    {
        communicator.reduceScatter(sums, ownSums, ReduceOp.SUM);
    }

    @Override
    public void gatherParameters()
    {
        communicator.allgather(ownParameters, parameters);
    }

    @Override
    public void sum(final double[] values)
    {
        communicator.allreduce(values, ReduceOp.SUM);
    }

    @Override
    public CenterCandidates candidates(final int features)
    {
        return new RankCandidates(communicator, points, parameters, features);
    }

    @Override
    public void close()
    {
        parameters.close();
        sums.close();
    }
}
