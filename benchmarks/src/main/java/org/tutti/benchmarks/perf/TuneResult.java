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
 * @param plan    plan of the measurements.
 * @param timesUs times by case and algorithm, in microseconds: the least mean of a call, infinite where the algorithm
 *                cannot do it.
 */
record TuneResult(TunePlan plan, List<double[]> timesUs)
{
    /** An algorithm gives way to one that is faster by more than this; less may be noise. */
    private static final double MARGIN = 1.05;
    /** Below this, how long a call is counts for little. */
    private static final long SHORT = 1 << 10;

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
     * The lines of a table: bands of lengths that end half way, by factors, between the sizes whose choices differ.
     * What is longer than the longest that was measured is in none, nor what is shorter than the shortest, unless that
     * is so short that what is shorter takes as long.
     *
     * @param size number of ranks.
     * @return lines for {@code TUTTI_TUNING}.
     */
    List<String> lines(final int size)
    {
        final int[] choices = choices();
        final List<String> lines = new ArrayList<>();
        long from = start(0);
        for (int i = 0; i < choices.length; i++)
        {
            final TunePlan.Case aCase = plan.cases().get(i);
            final boolean isLast = i + 1 == choices.length || isFirst(i + 1);
            if (isLast || choices[i + 1] != choices[i])
            {
                final long end = isLast ? aCase.bytes() + 1 : Math.round(
                    Math.sqrt((double)aCase.bytes()) * Math.sqrt((double)plan.cases().get(i + 1).bytes()));
                lines.add(aCase.operation().label() + " " + size + " " + from + "-" + end + " " +
                    aCase.algorithms().get(choices[i]));
                from = isLast ? start(i + 1) : end;
            }
        }
        return lines;
    }

    /** Where the first band of a collective begins. */
    private long start(final int index)
    {
        final boolean isShort = index == timesUs.size() || plan.cases().get(index).bytes() <= SHORT;
        return isShort ? 0 : plan.cases().get(index).counts().getFirst() * TunePlan.ELEMENT;
    }

    /** Whether a case is the first of its collective. */
    boolean isFirst(final int index)
    {
        return index == 0 || plan.cases().get(index - 1).operation() != plan.cases().get(index).operation();
    }
}
