/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import org.apache.spark.api.java.JavaRDD;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/** The candidates on the driver, which runs two jobs for each center. */
final class DriverCandidates implements CenterCandidates
{
    private final JavaRDD<LabeledPoint> data;
    private final double[] parameters;
    private final int features;
    private final List<LabeledPoint> centers = new ArrayList<>();

    /**
     * Creates candidates.
     *
     * @param data       points.
     * @param parameters parameters of the model, which are 0.
     * @param features   number of features.
     */
    DriverCandidates(final JavaRDD<LabeledPoint> data, final double[] parameters, final int features)
    {
        this.data = data;
        this.parameters = parameters;
        this.features = features;
    }

    @Override
    public double[] weights()
    {
        // The lambda must not refer to this, which is not serializable.
        final List<LabeledPoint> known = List.copyOf(centers);
        return data.mapPartitions(points -> List.of(distances(list(points), known).sum()).iterator()).collect()
            .stream().mapToDouble(Double::doubleValue).toArray();
    }

    @Override
    public void choose(final int partition, final double target)
    {
        final List<LabeledPoint> known = List.copyOf(centers);
        final LabeledPoint chosen = data.<LabeledPoint>mapPartitionsWithIndex((index, points) ->
        {
            if (index != partition)
            {
                return Collections.emptyIterator();
            }
            final List<LabeledPoint> own = list(points);
            return List.of(distances(own, known).find(target)).iterator();
        }, false).collect().getFirst();
        chosen.addTo(1, MemorySegment.ofArray(parameters), (long)centers.size() * features);
        centers.add(chosen);
    }

    private static List<LabeledPoint> list(final Iterator<LabeledPoint> points)
    {
        final List<LabeledPoint> list = new ArrayList<>();
        points.forEachRemaining(list::add);
        return list;
    }

    private static PointDistances distances(final List<LabeledPoint> points, final List<LabeledPoint> centers)
    {
        final PointDistances distances = new PointDistances(points);
        for (final LabeledPoint center : centers)
        {
            final MemorySegment dense = MemorySegment.ofArray(new double[center.features()]);
            center.addTo(1, dense, 0);
            distances.addCenter(dense, 0, center.features());
        }
        return distances;
    }
}
