/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.collectives.ConfigurationException;
import org.tutti.collectives.schedule.Collective;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class TuningTableTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldApplyTableAfterOverridesAndBeforeDefaults() throws IOException
    {
        final Path file = directory.resolve("host.tuning");
        Files.write(file,
            List.of("# measured", "", "allreduce 4 0-8k one_shot # fast", " allreduce  3-16  8k-  two_shot "));

        final AlgorithmSelector selector = AlgorithmSelector.of("allreduce:0-16:ring", file.toString());

        assertEquals("ring", nameOf(selector, 4, 8));
        assertEquals("one_shot", nameOf(selector, 4, 8191));
        assertEquals("two_shot", nameOf(selector, 4, 8192));
        assertEquals("two_shot", nameOf(selector, 16, 1 << 30));
        assertEquals("recursive_doubling", nameOf(selector, 9, 8191));
        assertEquals("direct", nameOf(selector, 2, 1 << 20));
        assertEquals("allreduce of 8191 bytes, 4 ranks: one_shot, segment 65536 bytes, window 1 (" + file +
            ":3 for 0-8k, 4 ranks)", selector.choose(Collective.ALLREDUCE, 4, 8191).explain(4, 8191));
    }

    @Test
    void shouldUseDefaultsWithoutATable()
    {
        assertEquals("recursive_doubling", nameOf(AlgorithmSelector.of(null, null), 9, 8));
        assertEquals("recursive_doubling", nameOf(AlgorithmSelector.of("", " "), 9, 8));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "allreduce 4 0-8k|\"allreduce 4 0-8k\" must be collective ranks range algorithm, such as " +
            "allreduce 4 0-8k one_shot",
        "allreduces 4 0- ring|unknown collective \"allreduces\": must be one of allreduce, broadcast, barrier, " +
            "reduce, allgather, reduce_scatter, gather, scatter, alltoall, scan, exscan, gatherv, scatterv, alltoallv",
        "reduce 4 0- ring|unknown algorithm \"ring\" for reduce: must be one of binomial, knomial_4, chain, " +
            "in_order_tree, in_order_binomial, direct, hierarchical",
        "reduce four 0- chain|\"four\" is not a number of ranks: must be from 1 to 999999999, or a range such as " +
            "3-16 or 17-",
        "reduce 0 0- chain|\"0\" is not a number of ranks: must be from 1 to 999999999, or a range such as 3-16 or 17-",
        "reduce 4-3 0- chain|\"4-3\" is empty: its end must not be less than its start",
        "reduce 4 8k-4k chain|\"8k-4k\" is empty: its end must be greater than its start",
        "reduce 4 8 chain|\"8\" is not a byte range: must be such as 0-4k or 4k-",
        "reduce 2- 1k- chain|\"reduce 2- 1k- chain\" overlaps t:1: remove one, or change its ranks or range"})
    void shouldReportLineAndProblemWhenTableIsInvalid(final String line, final String problem)
    {
        final ConfigurationException thrown = assertThrows(ConfigurationException.class,
            () -> TuningTable.of("t", List.of("reduce 9 0-4k binomial", "", line)));

        assertEquals("t:3: " + problem, thrown.getMessage());
    }

    @Test
    void shouldReportUnreadableFile() throws IOException
    {
        final Path binary = directory.resolve("binary");
        Files.write(binary, new byte[] {(byte)0xFF, (byte)0xFE, 0});

        assertRefused(directory.resolve("missing"), "no such file; must be a readable UTF-8 text file");
        assertRefused(directory, "cannot be read (");
        assertRefused(binary, "is not UTF-8 text; must be a readable UTF-8 text file");
        assertTrue(assertThrows(ConfigurationException.class, () -> AlgorithmSelector.of("", "a\0b")).getMessage()
            .startsWith("TUTTI_TUNING=a\0b: is not a valid path"));
    }

    @Test
    void shouldKeepLinesOfOtherCalls()
    {
        final TuningTable table = TuningTable.of("t", List.of(
            "# head", "allreduce 4 0- ring", "allreduce 2 0- ring # two", "scan 4 0- chain",
            "reduce 3-5 0- chain # 3 to 5"));

        assertEquals(List.of("# head", "allreduce 2 0- ring # two", "scan 4 0- chain", "reduce 3 0- chain # 3 to 5",
            "reduce 5 0- chain # 3 to 5"), table.linesWithout(List.of(Collective.ALLREDUCE, Collective.REDUCE), 4));
    }

    @Test
    void shouldKeepOtherNumbersOfRanksAndDropHeadsWithoutLines()
    {
        final TuningTable table = TuningTable.of("t", List.of(
            TuningTable.HEAD + " on a day", "allreduce 4 0- ring", "", TuningTable.HEAD + " on another day",
            "allreduce 5-  0- ring", "allreduce 2-3 0- ring"));

        assertEquals(List.of("", TuningTable.HEAD + " on another day", "allreduce 5  0- ring", "allreduce 7-  0- ring",
            "allreduce 2-3 0- ring"),
            TuningTable.of("t", table.linesWithout(List.of(Collective.ALLREDUCE), 4))
            .linesWithout(List.of(Collective.ALLREDUCE), 6));
    }

    @Test
    void shouldKeepCommentsBelowTheirHead()
    {
        final TuningTable table = TuningTable.of("t", List.of(
            "# the user's", TuningTable.HEAD + " on a day", "# busy then", "allreduce 4 0- ring",
            "# and the day after", "allreduce 2 0- ring", TuningTable.HEAD + " on another day", "# quiet",
            "scan 4 0- chain", "# the end"));

        assertEquals(List.of("# the user's", TuningTable.HEAD + " on a day", "# busy then", "# and the day after",
            "allreduce 2 0- ring", "# quiet", "# the end"),
            table.linesWithout(List.of(Collective.ALLREDUCE, Collective.SCAN), 4));
    }

    private static void assertRefused(final Path file, final String problem)
    {
        final String message = assertThrows(
            ConfigurationException.class, () -> AlgorithmSelector.of("", file.toString())).getMessage();

        assertTrue(message.startsWith("TUTTI_TUNING=" + file + ": " + problem), message);
    }

    private static String nameOf(final AlgorithmSelector selector, final int size, final long bytes)
    {
        return selector.choose(Collective.ALLREDUCE, size, bytes).algorithm().name();
    }
}
