/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.pattern.Blocks;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.BufferId;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Tests that different counts are detected: if two ranks disagree about the length of a block that only they know, one
 * of them must reach a WAIT that detects it, and no ranks may deadlock before.
 */
class MismatchedCountsTest
{
    private static final int CASES = 3000;
    private static final long LONGEST = 6;

    /** An arrival: the length that it exposes, and the length of its block, each -1 if there is none. */
    private record Arrival(long exposed, long block)
    {
    }

    private final Map<List<Integer>, Queue<Arrival>> arrivals = new HashMap<>();

    static Stream<Algorithm> algorithms()
    {
        return Stream.of(Collective.values()).filter(Collective::hasLocalCounts)
            .flatMap((collective) -> Algorithms.of(collective).stream());
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void shouldDetectDifferentCounts(final Algorithm algorithm)
    {
        final long seed = System.nanoTime();
        System.out.println("seed " + seed);
        final Random random = new Random(seed);
        for (int i = 0; i < CASES; i++)
        {
            final int size = 2 + random.nextInt(4);
            final int root = algorithm.collective().hasRoot() ? random.nextInt(size) : 0;
            final boolean inPlace = algorithm.collective() == Collective.ALLTOALLV && random.nextBoolean();
            final int placement = inPlace ? random.nextInt(1 << size) : 0;
            final ScheduleRequest request = new ScheduleRequest(
                0, size, 0, root, false, 1 + random.nextInt(3), 1 + random.nextInt(2)).withEager(random.nextInt(4));
            final long[][] sent = new long[size][size];
            for (int from = 0; from < size; from++)
            {
                for (int to = 0; to <= from; to++)
                {
                    sent[from][to] = random.nextLong(LONGEST);
                    sent[to][from] = inPlace ? sent[from][to] : random.nextLong(LONGEST);
                }
            }
            final long[][] received = Stream.of(sent).map(long[]::clone).toArray(long[][]::new);
            final String text = algorithm.name() + " " + request + ", in place " +
                Integer.toBinaryString(placement) + " " + Arrays.deepToString(sent);
            assertFalse(
                isDetected(algorithm, request, placement, sent, received), () -> "without a difference: " + text);

            final int from = algorithm.collective() == Collective.SCATTERV ? root : random.nextInt(size);
            final int other = (from + 1 + random.nextInt(size - 1)) % size;
            final boolean toRoot = algorithm.collective() == Collective.GATHERV;
            final int to = !toRoot ? other : root;
            final int sender = toRoot && from == root ? other : from;
            received[sender][to] = (received[sender][to] + 1 + random.nextLong(LONGEST - 1)) % LONGEST;
            if (inPlace)
            {
                // In place, a rank receives as much as it sends.
                sent[to][sender] = received[sender][to];
            }
            assertTrue(isDetected(algorithm, request, placement, sent, received), () -> text + ", of which rank " + to +
                " expects " + received[sender][to] + " of rank " + sender);
        }
    }

    /** Runs all ranks as far as possible, each its steps in order; ranks whose bit is set work in place. */
    private boolean isDetected(
        final Algorithm algorithm, final ScheduleRequest request, final int placement,
        final long[][] sent, final long[][] received)
    {
        arrivals.clear();
        final int size = request.size();
        final List<Schedule> schedules = IntStream.range(0, size).mapToObj((rank) -> algorithm.generate(
            request(algorithm.collective(), request.withRank(rank).withPlacement((placement >> rank & 1) == 1),
                sent, received))).toList();
        final int[] positions = new int[size];
        boolean moved = true;
        while (moved)
        {
            moved = false;
            for (int rank = 0; rank < size; rank++)
            {
                final Schedule schedule = schedules.get(rank);
                while (positions[rank] < schedule.stepCount())
                {
                    final Arrival arrival = step(schedule, rank, positions[rank]);
                    if (arrival == null)
                    {
                        break;
                    }
                    if (detects(schedule, positions[rank], arrival))
                    {
                        return true;
                    }
                    positions[rank]++;
                    moved = true;
                }
            }
        }
        final boolean isDone = IntStream.range(0, size).allMatch(
            (rank) -> positions[rank] == schedules.get(rank).stepCount());
        assertTrue(isDone, () -> algorithm.name() + " hangs: " + request + " " + Arrays.deepToString(sent) +
            ", expected " + Arrays.deepToString(received));
        return false;
    }

    private static ScheduleRequest request(
        final Collective collective, final ScheduleRequest request, final long[][] sent, final long[][] received)
    {
        final int rank = request.rank();
        final int root = request.root();
        final Blocks from = Blocks.of(Stream.of(received).mapToLong((row) -> row[rank]).toArray());
        return switch (collective)
        {
            case ALLTOALLV -> request.withBlocks(Blocks.of(sent[rank]), from);
            // Only the root has blocks.
            case GATHERV -> request.withOwnBlock(
                sent[rank][root], rank == root ? from : Blocks.of(new long[request.size()]));
            case SCATTERV -> request.withOwnBlock(
                received[root][rank], rank == root ? Blocks.of(sent[root]) : Blocks.of(new long[request.size()]));
            default -> throw new AssertionError(collective);
        };
    }

    /** Executes a step. Returns the arrival that it took, or null if it waits. */
    private Arrival step(final Schedule schedule, final int rank, final int step)
    {
        final Arrival nothing = new Arrival(-1, -1);
        switch (schedule.kind(step))
        {
            case PUT -> send(schedule, rank, step, new Arrival(
                -1, schedule.destination(step) == BufferId.SCRATCH ? schedule.count(step) : -1));
            case SIGNAL -> send(schedule, rank, step, new Arrival(
                schedule.flag(step) ? schedule.count(step) : -1,
                schedule.isOfBlock(step) ? schedule.count(step) : -1));
            case WAIT ->
            {
                return queue(schedule.peer(step), rank, schedule.channel(step)).poll();
            }
            default ->
            {
            }
        }
        return nothing;
    }

    private void send(final Schedule schedule, final int rank, final int step, final Arrival arrival)
    {
        queue(rank, schedule.peer(step), schedule.channel(step)).add(arrival);
    }

    private Queue<Arrival> queue(final int from, final int to, final int channel)
    {
        return arrivals.computeIfAbsent(List.of(from, to, channel), (key) -> new ArrayDeque<>());
    }

    private static boolean detects(final Schedule schedule, final int step, final Arrival arrival)
    {
        return switch (schedule.kind(step))
        {
            case WAIT -> schedule.flag(step) &&
                schedule.count(step) != (schedule.isOfBlock(step) ? arrival.block() : arrival.exposed());
            default -> false;
        };
    }
}
