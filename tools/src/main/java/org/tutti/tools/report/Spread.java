/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.report;

import java.util.stream.IntStream;

/** Keeps labels apart. */
final class Spread
{
    private Spread()
    {
    }

    /**
     * Moves places as little down, and then up, as it takes.
     *
     * @param wanted where labels would best be.
     * @param gap    minimum distance between two labels.
     * @param first  place.
     * @param last   place; passed if there are more labels than fit.
     * @return the places, in the order of the labels.
     */
    static double[] of(final double[] wanted, final double gap, final double first, final double last)
    {
        final int[] order = IntStream.range(0, wanted.length).boxed()
            .sorted((left, right) -> Double.compare(wanted[left], wanted[right])).mapToInt(Integer::intValue).toArray();
        final double[] places = new double[wanted.length];
        double least = first;
        for (final int each : order)
        {
            places[each] = Math.max(wanted[each], least);
            least = places[each] + gap;
        }
        double most = Math.max(last, first + (wanted.length - 1) * gap);
        for (int i = order.length - 1; i >= 0; i--)
        {
            places[order[i]] = Math.min(places[order[i]], most);
            most = places[order[i]] - gap;
        }
        return places;
    }
}
