/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.collectives.select.model.CostModel;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

class ContentionTest
{
    private static final double ALPHA = 1e-6;
    private static final double BETA = 1e-9;
    private static final long COUNT = 1000;
    private static final double ON_LINK = COUNT * Calls.ELEMENT * BETA;

    /** Each rank sends once, to the rank given by a table, or not at all. */
    private record Pattern(List<Integer> to) implements ScheduleGenerator
    {
        @Override
        public Schedule generate(final ScheduleRequest request)
        {
            final ScheduleBuilder steps = new ScheduleBuilder(request);
            if (to.get(request.rank()) >= 0)
            {
                steps.put(to.get(request.rank()), 0, INPUT.at(0), SCRATCH.at(0), request.count());
            }
            for (int from = 0; from < to.size(); from++)
            {
                if (to.get(from) == request.rank())
                {
                    steps.await(from, 0);
                }
            }
            return steps.build();
        }
    }

    @Test
    void shouldSerializeMessagesOnLinkToHost()
    {
        assertEquals(ALPHA + 3 * ON_LINK, seconds("flat", 4, 3, 3, 3, -1), 1e-15);
    }

    @Test
    void shouldSerializeMessagesOnLinkFromHost()
    {
        assertEquals(ALPHA + 2 * ON_LINK, seconds("hosts:2", 6, 2, 4, -1, -1, -1, -1), 1e-15);
    }

    @Test
    void shouldNotDelayIndependentPairs()
    {
        assertEquals(ALPHA + ON_LINK, seconds("flat", 4, 1, 0, 3, 2), 1e-15);
    }

    @ParameterizedTest
    @CsvSource({
        // Two hosts per edge switch with two uplinks, or three hosts with one uplink.
        "fat-tree:4, 1", "'fat-tree:4,3', 3"})
    void shouldShareUplinksWhenOversubscribed(final String topology, final int shared)
    {
        final int hosts = shared == 1 ? 2 : 3;
        final int[] to = new int[2 * hosts];
        for (int i = 0; i < hosts; i++)
        {
            to[i] = hosts + i;
            to[hosts + i] = -1;
        }

        assertEquals(ALPHA + shared * ON_LINK, seconds(topology, 2 * hosts, to), 1e-15);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void shouldAddLatencyOfEachSwitch(final int switches)
    {
        final CostModel model = Calls.ALPHA_BETA.with(Map.of("switch", 100.0));
        final int to = switches == 1 ? 1 : switches == 2 ? 2 : 4;
        final int passed = switches == 2 ? 3 : switches;
        final int[] table = new int[16];
        Arrays.fill(table, -1);
        table[0] = to;

        // Switches of four ports: two hosts per edge switch, four per pod.
        final double seconds = Calls.simulator(model, "fat-tree:4", 16)
            .full(Calls.of(pattern(table), 16, COUNT, COUNT, 1)).seconds();

        assertEquals(2 * ALPHA + ON_LINK + passed * 1e-7, seconds, 1e-15);
    }

    @Test
    void shouldRejectInvalidOrTooSmallTopologies()
    {
        final List<String> said = new ArrayList<>();
        for (final String text : List.of("ring", "fat-tree:5", "fat-tree:8,0.5", "hosts:0", "fat-tree:4,1,1"))
        {
            said.add(assertThrows(IllegalArgumentException.class, () -> Topology.parse(text, 4)).getMessage());
        }
        said.add(assertThrows(IllegalArgumentException.class, () -> Topology.parse("fat-tree:4", 17)).getMessage());

        assertEquals(List.of(
            "\"ring\" is not a topology: must be flat, fat-tree:PORTS[,OVERSUBSCRIPTION], host, hosts:RANKS, " +
            "or hosts:RANKS+fat-tree:PORTS[,OVERSUBSCRIPTION]",
            "fat-tree:5: switches must have an even number of ports from 4 to 1024",
            "\"fat-tree:8,0.5\": 0.5 must be from 1 to 1024",
            "\"hosts:0\": 0 must be from 1 to 1048576",
            "\"fat-tree:4,1,1\" is not a topology: must be flat, fat-tree:PORTS[,OVERSUBSCRIPTION], host, " +
            "hosts:RANKS, or hosts:RANKS+fat-tree:PORTS[,OVERSUBSCRIPTION]",
            "\"fat-tree:4\" has 16 hosts, fewer than the 17 of 17 ranks: use switches with more ports, or more " +
            "ranks per host (hosts:8+fat-tree:4)"), said);
    }

    @Test
    void shouldDelayLostMessagesAndTheirSuccessors()
    {
        final SimulatedCall call = Calls.of(Collective.ALLREDUCE, "ring", 8, 8000, 100, 4);
        final Topology flat = Topology.parse("flat", 8);

        final double none = new Simulator(CostModel.DEFAULT, flat, Perturbation.NONE).full(call).seconds();
        final double lost = new Simulator(CostModel.DEFAULT, flat,
            new Perturbation(Map.of(), 0, 1, 0.05, 1e6, 1)).full(call).seconds();

        assertTrue(lost >= none + 1e-3, () -> lost + " with losses, " + none + " without");
    }

    private static Algorithm pattern(final int... to)
    {
        return new Algorithm(
            "pattern", Collective.ALLREDUCE, new Pattern(Arrays.stream(to).boxed().toList()), Set.of());
    }

    private static double seconds(final String topology, final int size, final int... to)
    {
        // Excludes the completion at the sender.
        return -ALPHA + Calls.simulator(Calls.ALPHA_BETA, topology, size)
            .full(Calls.of(pattern(to), size, COUNT, COUNT, 1)).seconds();
    }
}
