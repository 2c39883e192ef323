/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.select.AlgorithmSelector;
import org.tutti.collectives.select.OperandOrder;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The algorithms that the measured calls would get without a tuning table, by measured defaults or the cost model.
 *
 * @param result  measured times.
 * @param indexes index of the algorithm, by case; -1 if it was not measured.
 */
record UntunedChoices(TuneResult result, List<Integer> indexes)
{
    /** A slowdown up to this factor is counted as a good choice. */
    private static final double GOOD = 1.25;

    /**
     * Asks a selector.
     *
     * @param result   measured times.
     * @param selector selector of the measured ranks, whose overrides and table are ignored.
     * @param hosts    hosts of the measured ranks.
     */
    static UntunedChoices of(final TuneResult result, final AlgorithmSelector selector, final HostMap hosts)
    {
        final AlgorithmSelector untuned = selector.withoutRules();
        final List<Integer> indexes = new ArrayList<>();
        for (final TunePlan.TuneCase aCase : result.plan().cases())
        {
            indexes.add(aCase.algorithms().indexOf(untuned.algorithm(
                TunePlan.collective(aCase.operation()), hosts, aCase.bytes(), OperandOrder.ANY).name()));
        }
        return new UntunedChoices(result, indexes);
    }

    /** Time of a case's choice over that of its fastest algorithm; 0 if it was not measured. */
    double slowdown(final int index)
    {
        final int chosen = indexes.get(index);
        double best = Double.POSITIVE_INFINITY;
        for (int a = 0; a < result.timesUs().get(index).length; a++)
        {
            best = Math.min(best, result.callUs(index, a));
        }
        final double us = chosen < 0 ? Double.POSITIVE_INFINITY : result.callUs(index, chosen);
        return us < Double.POSITIVE_INFINITY ? us / best : 0;
    }

    /** Summarizes the slowdowns in a sentence. */
    String summary()
    {
        int measured = 0;
        int good = 0;
        double most = 0;
        for (int i = 0; i < indexes.size(); i++)
        {
            final double slowdown = slowdown(i);
            measured += slowdown > 0 ? 1 : 0;
            good += slowdown > 0 && slowdown <= GOOD ? 1 : 0;
            most = Math.max(most, slowdown);
        }
        final int all = indexes.size();
        return measured == 0 ? "the algorithms without a table were not measured" : String.format(Locale.ROOT,
            "without a table, calls take at most %.2f times as long as the fastest algorithm at %d of %d sizes, and " +
            "at most %.2f times at all", GOOD, good, measured, most) + (measured == all ? "" :
            "; the algorithm without a table was not measured at " + (all - measured) + " of all " + all + " sizes");
    }
}
