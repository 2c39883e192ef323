/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.check.Mutations.Mutant;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleRequest;
import org.tutti.collectives.schedule.StepKind;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Applies all small mutations to every algorithm: the checker must detect each, unless the mutant is equivalent to the
 * original. A mutant may be equivalent for one of these reasons only:
 * <ul>
 * <li>it exchanges the operands of a REDUCE of an algorithm that does not declare to keep rank order;</li>
 * <li>it drops a dependency that others imply: exactly the same steps are ordered as before;</li>
 * <li>it drops a dependency, or a credit that both sides agree to drop, that ordered no conflicting accesses: an
 * independent search finds every pair of them still ordered. (Such credits only limit how far a rank is ahead; the
 * number of arrivals in flight must not exceed that of the original.)</li>
 * <li>it reads the same elements from another buffer that also has them, after they were written there.</li>
 * </ul>
 * All equivalent mutants except those of the first kind are also run. Torture mode tries every mutant. Other runs try
 * every mutant of calls that have few, and of the others a random eighth, but at least one of each kind.
 */
class MutationTest
{
    private static final int PLENTY = 1000;
    private static final boolean IS_TORTURE = Boolean.getBoolean("tutti.test.torture");
    /** Maximum number of mutants of a call that are all tried. */
    private static final int FEW = 100;
    /** Of more mutants, one in this number is tried. */
    private static final int SHARE = 8;

    static List<Algorithm> algorithms()
    {
        return Algorithms.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("algorithms")
    @Tag("torture")
    void shouldDetectEveryMutation(final Algorithm algorithm)
    {
        final long seed = Long.getLong("tutti.test.seed", System.nanoTime());
        final Collective collective = algorithm.collective();
        final Set<Mutations.Kind> detected = ConcurrentHashMap.newKeySet();
        final Set<Mutations.Kind> tried = ConcurrentHashMap.newKeySet();
        final Queue<String> missed = new ConcurrentLinkedQueue<>();
        final Distinct distinct = new Distinct();
        for (final ScheduleRequest request : Shapes.smallOf(algorithm))
        {
            final List<Schedule> originals = Shapes.schedules(algorithm, request);
            if (!distinct.isNew(originals))
            {
                continue;
            }
            final int depth = ScheduleChecker.check(collective, originals, PLENTY).outstanding();
            final ReferenceOrder order = new ReferenceOrder(collective, originals);
            final List<Mutant> mutants = mutants(collective, originals, new Random(seed));
            IntStream.range(0, mutants.size()).parallel().forEach((number) ->
            {
                final Mutant mutant = mutants.get(number);
                tried.add(mutant.kind());
                if (!ScheduleChecker.check(
                    collective, mutant.schedules(), depth, algorithm.keepsRankOrder()).isRight())
                {
                    detected.add(mutant.kind());
                }
                else if (!isEquivalent(collective, originals, order, mutant))
                {
                    missed.add(request + ": " + mutant);
                }
                else if (mutant.kind() != Mutations.Kind.SWAP_OPERANDS)
                {
                    NumericRun.assertRight(collective, mutant.schedules(), new Random(seed + number),
                        "seed=" + seed + " " + request + ": " + mutant);
                }
            });
        }

        assertEquals(List.of(), List.copyOf(missed), "seed=" + seed);
        // A mistake only in algorithms that keep rank order.
        tried.remove(Mutations.Kind.SWAP_OPERANDS);
        detected.remove(Mutations.Kind.SWAP_OPERANDS);
        assertEquals(tried, detected, "kinds of mutations of which some were detected");
        assertTrue(tried.contains(Mutations.Kind.DROP_WAIT) && tried.contains(Mutations.Kind.DROP_ARRIVAL));
    }

    private static List<Mutant> mutants(
        final Collective collective, final List<Schedule> originals, final Random random)
    {
        final List<Mutant> mutants = new ArrayList<>();
        Mutations.forEach(collective, originals, mutants::add);
        if (!IS_TORTURE && mutants.size() > FEW)
        {
            final Set<Mutations.Kind> kinds = EnumSet.noneOf(Mutations.Kind.class);
            mutants.removeIf((mutant) -> !kinds.add(mutant.kind()) && random.nextInt(SHARE) > 0);
        }
        return mutants;
    }

    private static boolean isEquivalent(
        final Collective collective, final List<Schedule> originals, final ReferenceOrder order, final Mutant mutant)
    {
        final ReferenceOrder changed = new ReferenceOrder(collective, mutant.schedules());
        return switch (mutant.kind())
        {
            case SWAP_OPERANDS -> changed.isSameAs(order, mutant.rank());
            case DROP_DEPENDENCY -> changed.isSameAs(order, mutant.rank()) || isSound(collective, changed);
            case CHANGE_BUFFER -> isSound(collective, changed);
            case DROP_ARRIVAL ->
                originals.get(mutant.rank()).kind(mutant.step()) == StepKind.SIGNAL && isSound(collective, changed);
            default -> false;
        };
    }

    private static boolean isSound(final Collective collective, final ReferenceOrder changed)
    {
        return changed.ordersAllConflicts() &&
            (collective != Collective.BARRIER || changed.ordersAllEntriesBeforeAllExits());
    }
}
