/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.tutti.collectives.pattern.Blocks;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The requests with which algorithms are tested, each from rank 0's view. */
public final class Shapes
{
    /** The number of receive requests that suffices for one call, as is proved for all requests of this class. */
    public static final int QUEUE_DEPTH = 64;
    /** The windows that requests use. */
    static final List<Integer> WINDOWS = List.of(1, 2, 3, 4, 5, 8);

    private static final int ALL_ROOTS_UP_TO = 6;
    private static final int ALL_COUNTS_UP_TO_WINDOW = 3;
    private static final int MAX_SIZE_OF_ALL_SEGMENTS = 9;
    private static final int FEW_PLACEMENTS = 3;
    private static final int DEFAULT_WINDOW = 2;
    private static final boolean IS_TORTURE = Boolean.getBoolean("tutti.test.torture");

    private Shapes()
    {
    }

    /**
     * Returns, for small windows, requests with all counts from 0, in place or not, with short and long segments; for
     * the windows of production, fewer counts, but enough segments to fill every window and reuse it.
     */
    static List<ScheduleRequest> of(final Collective collective, final int size)
    {
        final List<ScheduleRequest> requests = new ArrayList<>();
        final long maxCount = maxCount(collective, size);
        for (final int window : WINDOWS)
        {
            if (window <= ALL_COUNTS_UP_TO_WINDOW)
            {
                for (long count = 0; count <= maxCount; count++)
                {
                    // With the longest segment, the blocks of all ranks fit into one message.
                    addSegments(
                        requests, collective, size, count, window, 1, 2, 3, Math.max(1, count), size * (count + 1));
                }
            }
            else if (maxCount > 0)
            {
                addSegments(requests, collective, size, maxCount, window, 1, 2);
                addSegments(requests, collective, size, manyFor(collective, size, window), window, 1);
            }
        }
        return requests;
    }

    /**
     * Returns small requests, but with more segments than slots, blocks of different lengths, and numbers of ranks that
     * are not powers of two. Up to four ranks and one window; in torture mode up to five ranks and several windows.
     */
    static List<ScheduleRequest> smallOf(final Collective collective)
    {
        final List<ScheduleRequest> requests = new ArrayList<>();
        final int maxSize = IS_TORTURE && !collective.exchanges() ? 5 : 4;
        // With window 4, a lap of the ring has two segments.
        final int[] windows = {1, 2, 4};
        for (int size = 2; size <= maxSize; size++)
        {
            for (final int window : IS_TORTURE ? windows : new int[] {DEFAULT_WINDOW})
            {
                addSmall(requests, collective, size, window);
            }
        }
        return requests;
    }

