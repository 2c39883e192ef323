/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select.model;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.Collective;

import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ModelledTimesTest
{
    private static final long SCRATCH_BYTES = 4L << 20;
    private static final long SEGMENT = 1 << 16;
    private static final int WINDOW = 4;
    private static final double ROUNDING = 1e-9;
    private static final Algorithm ONE_SHOT = Algorithms.named(Collective.ALLREDUCE, "one_shot");
    private static final Algorithm BARRIER = Algorithms.named(Collective.BARRIER, "dissemination");

    @ParameterizedTest
    @CsvSource({"16, 16", "16, 8", "13, 8", "11, 4"})
    void shouldMultiplyOnlyProcessorTimeWhenRanksShareCores(final int size, final int perHost)
    {
        final HostMap hosts = HostMap.inOrder(size, perHost);
        final double factor = hosts.largest() / 2.0;
        final ModelledTimes alone = times(hosts, Map.of());
        final ModelledTimes shared = times(hosts, Map.of("host.cores", 2.0));
        for (final Algorithm algorithm : Algorithms.all())
        {
            for (long bytes = 8; bytes <= 1 << 24; bytes *= 64)
            {
                final double ns = alone.ns(algorithm, bytes, SEGMENT, WINDOW);
                final double sharedNs = shared.ns(algorithm, bytes, SEGMENT, WINDOW);
                final String what = algorithm + ", " + bytes + " bytes: " + ns + " ns, " + sharedNs + " ns";

                assertTrue(ns == Double.POSITIVE_INFINITY ? sharedNs == ns : sharedNs > ns, what);
                assertTrue(sharedNs <= (1 + ROUNDING) * factor * ns, what);
            }
        }
    }

    @Test
    void shouldAddTheTimeOfAYieldToWaitsOnlyWhenRanksShareCores()
    {
        final HostMap hosts = HostMap.one(8);
        final double ns = times(hosts, Map.of("host.cores", 2.0)).ns(BARRIER, 0, SEGMENT, WINDOW);

        // A dissemination barrier of eight ranks has three waits.
        assertEquals(ns + 3 * 2000,
            times(hosts, Map.of("host.cores", 2.0, "host.yield", 2000.0)).ns(BARRIER, 0, SEGMENT, WINDOW), 1e-6);
        assertEquals(times(hosts, Map.of()).ns(BARRIER, 0, SEGMENT, WINDOW),
            times(hosts, Map.of("host.cores", 8.0, "host.yield", 2000.0)).ns(BARRIER, 0, SEGMENT, WINDOW));
    }

    @Test
    void shouldWaitForTheAcknowledgementOfMessagesThatTheAdapterReads()
    {
        final HostMap hosts = HostMap.inOrder(2, 1);
        final Map<String, Double> far = Map.of("network.latency", 1e6);
        final ModelledTimes verbs = times(hosts, far);
        final ModelledTimes tcp = times(hosts, CostModel.of(WireKind.SHM, WireKind.TCP).with(far));

        assertEquals(1e6, verbs.ns(ONE_SHOT, 256, SEGMENT, WINDOW), 5e4);
        assertEquals(2e6, verbs.ns(ONE_SHOT, 260, SEGMENT, WINDOW), 5e4);
        assertEquals(1e6, tcp.ns(ONE_SHOT, 260, SEGMENT, WINDOW), 5e4);
    }

    @Test
    void shouldRemainFiniteWhenAllParametersAreTheLargest()
    {
        final ModelledTimes times = times(HostMap.one(16_384), Map.of(
            "host.cores", 1.0, "host.yield", 1e12, "host.send", 1e12, "host.receive", 1e12, "host.latency", 1e12));

        assertTrue(Double.isFinite(times.ns(BARRIER, 0, SEGMENT, WINDOW)));
    }

    private static ModelledTimes times(final HostMap hosts, final Map<String, Double> values)
    {
        return times(hosts, CostModel.of(WireKind.SHM, WireKind.VERBS).with(values));
    }

    private static ModelledTimes times(final HostMap hosts, final CostModel model)
    {
        return new ModelledTimes(hosts, model, SCRATCH_BYTES);
    }
}
