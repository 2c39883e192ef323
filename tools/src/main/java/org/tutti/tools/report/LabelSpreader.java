/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.report;

import java.util.stream.IntStream;

/** Spreads labels so that they do not overlap. */
final class LabelSpreader
{
    private LabelSpreader()
    {
    }

    /**
     * Moves positions as little as needed, first down, then up.
     *
     * @param wanted preferred positions of the labels.
     * @param gap    minimum distance between two labels.
     * @param first  first allowed position.
     * @param last   last allowed position; exceeded if there are more labels than fit.
     * @return positions in the order of the labels.
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