    private static void addSmall(
        final List<ScheduleRequest> requests, final Collective collective, final int size, final int window)
    {
        final long some = window + 2L;
        final long count = 2L * size + 1;
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
                requests.add(new ScheduleRequest(0, size, some, 0, true, 1, window));
                requests.add(new ScheduleRequest(0, size, some, size - 1, true, 2, window));
                requests.add(new ScheduleRequest(0, size, some, size - 1, true, some, window));
            }
            case BARRIER -> requests.add(new ScheduleRequest(0, 2 * size, 0, 0, false, 1, window));
            default ->
            {
                final int root = collective.hasRoot() ? size - 1 : 0;
                final long most = collective.exchanges() ? Math.min(3, some) : some;
                requests.add(new ScheduleRequest(0, size, most, 0, false, 1, window));
                requests.add(new ScheduleRequest(0, size, most, root, true, 1, window));
                requests.add(new ScheduleRequest(0, size, most, root, false, most, window));
                if (hasUnevenBlocks(collective))
                {
                    requests.add(new ScheduleRequest(0, size, 0, root, false, 1, window)
                        .withBlocks(Blocks.of(LongStream.range(0, size).map((rank) -> (rank + 2) % 4).toArray())));
                    requests.add(new ScheduleRequest(0, size, 0, root, true, 2, window)
                        .withBlocks(Blocks.of(LongStream.range(0, size).map((rank) -> (rank + 2) % 4).toArray())));
                }
            }
        }
    }

    /** Returns the requests of an algorithm's collective, on all placements if the algorithm depends on hosts. */
    static List<ScheduleRequest> of(final Algorithm algorithm, final int size)
    {
        final List<ScheduleRequest> requests = eager(algorithm, of(algorithm.collective(), size));
        final List<HostMap> placements = placements(size);
        return !algorithm.usesHosts() ? requests : onHosts(requests, size <= MAX_SIZE_OF_ALL_SEGMENTS ? placements :
            placements.subList(placements.size() - FEW_PLACEMENTS, placements.size()));
    }

    /**
     * Returns the small requests of an algorithm's collective. If the algorithm depends on hosts, ranks are placed on
     * hosts in irregular order and only one window is used: such schedules are composed of algorithms that are tested
     * with all windows.
     */
    static List<ScheduleRequest> smallOf(final Algorithm algorithm)
    {
        final List<ScheduleRequest> requests = eager(algorithm, smallOf(algorithm.collective()));
        return !algorithm.usesHosts() ? requests : requests.stream()
            .filter((request) -> request.window() == DEFAULT_WINDOW)
            .map((request) -> request.withHosts(placements(request.size()).getLast())).toList();
    }

    /** Adds all requests again with some blocks sent eagerly, if the algorithm does that. */
    private static List<ScheduleRequest> eager(
        final Algorithm algorithm, final List<ScheduleRequest> requests)
    {
        return !algorithm.usesEager() ? requests : Stream.concat(requests.stream(),
            IntStream.range(0, requests.size()).mapToObj((i) -> requests.get(i).withEager(1 + i % 3))).toList();
    }

    private static List<ScheduleRequest> onHosts(
        final List<ScheduleRequest> requests, final List<HostMap> placements)
    {
        return placements.stream()
            .flatMap((hosts) -> requests.stream().map((request) -> request.withHosts(hosts))).toList();
    }

    /**
     * Returns full hosts, partially filled hosts, round-robin ranks, hosts of one rank among larger ones, and irregular
     * placements.
     */
    static List<HostMap> placements(final int size)
    {
        final IntFunction<HostMap> cyclic = (hosts) -> HostMap.of(
            IntStream.range(0, size).mapToObj((rank) -> rank % hosts).toList());
        return Stream.of(
            HostMap.one(size), HostMap.inOrder(size, 1), HostMap.inOrder(size, 2), HostMap.inOrder(size, 3),
            cyclic.apply(2), HostMap.of(IntStream.range(0, size).mapToObj((rank) -> rank < size / 2 ? 0 : 1).toList()),
            HostMap.inOrder(size, Math.max(1, size - 1)), cyclic.apply(3),
            HostMap.of(IntStream.range(0, size).mapToObj((rank) -> rank * rank * 5 % 11 % 4).toList()))
            .distinct().toList();
    }

    static ScheduleRequest random(final Algorithm algorithm, final int size, final Random random)
    {
        final List<HostMap> placements = placements(size);
        final ScheduleRequest request = random(algorithm.collective(), size, random)
            .withEager(algorithm.usesEager() ? random.nextInt(5) : 0);
        return algorithm.usesHosts() ? request.withHosts(placements.get(random.nextInt(placements.size()))) : request;
    }

    static ScheduleRequest random(final Collective collective, final int size, final Random random)
    {
        final long maxCount = maxCount(collective, size);
        final int count = maxCount == 0 ? 0 : random.nextInt(2 * (int)maxCount);
        final ScheduleRequest request = new ScheduleRequest(
            0, size, count, collective.hasRoot() ? random.nextInt(size) : 0,
            collective == Collective.BROADCAST || random.nextBoolean(),
            1 + random.nextInt(count + 1), 1 + random.nextInt(8));
        if (!hasUnevenBlocks(collective) || random.nextBoolean())
        {
            return request;
        }
        final long[] lengths = random.longs(size, 0, maxCount + 1).toArray();
        final boolean gaps = collective.hasLocalCounts() && random.nextBoolean();
        return request.withBlocks(
            gaps ? withGaps(lengths, 1 + random.nextInt(3)) : Blocks.of(lengths));
    }

    /** Returns blocks with gaps of some elements between them. */
    private static Blocks withGaps(final long[] lengths, final int gap)
    {
        final long[] offsets = new long[lengths.length];
        for (int i = 1; i < offsets.length; i++)
        {
            offsets[i] = offsets[i - 1] + lengths[i - 1] + gap;
        }
        return Blocks.of(lengths, offsets);
    }

    private static boolean hasUnevenBlocks(final Collective collective)
    {
        return collective.hasGlobalCounts() || collective.hasLocalCounts();
    }

    private static long maxCount(final Collective collective, final int size)
    {
        return switch (collective)
        {
            case BARRIER -> 0;
            case ALLREDUCE, BROADCAST -> 2L * size + 1;
            default -> collective.hasBlocks() ? 3 : 5;
        };
    }

    /**
     * Returns a count with more than a window of segments of one element in half the buffer, and more than half a
     * window in each chunk.
     */
    private static long manyFor(final Collective collective, final int size, final int window)
    {
        return collective.hasBlocks() ? window + 2 : Math.max(2L * window + 3, size * (window / 2 + 1L) + 1);
    }

    private static void addSegments(
        final List<ScheduleRequest> requests, final Collective collective, final int size, final long count,
        final int window, final long... segments)
    {
        for (final long segment : LongStream.of(segments).distinct().toArray())
        {
            if (collective.hasBlocks() && (size > MAX_SIZE_OF_ALL_SEGMENTS && segment > 1 && segment < count))
            {
                continue;
            }
            final ScheduleRequest request = new ScheduleRequest(0, size, count, 0, false, segment, window);
            addPlacements(requests, collective, request);
            if (hasUnevenBlocks(collective) && count > 0)
            {
                addPlacements(requests, collective, request.withBlocks(Blocks.of(
                    LongStream.range(0, size).map((rank) -> (rank * 3 + window) % (count + 1)).toArray())));
                addPlacements(requests, collective, request.withBlocks(Blocks.of(
                    LongStream.range(0, size).map((rank) -> rank == size / 2 ? count : 0).toArray())));
                addPlacements(requests, collective, request.withBlocks(Blocks.of(
                    LongStream.range(0, size).map((rank) -> rank % 2 == 0 ? count : 0).toArray())));
            }
            if (collective.hasLocalCounts())
            {
                addPlacements(requests, collective, request.withBlocks(withGaps(
                    LongStream.range(0, size).map((rank) -> (rank + count) % 3).toArray(), 1)));
            }
        }
    }

    private static void addPlacements(
        final List<ScheduleRequest> requests, final Collective collective, final ScheduleRequest request)
    {
        for (final int root : collective.hasRoot() ? roots(request.size()) : new int[] {0})
        {
            final ScheduleRequest rooted = new ScheduleRequest(
                0, request.size(), request.count(), root, true, request.segment(), request.window(),
                request.blocks(), request.received(), request.hosts(), request.eager());
            requests.add(rooted);
            if (collective != Collective.BROADCAST)
            {
                requests.add(rooted.withPlacement(false));
            }
        }
    }

    private static int[] roots(final int size)
    {
        return size <= ALL_ROOTS_UP_TO ? IntStream.range(0, size).toArray() : new int[] {0, size / 2, size - 1};
    }

    /**
     * Returns the request of a rank for a given request. If each rank knows only its own blocks, those of the given
     * request are the root's, or define the number of elements between each pair of ranks, symmetric if in place.
     */
    static ScheduleRequest ofRank(final Collective collective, final ScheduleRequest request, final int rank)
    {
        final ScheduleRequest same = request.withRank(rank);
        if (!collective.hasLocalCounts())
        {
            return same;
        }
        final Blocks blocks = request.blocks();
        if (!collective.exchanges())
        {
            return same.withOwnBlock(blocks.length(rank), same.isRoot() ? blocks : null);
        }
        final int size = request.size();
        final int skew = request.inPlace() ? 1 : 2;
        final long[] sent = new long[size];
        final long[] received = new long[size];
        for (int peer = 0; peer < size; peer++)
        {
            sent[peer] = blocks.length((rank + skew * peer) % size);
            received[peer] = blocks.length((peer + skew * rank) % size);
        }
        final int gap = blocks.isContiguous() ? 0 : 2;
        return same.withBlocks(withGaps(sent, gap), withGaps(received, gap));
    }

    static List<Schedule> schedules(final Algorithm algorithm, final ScheduleRequest request)
    {
        return IntStream.range(0, request.size())
            .mapToObj((rank) -> algorithm.generate(ofRank(algorithm.collective(), request, rank))).toList();
    }

    /** Returns the schedules of a request in place, changed so that only every other rank works in place. */
    static List<Schedule> schedulesOfMixedPlacement(
        final Algorithm algorithm, final ScheduleRequest request, final boolean firstInPlace)
    {
        return IntStream.range(0, request.size())
            .mapToObj((rank) -> algorithm.generate(
                ofRank(algorithm.collective(), request, rank).withPlacement(rank % 2 == 0 == firstInPlace))).toList();
    }
}
