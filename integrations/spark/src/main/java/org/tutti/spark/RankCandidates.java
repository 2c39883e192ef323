/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;

import java.util.List;

/** The candidates on a rank: the rank of a chosen point broadcasts it. */
final class RankCandidates implements CenterCandidates
{
    private final Communicator communicator;
    private final DataBuffer parameters;
    private final int features;
    private final PointDistances distances;
    private long offset;

    /**
     * Creates candidates.
     *
     * @param communicator communicator of all ranks.
     * @param points       points of this rank.
     * @param parameters   parameters of the model, which are 0.
     * @param features     number of features.
     */
    RankCandidates(final Communicator communicator, final List<LabeledPoint> points, final DataBuffer parameters,
        final int features)
    {
        this.communicator = communicator;
        this.parameters = parameters;
        this.features = features;
        distances = new PointDistances(points);
    }

    @Override
    public double[] weights()
    {
        final double[] weights = new double[communicator.size()];
        communicator.allgather(new double[] {distances.sum()}, weights);
        return weights;
    }

    @Override
    public void choose(final int partition, final double target)
    {
        if (partition == communicator.rank())
        {
            distances.find(target).addTo(1, parameters.segment(), offset);
        }
        communicator.broadcast(parameters.slice(offset, features), partition);
        distances.addCenter(parameters.segment(), offset, features);
        offset += features;
    }
}
