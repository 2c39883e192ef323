/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import org.junit.jupiter.api.Test;
import org.tutti.benchmarks.perf.Operation;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static org.junit.jupiter.api.Assertions.assertEquals;

class CaseResultTest
{
    @Test
    void shouldComputeMedianMinimumAndMaximum()
    {
        final CaseResult result = of(sample("Tutti", 60, 3), sample("Tutti", 60, 1), sample("Tutti", 61, 7),
            sample("MPICH 4.0.2", 60, 5), sample("MPICH 4.0.2", 60, 8));

        assertEquals(new Figure(3, 1, 7), result.rows().get(4L).get("Tutti"));
        assertEquals(new Figure(6.5, 5, 8), result.rows().get(4L).get("MPICH 4.0.2"));
        assertEquals(6.5 / 3, CaseResult.ratio(result.rows().get(4L), "MPICH 4.0.2"));
        assertEquals(Map.of("Tutti", 3L, "MPICH 4.0.2", 2L), result.rounds());
    }

    @Test
    void shouldCountOnlyRunsNearLowestLatency()
    {
        final CaseResult result = of(sample("Tutti", 260, 9), sample("Tutti", 57, 1), sample("Open MPI v4", 85, 2),
            sample("Open MPI v4", 86, 9));

        assertEquals(new Figure(1, 1, 1), result.rows().get(4L).get("Tutti"));
        assertEquals(new Figure(2, 2, 2), result.rows().get(4L).get("Open MPI v4"));
        assertEquals("57-85", result.coreToCoreNs());
        assertEquals(2, result.discarded());
    }

    @Test
    void shouldCountAllRunsWhenAPeerHasNoneNearLowestLatency()
    {
        final CaseResult result = of(sample("Tutti", 260, 9), sample("Open MPI v4", 57, 2));

        assertEquals("57-260", result.coreToCoreNs());
        assertEquals(0, result.discarded());
        assertEquals(new Figure(9, 9, 9), result.rows().get(4L).get("Tutti"));
    }

    @Test
    void shouldListTuttiFirstAndRooflineLast()
    {
        final CaseResult result = of(sample("roofline", 0, 1), sample("Open MPI v4", 0, 1), sample("Tutti", 0, 1),
            sample("MPICH 4", 0, 1));

        assertEquals(List.of("Tutti", "MPICH 4", "Open MPI v4", "roofline"), List.copyOf(result.rounds().keySet()));
        assertEquals(List.of("MPICH 4", "Open MPI v4"), result.peers());
    }

    @Test
    void shouldMarkFasterOnlyWhenRangesDoNotOverlap()
    {
        final Map<String, Figure> row = Map.of("Tutti", new Figure(2, 1, 3), "slow", new Figure(5, 4, 6),
            "near", new Figure(4, 3, 6), "fast", new Figure(0.5, 0.4, 0.9));

        assertEquals(Mark.FASTER, Mark.of(row, "slow"));
        assertEquals(Mark.ALIKE, Mark.of(row, "near"));
        assertEquals(Mark.SLOWER, Mark.of(row, "fast"));
        assertEquals(Mark.NONE, Mark.of(row, "absent"));
    }

    @Test
    void shouldRotateFirstPeer()
    {
        final SuitePlan plan = new SuitePlan(List.of(), List.of(peer("a"), peer("b"), peer("c")),
            5, 4, 64, 4);

        assertEquals(List.of("a", "b", "c", "a"), List.of(0, 1, 2, 3).stream()
            .map(round -> plan.order(Reports.CASE, round).getFirst().name()).toList());
        assertEquals(3, plan.order(Reports.CASE, 1).size());
    }

    @Test
    void shouldSelectSupportedForm()
    {
        assertEquals("in", Case.of(Operation.BROADCAST, false, 2, "none", Wire.SHM, "").form());
        assertEquals("out", Case.of(Operation.BARRIER, true, 2, "none", Wire.SHM, "").form());
        assertEquals("out", Case.of(Operation.SENDRECV, true, 2, "none", Wire.SHM, "").form());
        assertEquals("in", Case.of(Operation.ALLREDUCE, true, 2, "none", Wire.SHM, "").form());
        assertEquals(32, Case.of(Operation.ALLGATHER, false, 8, "none", Wire.SHM, "").first(4));
    }

    private static CaseResult of(final Sample... samples)
    {
        return CaseResult.of(Reports.CASE, Reports.CONDITIONS, List.of(samples));
    }

    private static Sample sample(final String who, final int coreToCoreNs, final double timeUs)
    {
        return new Sample(1, who, coreToCoreNs, new TreeMap<>(Map.of(4L, timeUs)));
    }

    private static Peer peer(final String name)
    {
        return new MpiPeer(name, "mpirun", null, 1);
    }
}
