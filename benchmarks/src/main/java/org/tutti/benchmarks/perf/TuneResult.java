/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import java.util.ArrayList;
import java.util.List;

/**
 * What was measured of a plan, and which algorithms follow from it.
 *
 * @param plan    what was measured.
 * @param timesUs by case and algorithm: the least mean of a call, infinite where the algorithm cannot do it.
 */
record TuneResult(TunePlan plan, List<double[]> timesUs)
{
    /** An algorithm gives way to one that is faster by more than this; less may be noise. */
    private static final double MARGIN = 1.05;

    /**
     * Which algorithm each case gets: the fastest, but the one of the size before if that is as good as the fastest.
     *
     * @return by case, the index of the algorithm.
     */
    int[] choices()
    {
        final int[] choices = new int[timesUs.size()];
        for (int i = 0; i < choices.length; i++)
        {
            final double[] times = timesUs.get(i);
            int best = 0;
            for (int algorithm = 1; algorithm < times.length; algorithm++)
            {
                best = times[algorithm] < times[best] ? algorithm : best;
            }
            final boolean isFirst = isFirst(i);
            choices[i] = !isFirst && times[choices[i - 1]] <= MARGIN * times[best] ? choices[i - 1] : best;
        }
        return choices;
    }

    /**
     * The lines of a table: bands of lengths, from 0 to any, that end half way, by factors, between the sizes whose
     * choices differ.
     *
     * @param size how many ranks.
     * @return lines for {@code TUTTI_TUNING}.
     */
    List<String> lines(final int size)
    {
        final int[] choices = choices();
        final List<String> lines = new ArrayList<>();
        long from = 0;
        for (int i = 0; i < choices.length; i++)
        {
            final TunePlan.Case aCase = plan.cases().get(i);
            final boolean isLast = i + 1 == choices.length || isFirst(i + 1);
            if (isLast || choices[i + 1] != choices[i])
            {
                final long end = isLast ? 0 : Math.round(
                    Math.sqrt((double)aCase.bytes()) * Math.sqrt((double)plan.cases().get(i + 1).bytes()));
                lines.add(aCase.operation().label() + " " + size + " " + from + "-" + (isLast ? "" : end) + " " +
                    aCase.algorithms().get(choices[i]));
                from = isLast ? 0 : end;
            }
        }
        return lines;
    }

    /** Whether a case is the first of its collective. */
    boolean isFirst(final int index)
    {
        return index == 0 || plan.cases().get(index - 1).operation() != plan.cases().get(index).operation();
    }
}
