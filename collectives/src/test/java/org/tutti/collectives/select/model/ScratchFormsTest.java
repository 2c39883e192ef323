/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select.model;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Compares the estimate with schedules: if it is too low, a run shortens segments that the model did not; if it is too
 * high, the model passes over algorithms that fit.
 */
class ScratchFormsTest
{
    private static final int ELEMENT = 4;
    private static final int SEGMENT = 4096;
    private static final int WINDOW = 4;
    /** The estimate is an upper bound for all placements of as many ranks on as many hosts. */
    private static final double MOST = 2;
    /** Parts of slots are rounded up to a multiple of a cache line. */
    private static final double ROUNDING = 128;

    static Stream<Algorithm> algorithms()
    {
        return Algorithms.all().stream().filter(algorithm -> TimeForms.of(algorithm) != null);
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void shouldEstimateScratchOfSchedules(final Algorithm algorithm)
    {
        final List<String> wrong = new ArrayList<>();
        for (final HostMap hosts : List.of(HostMap.one(2), HostMap.one(5), HostMap.one(8), HostMap.one(48),
            HostMap.inOrder(13, 1), HostMap.inOrder(16, 4), HostMap.inOrder(18, 4), HostMap.inOrder(40, 8)))
        {
            for (final long count : new long[] {1, 100, 1000, 5000, 20_000, 100_000})
            {
                check(algorithm, hosts, count, wrong);
            }
        }
        assertTrue(wrong.isEmpty(), () -> String.join("\n", wrong));
    }

    private static void check(
        final Algorithm algorithm, final HostMap hosts, final long count, final List<String> wrong)
    {
        if ((algorithm.readsPeers() && !algorithm.usesHosts() && hosts.number() > 1) ||
            (algorithm.usesHosts() && !hosts.isHierarchical()) || algorithm.collective() == Collective.BARRIER)
        {
            return;
        }
        final long actual = ELEMENT * algorithm.generate(new ScheduleRequest(0, hosts.size(), count, 0,
            algorithm.collective() == Collective.BROADCAST, SEGMENT, WINDOW).withHosts(hosts)).scratchCount();
        final double bytes = (double)count * ELEMENT * (algorithm.collective().hasBlocks() ? hosts.size() : 1);
        final ModelledCall call = new ModelledCall(
            ModelledRanks.of(hosts, CostModel.DEFAULT), bytes, SEGMENT * ELEMENT, WINDOW);
        final double estimated = ScratchForms.bytes(algorithm, call, SEGMENT * ELEMENT);
        final double rounding = hosts.size() * ROUNDING;
        if (actual > 1.1 * estimated + rounding || (actual > 0 && estimated > MOST * actual + rounding))
        {
            wrong.add(algorithm + ", " + hosts.size() + " ranks on " + hosts.number() + " hosts, " + count +
                " elements: " + actual + " bytes, estimated " + estimated);
        }
    }
}
