/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select;

import org.junit.jupiter.api.Test;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.select.model.CostModel;
import org.tutti.collectives.select.model.CostModelFile;
import org.tutti.collectives.select.model.WireKind;

import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class LinkTuningsTest
{
    /** 1 ms each way at 1 GB/s: 2 MB on the way. */
    private static final CostModel LONG_WAY = CostModel.of(WireKind.SHM, WireKind.TCP)
        .with(Map.of("network.latency", 1e6, "network.byte", 1.0));
    private static final HostMap HOSTS = HostMap.inOrder(8, 2);

    @Test
    void shouldKeepMeasuredValuesWhenRanksShareMemory()
    {
        for (final Algorithm algorithm : Algorithms.all())
        {
            for (long bytes = 0; bytes < 1L << 32; bytes = 4 * bytes + 1)
            {
                assertEquals(Defaults.tuningOf(algorithm, bytes),
                    LinkTunings.of(algorithm, bytes, HostMap.one(8), WireKind.SHM, LONG_WAY));
            }
        }
    }

    @Test
    void shouldHaveTheBandwidthDelayProductInFlightWhenTheCallIsLongEnough()
    {
        checkInFlight(HOSTS, LONG_WAY);
    }

    /** As in containers of one host: a model that was calibrated between hosts applies to the same wire within one. */
    @Test
    void shouldHaveTheBandwidthDelayProductInFlightWhenRanksOfOneHostDoNotShareMemory()
    {
        final CostModelFile file = CostModelFile.of("test", Map.of(
            "version", "1", "wire", "tcp", "network.latency", "1e6", "network.byte", "1"));

        checkInFlight(HostMap.one(8), CostModelFile.model(file, WireKind.TCP, WireKind.TCP));
    }

    private static void checkInFlight(final HostMap hosts, final CostModel model)
    {
        final double product = LinkTunings.product(hosts, model);
        assertTrue(product > 2e6 && product < 2.1e6, "product=" + product);
        for (final Algorithm algorithm : Algorithms.all())
        {
            // As the selector does, which does not know the length if ranks know only their own counts.
            final long bytes = algorithm.collective().hasLocalCounts() ? 0 : 1L << 30;
            final Tuning tuning = LinkTunings.of(algorithm, bytes, hosts, WireKind.TCP, model);

            // Twice the product, as credits wait behind data.
            assertTrue((double)tuning.segmentBytes() * tuning.window() >= 2 * product, algorithm + ": " + tuning);
            assertTrue(tuning.window() <= LinkTunings.WINDOW, algorithm + ": " + tuning);
        }
    }

    @Test
    void shouldNotHaveLongerSegmentsThanTheCall()
    {
        final Algorithm ring = Algorithms.named(Collective.ALLGATHER, "ring");

        assertTrue(LinkTunings.of(ring, 300_000, HOSTS, WireKind.TCP, LONG_WAY).segmentBytes() < 600_000);
    }

    @Test
    void shouldNotHaveShortSegmentsOverTcp()
    {
        final CostModel model = CostModel.of(WireKind.TCP, WireKind.TCP);
        for (final HostMap hosts : List.of(HostMap.one(2), HostMap.inOrder(4, 2)))
        {
            for (final Algorithm algorithm : Algorithms.all())
            {
                final long measured = Defaults.tuningOf(algorithm, 1 << 20).segmentBytes();
                assertEquals(Math.max(128 << 10, measured),
                    LinkTunings.of(algorithm, 1 << 20, hosts, WireKind.TCP, model).segmentBytes(), algorithm::toString);
            }
        }
        final Algorithm binomial = Algorithms.named(Collective.BROADCAST, "binomial");
        assertEquals(32 << 10,
            LinkTunings.of(binomial, 1 << 20, HOSTS, WireKind.VERBS, CostModel.DEFAULT).segmentBytes());
    }

    @Test
    void shouldUseTheLinkOfTheCostModelWhenRanksAreOnSeveralHosts()
    {
        final AlgorithmSelector near = AlgorithmSelector.of("allgather:0-:ring");
        final AlgorithmSelector far = near.over(near.wires(), LONG_WAY, "test");
        final Choice one = near.choose(Collective.ALLGATHER, HOSTS, 1 << 24, OperandOrder.ANY);
        final Choice other = far.choose(Collective.ALLGATHER, HOSTS, 1 << 24, OperandOrder.ANY);

        assertEquals(4 * (256 << 10), one.window() * one.segmentBytes());
        assertEquals(8 * (256 << 10), other.window() * other.segmentBytes());
        assertEquals(one.segmentBytes(),
            far.choose(Collective.ALLGATHER, HostMap.one(8), 1 << 24, OperandOrder.ANY).segmentBytes());
    }
}
