/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.schedule;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.select.AlgorithmSelector;
import org.tutti.collectives.select.Choice;
import org.tutti.collectives.select.OperandOrder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ScratchLimitsTest
{
    private static final long SCRATCH = 4L << 20;
    private static final ScratchLimits LIMITS = new ScratchLimits(SCRATCH, SCRATCH);
    private static final Algorithm ONE_SHOT = Algorithms.named(Collective.ALLREDUCE, "one_shot");

    @Test
    void shouldKeepSegmentThatFits()
    {
        assertEquals(1024, LIMITS.generate(ONE_SHOT, request(8, 1024, 1024), 4).request().segment());
    }

    @Test
    void shouldHalveSegmentUntilScheduleFits()
    {
        final Schedule schedule = LIMITS.generate(ONE_SHOT, request(512, 16384, 16384), 4);

        // Two sets of slots of all ranks.
        assertEquals(1024, schedule.request().segment());
        assertEquals(SCRATCH, 4 * schedule.scratchCount());
    }

    @Test
    void shouldNameLimitWhenNoSegmentFits()
    {
        assertEquals("one_shot on 64 ranks needs more than TUTTI_SCRATCH=100: increase it, or choose another " +
            "algorithm with TUTTI_ALGORITHM", assertThrows(IllegalArgumentException.class,
            () -> new ScratchLimits(100, 100).generate(ONE_SHOT, request(64, 4, 4), 4)).getMessage());
    }

    @Test
    void shouldNameLimitsWhenSegmentsThatFitNeedTooManySteps()
    {
        final String message = assertThrows(IllegalArgumentException.class,
            () -> LIMITS.generate(ONE_SHOT, request(16384, 262144, 16384), 4)).getMessage();

        assertTrue(message.startsWith("one_shot on 16384 ranks needs more than TUTTI_SCRATCH=4194304, and too many " +
            "steps with segments of "), message);
        assertTrue(message.endsWith(": increase TUTTI_SCRATCH, or choose another algorithm with TUTTI_ALGORITHM"),
            message);
    }

    /** The engine generates what the selector chooses: without an override, no call may fail there. */
    @Property(tries = 150)
    void shouldBuildWhateverIsChosen(
        @ForAll("collectives") final Collective collective, @ForAll @IntRange(min = 1, max = 2048) final int size,
        @ForAll @IntRange(min = 1, max = 16) final int ranksPerHost,
        @ForAll @LongRange(min = 0, max = 1 << 22) final long bytes)
    {
        final HostMap hosts = HostMap.inOrder(size, ranksPerHost);
        final long count = bytes / 4 / (collective.hasBlocks() ? size : 1);
        final Choice choice = AlgorithmSelector.of(null).choose(
            collective, hosts, count * 4 * (collective.hasBlocks() ? size : 1), OperandOrder.ANY);

        final Schedule schedule = LIMITS.generate(choice.algorithm(), choice.request(
            0, size, collective == Collective.BARRIER ? 0 : count, 4, 0, collective == Collective.BROADCAST)
            .withHosts(hosts), 4);

        assertTrue(4 * schedule.scratchCount() <= SCRATCH, () -> choice.toString());
    }

    @Provide
    Arbitrary<Collective> collectives()
    {
        return Arbitraries.of(Algorithms.all().stream().map(Algorithm::collective).distinct().toList());
    }

    private static ScheduleRequest request(final int size, final long count, final long segment)
    {
        return new ScheduleRequest(0, size, count, 0, false, segment, 1);
    }
}
