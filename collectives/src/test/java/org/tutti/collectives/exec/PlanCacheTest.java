/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.tutti.bootstrap.InMemoryBootstrap;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.comm.Ranks;
import org.tutti.collectives.config.EngineConfiguration;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.wireup.Team;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

class PlanCacheTest
{
    private static final EngineConfiguration CONFIGURATION = EngineConfiguration.of(Map.of());

    private Team team;
    private RegisteredBuffer output;

    @BeforeEach
    void connect()
    {
        team = Team.connect(InMemoryBootstrap.group(1).getFirst(), CONFIGURATION);
        output = team.pool().allocate(Float.BYTES);
    }

    @AfterEach
    void close()
    {
        output.close();
        team.close(null);
    }

    @Test
    void shouldKeepAsManyCollidingShapesAsASetHasWays()
    {
        final PlanCache cache = new PlanCache(team, CONFIGURATION);
        final List<Long> counts = colliding(PlanCache.WAYS);
        final List<Plan> plans = counts.stream().map(count -> find(cache, count)).toList();

        for (int round = 0; round < 3; round++)
        {
            for (int i = 0; i < plans.size(); i++)
            {
                assertSame(plans.get(i), find(cache, counts.get(i)));
            }
        }
    }

    @Test
    void shouldEvictLeastRecentlyUsedShape()
    {
        final PlanCache cache = new PlanCache(team, CONFIGURATION);
        final List<Long> counts = colliding(PlanCache.WAYS + 1);
        final List<Plan> plans = counts.subList(0, PlanCache.WAYS).stream().map(count -> find(cache, count)).toList();

        find(cache, counts.getFirst());
        find(cache, counts.getLast());

        assertSame(plans.getFirst(), find(cache, counts.getFirst()));
        assertSame(plans.get(2), find(cache, counts.get(2)));
        assertSame(plans.get(3), find(cache, counts.get(3)));
        assertNotSame(plans.get(1), find(cache, counts.get(1)));
    }

    @Test
    void shouldDropOtherPlansWhenStepLimitIsExceeded()
    {
        final int perPlan = find(new PlanCache(team, CONFIGURATION), 1).schedule().stepCount;
        final PlanCache cache = new PlanCache(team, CONFIGURATION, 3L * perPlan);
        final Plan first = find(cache, 1);
        find(cache, 2);
        find(cache, 3);
        assertSame(first, find(cache, 1));

        final Plan fourth = find(cache, 4);

        assertSame(fourth, find(cache, 4));
        assertNotSame(first, find(cache, 1));
    }

    @Test
    void shouldKeepPlanWhenItAloneExceedsStepLimit()
    {
        final PlanCache cache = new PlanCache(team, CONFIGURATION, 0);

        assertSame(find(cache, 1), find(cache, 1));
    }

    @Test
    void shouldPrintChoiceOncePerShapeWhenVerbose()
    {
        final String printed = stderrOf(() ->
        {
            try (Ranks ranks = new Ranks(2, Map.of(
                "TUTTI_VERBOSE", "1", "TUTTI_SCRATCH", "64K", "TUTTI_ALGORITHM", "allreduce:0-:ring")))
            {
                ranks.run(communicator ->
                {
                    final DataBuffer buffer = communicator.allocate(DataType.FLOAT32, 1 << 20);
                    for (int i = 0; i < 3; i++)
                    {
                        communicator.allreduce(buffer, buffer, ReduceOp.SUM);
                        communicator.allreduce(new float[1], ReduceOp.SUM);
                    }
                });
            }
        });

        assertEquals("""
            tutti: allreduce of 4194304 bytes, 2 ranks: ring, segment 32768 bytes, window 4 \
            (TUTTI_ALGORITHM for 0-; shorter segments to fit TUTTI_SCRATCH)
            tutti: allreduce of 4 bytes, 2 ranks: ring, segment 65536 bytes, window 4 (TUTTI_ALGORITHM for 0-)
            """, printed);
    }

    private Plan find(final PlanCache cache, final long count)
    {
        return cache.find(call(count));
    }

    private CollectiveCall call(final long count)
    {
        return new CollectiveCall().of(Collective.ALLREDUCE).op(ReduceOp.SUM)
            .shape(DataType.FLOAT32, count, null, null).memory(team.memory().scratch(), output);
    }

    private List<Long> colliding(final int number)
    {
        final List<Long> counts = new ArrayList<>();
        for (long count = 1; counts.size() < number; count++)
        {
            if (set(count) == set(1))
            {
                counts.add(count);
            }
        }
        return counts;
    }

    private int set(final long count)
    {
        return PlanCache.set(call(count), false);
    }

    private static String stderrOf(final Runnable action)
    {
        final PrintStream err = System.err;
        final ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try
        {
            action.run();
        }
        finally
        {
            System.setErr(err);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }
}
