/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.check.Mutations.Mutant;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;
import org.tutti.collectives.schedule.StepKind;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Breaks every algorithm in every small way there is: the checker must notice, unless the mutant is as good as the
 * original. A mutant may be that for one of these reasons only:
 * <ul>
 * <li>it exchanges the operands of a REDUCE, which is commutative;</li>
 * <li>it drops a dependency that others imply: exactly the same steps are ordered as before;</li>
 * <li>it drops a dependency, or a credit that both sides agree to drop, that ordered no conflicting accesses: by a
 * search that shares no code with the checker's, every pair of them still is ordered. (Such credits only limit how far
 * a rank is ahead; the number of arrivals under way must not exceed what the original had.)</li>
 * </ul>
 * Those that lack a dependency or a credit are run, too.
 */
class MutationTest
{
    private static final int PLENTY = 1000;

    static List<ScheduleGenerator> algorithms()
    {
        return Algorithms.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("algorithms")
    void shouldNoticeEveryMistake(final ScheduleGenerator algorithm)
    {
        final long seed = Long.getLong("tutti.test.seed", System.nanoTime());
        final Random random = new Random(seed);
        final Collective collective = algorithm.collective();
        final Set<Mutations.Kind> noticed = EnumSet.noneOf(Mutations.Kind.class);
        final Set<Mutations.Kind> tried = EnumSet.noneOf(Mutations.Kind.class);
        final List<String> missed = new ArrayList<>();
        for (final ScheduleRequest request : requests(collective))
        {
            final List<Schedule> originals = Shapes.schedules(algorithm, request);
            final int depth = ScheduleChecker.check(collective, originals, PLENTY).outstanding();
            final SlowOrder order = new SlowOrder(originals, request.inPlace());
            Mutations.forEach(originals, (mutant) ->
            {
                tried.add(mutant.kind());
                if (!ScheduleChecker.check(collective, mutant.schedules(), depth).isRight())
                {
                    noticed.add(mutant.kind());
                }
                else if (!isAsGood(collective, originals, order, mutant))
                {
                    missed.add(request + ": " + mutant);
                }
                else if (mutant.kind() != Mutations.Kind.SWAP_OPERANDS)
                {
                    NumericRun.assertRight(
                        collective, mutant.schedules(), random, "seed=" + seed + " " + request + ": " + mutant);
                }
            });
        }

        assertEquals(List.of(), missed);
        tried.remove(Mutations.Kind.SWAP_OPERANDS);
        assertEquals(tried, noticed, "kinds of mistakes of which some were noticed");
        assertTrue(tried.contains(Mutations.Kind.DROP_WAIT) && tried.contains(Mutations.Kind.DROP_ARRIVAL));
    }

    private static boolean isAsGood(
        final Collective collective, final List<Schedule> originals, final SlowOrder order, final Mutant mutant)
    {
        final SlowOrder changed = new SlowOrder(mutant.schedules(), originals.getFirst().request().inPlace());
        final boolean sound = changed.ordersAllConflicts() &&
            (collective != Collective.BARRIER || changed.ordersAllEntriesBeforeAllExits());
        return switch (mutant.kind())
        {
            case SWAP_OPERANDS -> changed.isSameAs(order);
            case DROP_DEPENDENCY -> changed.isSameAs(order) || sound;
            case DROP_ARRIVAL ->
                originals.get(mutant.rank()).kind(mutant.step()) == StepKind.SIGNAL && sound;
            default -> false;
        };
    }

    /** Small, but with more segments than slots, chunks of different lengths, and sizes that are no power of two. */
    private static List<ScheduleRequest> requests(final Collective collective)
    {
        final List<ScheduleRequest> requests = new ArrayList<>();
        for (int size = 2; size <= 5; size++)
        {
            // With 4, a lap of the ring has two segments.
            for (final int window : new int[] {1, 2, 4})
            {
                final long count = 2L * size + 1;
                final long broadcastCount = window + 2L;
                switch (collective)
                {
                    case ALLREDUCE ->
                    {
                        requests.add(new ScheduleRequest(0, size, count, 0, false, 1, window));
                        requests.add(new ScheduleRequest(0, size, count, 0, true, 1, window));
                        requests.add(new ScheduleRequest(0, size, count, 0, true, 2, window));
                    }
                    case BROADCAST ->
                    {
                        requests.add(new ScheduleRequest(0, size, broadcastCount, 0, true, 1, window));
                        requests.add(new ScheduleRequest(0, size, broadcastCount, size - 1, true, 2, window));
                        requests.add(new ScheduleRequest(
                            0, size, broadcastCount, size - 1, true, broadcastCount, window));
                    }
                    default -> requests.add(new ScheduleRequest(0, 2 * size, 0, 0, false, 1, window));
                }
            }
        }
        return requests;
    }
}
