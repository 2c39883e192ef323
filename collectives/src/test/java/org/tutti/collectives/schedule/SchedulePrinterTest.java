/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.schedule;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.pattern.Blocks;
import org.tutti.collectives.pattern.HostMap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Compares the printed schedules of small calls with files, so that a change to an algorithm shows as a readable
 * difference. With {@code TUTTI_WRITE_GOLDEN=1} in the environment it writes the files.
 */
class SchedulePrinterTest
{
    private static final Path GOLDEN =
        Path.of(System.getProperty("tutti.root"), "collectives/src/test/resources/golden");

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        "ALLREDUCE, ring, 3, 8, 0, false, 2, 2",
        "ALLREDUCE, double_binary_tree, 4, 6, 0, true, 1, 2",
        "ALLREDUCE, recursive_doubling, 3, 5, 0, true, 5, 1",
        "ALLREDUCE, rabenseifner, 3, 4, 0, false, 4, 1",
        "ALLREDUCE, one_shot, 3, 2, 0, true, 2, 1",
        "ALLREDUCE, two_shot, 3, 3, 0, false, 1, 1",
        "ALLREDUCE, direct, 3, 7, 0, false, 1, 2",
        "ALLREDUCE, hierarchical, 5, 4, 0, false, 4, 1",
        "ALLREDUCE, hierarchical_ring, 5, 4, 0, true, 2, 1",
        "ALLREDUCE, hierarchical_direct, 5, 4, 0, true, 2, 1",
        "ALLREDUCE, hierarchical_leader, 5, 2, 0, true, 2, 1",
        "BROADCAST, hierarchical, 6, 3, 3, true, 2, 1",
        "BARRIER, hierarchical, 5, 0, 0, false, 1, 1",
        "ALLGATHER, hierarchical, 5, 2, 0, false, 2, 1",
        "REDUCE_SCATTER, hierarchical, 5, 2, 0, false, 2, 1",
        "REDUCE, hierarchical, 6, 2, 3, false, 2, 1",
        "GATHER, hierarchical, 5, 2, 3, false, 2, 1",
        "SCATTER, hierarchical, 5, 2, 3, false, 2, 1",
        "ALLTOALL, hierarchical, 5, 1, 0, false, 1, 1",
        "SCAN, hierarchical, 5, 2, 0, true, 2, 1",
        "EXSCAN, hierarchical, 5, 2, 0, false, 2, 1",
        "BROADCAST, binomial, 5, 4, 3, true, 4, 2",
        "BROADCAST, knomial_4, 6, 3, 1, true, 3, 2",
        "BROADCAST, scatter_allgather, 4, 8, 1, true, 2, 1",
        "BROADCAST, direct, 3, 7, 1, true, 1, 2",
        "BROADCAST, chain, 3, 5, 1, true, 1, 2",
        "BARRIER, dissemination, 5, 0, 0, false, 1, 1",
        "BARRIER, all_pairs, 3, 0, 0, false, 1, 1",
        "ALLGATHER, ring, 3, 2, 0, false, 1, 2",
        "ALLGATHER, bruck, 3, 2, 0, true, 2, 1",
        "ALLGATHER, neighbor_exchange, 4, 2, 0, false, 2, 1",
        "ALLGATHER, all_pairs, 3, 2, 0, false, 1, 1",
        "ALLGATHER, pat, 3, 2, 0, false, 4, 1",
        "REDUCE_SCATTER, ring, 3, 2, 0, false, 1, 2",
        "REDUCE_SCATTER, circulant, 3, 2, 0, false, 2, 1",
        "REDUCE_SCATTER, recursive_halving, 3, 2, 0, false, 2, 1",
        "REDUCE_SCATTER, pat, 3, 2, 0, false, 4, 1",
        "REDUCE_SCATTER, pairwise, 3, 2, 0, false, 1, 1",
        "REDUCE_SCATTER, direct, 3, 2, 0, false, 1, 1",
        "REDUCE, binomial, 4, 2, 1, true, 2, 1",
        "REDUCE, knomial_4, 6, 2, 1, true, 2, 1",
        "REDUCE, chain, 3, 3, 0, false, 1, 2",
        "REDUCE, direct, 3, 5, 1, false, 1, 1",
        "REDUCE, in_order_tree, 4, 2, 2, false, 2, 1",
        "REDUCE, in_order_binomial, 4, 2, 2, false, 2, 1",
        "GATHER, binomial, 4, 2, 1, false, 2, 1",
        "GATHER, linear, 3, 2, 1, true, 1, 1",
        "SCATTER, binomial, 4, 2, 1, false, 2, 1",
        "SCATTER, linear, 3, 2, 1, true, 1, 1",
        "ALLTOALL, bruck, 4, 1, 0, false, 1, 1",
        "ALLTOALL, pairwise, 3, 2, 0, true, 1, 1",
        "ALLTOALL, all_pairs, 3, 2, 0, true, 1, 1",
        "SCAN, recursive_doubling, 4, 2, 0, false, 2, 1",
        "SCAN, chain, 3, 2, 0, true, 1, 1",
        "EXSCAN, recursive_doubling, 4, 2, 0, false, 2, 1",
        "EXSCAN, chain, 3, 2, 0, true, 1, 1",
        "GATHERV, linear, 3, 1, 2, false, 1, 1",
        "SCATTERV, linear, 3, 1, 2, false, 1, 1",
        "ALLTOALLV, pairwise, 3, 1, 0, false, 1, 1"})
    void shouldMatchGoldenFileWhenPrinted(
        final Collective collective, final String name, final int size, final long count, final int root,
        final boolean inPlace, final long segment, final int window) throws IOException
    {
        final Algorithm algorithm = Algorithms.named(collective, name);
        final ScheduleRequest request = new ScheduleRequest(0, size, count, root, inPlace, segment, window)
            .withHosts(HostMap.inOrder(size, algorithm.usesHosts() ? 2 : size));

        assertPrinted(collective.name().toLowerCase(Locale.ROOT) + "-" + name, algorithm, size, request::withRank);
    }

    /** Blocks that are empty, eager, and longer. */
    @ParameterizedTest
    @CsvSource({"GATHERV, linear", "SCATTERV, linear", "ALLTOALLV, pairwise"})
    void shouldMatchGoldenFileWhenBlocksAreEager(final Collective collective, final String name) throws IOException
    {
        final long[] lengths = {3, 0, 1, 2};
        final int size = lengths.length;
        final Algorithm algorithm = Algorithms.named(collective, name);
        final IntFunction<ScheduleRequest> requests = (rank) ->
        {
            final ScheduleRequest request = new ScheduleRequest(rank, size, 0, 3, false, 2, 1).withEager(2);
            final Blocks blocks = Blocks.of(
                IntStream.range(0, size).mapToLong((peer) -> lengths[(rank + peer) % size]).toArray());
            return collective == Collective.ALLTOALLV ? request.withBlocks(blocks, blocks) :
                request.withOwnBlock(lengths[rank], Blocks.of(lengths));
        };

        assertPrinted(collective.name().toLowerCase(Locale.ROOT) + "-" + name + "-first", algorithm, size, requests);
    }

    private static void assertPrinted(
        final String golden, final Algorithm algorithm, final int size,
        final IntFunction<ScheduleRequest> requests) throws IOException
    {
        final String printed = IntStream.range(0, size)
            .mapToObj((rank) -> SchedulePrinter.print(algorithm.name(), algorithm.generate(requests.apply(rank))))
            .collect(Collectors.joining("\n"));
        final Path file = GOLDEN.resolve(golden + ".txt");
        if ("1".equals(System.getenv("TUTTI_WRITE_GOLDEN")))
        {
            Files.createDirectories(GOLDEN);
            Files.writeString(file, printed);
        }
        assertEquals(Files.readString(file), printed);
    }
}
