/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import java.util.List;
import java.util.stream.IntStream;

/**
 * What is checked of a partition's points before a training, so that all ranks see the same problem.
 *
 * @param points       number of points.
 * @param features     number of features of all points; 0 without points; {@link #MIXED} if points differ.
 * @param isValid      whether all labels are valid.
 * @param invalidLabel the first label that is not valid; 0 if all are.
 */
record PartitionFacts(long points, int features, boolean isValid, double invalidLabel)
{
    /** Number of numbers that {@link #encode()} returns. */
    static final int LENGTH = 4;
    private static final int MIXED = -1;
    private static final String NO_POINTS = "there are no points to train with";

    static PartitionFacts of(final List<LabeledPoint> points, final PointKernel kernel)
    {
        final int[] features = points.stream().mapToInt(LabeledPoint::features).distinct().limit(2).toArray();
        final double[] invalid =
            points.stream().mapToDouble(LabeledPoint::label).filter(label -> !kernel.isValid(label)).limit(1).toArray();
        return new PartitionFacts(points.size(), features.length > 1 ? MIXED : features.length == 0 ? 0 : features[0],
            invalid.length == 0, invalid.length == 0 ? 0 : invalid[0]);
    }

    /** Returns the facts as numbers, which ranks exchange and any serializer of Spark can read. */
    double[] encode()
    {
        return new double[] {points, features, isValid ? 1 : 0, invalidLabel};
    }

    private static PartitionFacts decode(final double[] numbers, final int start)
    {
        return new PartitionFacts(
            (long)numbers[start], (int)numbers[start + 1], numbers[start + 2] == 1, numbers[start + 3]);
    }

    /**
     * Combines the facts of all partitions.
     *
     * @param numbers encoded facts of all partitions, one after another.
     * @param kernel  what is summed.
     * @return facts of all points.
     * @throws InvalidDataException if there are no points, or these cannot be used; names the ranks, which are the
     *                              indices of the partitions.
     */
    static PartitionFacts combine(final double[] numbers, final PointKernel kernel)
    {
        final List<PartitionFacts> all = IntStream.range(0, numbers.length / LENGTH)
            .mapToObj(i -> decode(numbers, i * LENGTH)).toList();
        final List<PartitionFacts> known = all.stream().filter(facts -> facts.points > 0).toList();
        if (known.isEmpty())
        {
            throw new InvalidDataException(NO_POINTS);
        }
        final int features = known.getFirst().features;
        if (known.stream().anyMatch(facts -> facts.features != features || facts.features == MIXED))
        {
            throw new InvalidDataException("partitions have different numbers of features: " + RankGroups.of(all,
                facts -> facts.features == MIXED ? "several" : Integer.toString(facts.features)).without("0")
                .describe() + ": give all points the same number of features");
        }
        final RankGroups invalid = RankGroups.of(all, facts -> facts.isValid ? "" : Double.toString(facts.invalidLabel))
            .without("");
        if (!invalid.isEmpty())
        {
            throw new InvalidDataException(
                "labels must be " + kernel.validLabels() + ": " + invalid.describe() + ": drop or change these points");
        }
        return new PartitionFacts(known.stream().mapToLong(PartitionFacts::points).sum(), features, true, 0);
    }
}
