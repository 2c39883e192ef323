/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.select.RuleScope;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Measured times of a plan, and the algorithms chosen from them.
 *
 * @param plan      plan of the measurements.
 * @param timesUs   times by case and algorithm in microseconds: the minimum over rounds of the mean time of a call,
 *                  infinite if the algorithm does not support the case. If an operation does not synchronize all
 *                  ranks, the time includes the barrier that follows the call.
 * @param barrierUs time of a barrier in microseconds.
 */
record TuneResult(TunePlan plan, List<double[]> timesUs, double barrierUs)
{
    /** Minimum speedup for a change of algorithm; less may be noise. */
    private static final double MARGIN = 1.05;
    /** Length in bytes below which the duration of a call hardly depends on the length. */
    private static final long SHORT = 1 << 10;
    /** Minimum share of a time that the call itself takes, where the barrier after it overlaps with it. */
    private static final double LEAST_PART = 0.1;

    /**
     * Chooses an algorithm for each case: the fastest, unless the one chosen for the previous size takes at most
     * {@link #MARGIN} times as long.
     *
     * @return index of the algorithm, by case.
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
     * Lines of a tuning table: ranges of lengths. A bound is the geometric mean of two successive sizes with different
     * choices. Lengths above the largest measured size have no entry; nor do lengths below the smallest one, unless
     * that is so short that shorter calls take as long.
     *
     * @param size  number of ranks.
     * @param scope wire and placement of the ranks.
     * @return lines for {@code TUTTI_TUNING}.
     */
    List<String> lines(final int size, final RuleScope scope)
    {
        final int[] choices = choices();
        final List<String> lines = new ArrayList<>();
        long from = start(0);
        for (int i = 0; i < choices.length; i++)
        {
            final TunePlan.TuneCase aCase = plan.cases().get(i);
            final boolean isLast = i + 1 == choices.length || isFirst(i + 1);
            if (isLast || choices[i + 1] != choices[i])
            {
                final long end = isLast ? aCase.bytes() + 1 : Math.round(
                    Math.sqrt((double)aCase.bytes()) * Math.sqrt((double)plan.cases().get(i + 1).bytes()));
                lines.add(aCase.operation().label() + " " + size + " " + from + "-" + end + " " +
                    aCase.algorithms().get(choices[i]) + (scope.equals(RuleScope.ANY) ? "" : " " + scope));
                from = isLast ? start(i + 1) : end;
            }
        }
        return lines;
    }

    /** Time of a call in microseconds, without a barrier that follows it. */
    double callUs(final int index, final int algorithm)
    {
        final double us = timesUs.get(index)[algorithm];
        return plan.cases().get(index).operation().waitsForAll() ? us : Math.max(us - barrierUs, LEAST_PART * us);
    }

    /**
     * Lines of a file that {@code tutti calibrate} reads.
     *
     * @param size number of ranks.
     * @return lines collective,algorithm,ranks,bytes,microseconds.
     */
    List<String> times(final int size)
    {
        final List<String> lines = new ArrayList<>();
        for (int i = 0; i < timesUs.size(); i++)
        {
            final TunePlan.TuneCase aCase = plan.cases().get(i);
            for (int a = 0; a < aCase.algorithms().size(); a++)
            {
                if (timesUs.get(i)[a] < Double.POSITIVE_INFINITY)
                {
                    lines.add(String.format(Locale.ROOT, "%s,%s,%d,%d,%.3f", aCase.operation().label(),
                        aCase.algorithms().get(a), size, aCase.counts().get(a) * TunePlan.ELEMENT, callUs(i, a)));
                }
            }
        }
        return lines;
    }

    /** Start of the first range of a collective. */
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
