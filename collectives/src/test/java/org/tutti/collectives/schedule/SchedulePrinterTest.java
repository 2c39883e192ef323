/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.schedule;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.collectives.algorithm.Algorithms;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Compares the printed schedules of small calls with files, so that a change to an algorithm shows as a difference that
 * people can read. With {@code TUTTI_WRITE_GOLDEN=1} in the environment it writes the files anew.
 */
class SchedulePrinterTest
{
    private static final Path GOLDEN =
        Path.of(System.getProperty("tutti.root"), "collectives/src/test/resources/golden");

    @ParameterizedTest(name = "{1}")
    @CsvSource({
        "ALLREDUCE, ring, 3, 8, 0, false, 2, 2",
        "ALLREDUCE, double_binary_tree, 4, 6, 0, true, 1, 2",
        "ALLREDUCE, recursive_doubling, 3, 5, 0, true, 5, 1",
        "BROADCAST, binomial, 5, 4, 3, true, 4, 2",
        "BROADCAST, chain, 3, 5, 1, true, 1, 2",
        "BARRIER, dissemination, 5, 0, 0, false, 1, 1"})
    void shouldPrintWhatTheFileSays(
        final Collective collective, final String name, final int size, final long count, final int root,
        final boolean inPlace, final long segment, final int window) throws IOException
    {
        final ScheduleGenerator algorithm = Algorithms.named(collective, name);
        final ScheduleRequest request = new ScheduleRequest(0, size, count, root, inPlace, segment, window);

        final String printed = IntStream.range(0, size)
            .mapToObj((rank) -> SchedulePrinter.print(algorithm.generate(request.withRank(rank))))
            .collect(Collectors.joining("\n"));

        final Path file = GOLDEN.resolve(name + ".txt");
        if ("1".equals(System.getenv("TUTTI_WRITE_GOLDEN")))
        {
            Files.createDirectories(GOLDEN);
            Files.writeString(file, printed);
        }
        assertEquals(Files.readString(file), printed);
    }
}
