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
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.select.model.WireKind;

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
        assertEquals("direct", nameOf(selector, 2, 1 << 20));
        assertEquals("allreduce of 8191 bytes, 4 ranks: one_shot, segment 65536 bytes, window 1 (measured, " + file +
            ":3 for 0-8k, 4 ranks)", selector.choose(Collective.ALLREDUCE, 4, 8191).explain(4, 8191));
    }

    @Test
    void shouldUseDefaultsWithoutATable()
    {
        assertEquals("one_shot", nameOf(AlgorithmSelector.of(null, null), 8, 8));
        assertEquals("one_shot", nameOf(AlgorithmSelector.of("", " "), 8, 8));
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
        "reduce 2- 1k- chain|\"reduce 2- 1k- chain\" overlaps t:1: remove one, or change its ranks, range, wire or " +
            "hosts",
        "reduce 4 0- chain wires=tcp|\"wires=tcp\" must be wire=NAME, hosts=N or ranks-per-host=N, each at most once",
        "reduce 4 0- chain hosts=2 hosts=2|\"hosts=2\" must be wire=NAME, hosts=N or ranks-per-host=N, each at most " +
            "once",
        "reduce 4 0- chain tcp|\"tcp\" must be wire=NAME, hosts=N or ranks-per-host=N, each at most once",
        "reduce 4 0- chain wire=ib|unknown wire \"ib\": must be one of shm, tcp, verbs",
        "reduce 4 0- chain hosts=none|\"hosts=none\" must be a number from 1 to 999999999"})
    void shouldReportLineAndProblemWhenTableIsInvalid(final String line, final String problem)
    {
        final ConfigurationException thrown = assertThrows(ConfigurationException.class,
            () -> TuningTable.of("t", List.of("reduce 9 0-4k binomial", "", line)));

        assertEquals("t:3: " + problem, thrown.getMessage());
    }

    @Test
    void shouldApplyLinesToTheirWireAndPlacementOnly() throws IOException
    {
        final Path file = directory.resolve("hosts.tuning");
        Files.write(file, List.of(
            "allreduce 4 0- ring wire=tcp hosts=2 ranks-per-host=2", "allreduce 4 0- rabenseifner hosts=4",
            "allreduce 4 0- two_shot wire=shm hosts=1"));
        final AlgorithmSelector selector = AlgorithmSelector.of(null, file.toString())
            .over(new AlgorithmSelector.Wires(WireKind.SHM, WireKind.TCP, 0, 4 << 20));

        assertEquals("ring", nameOf(selector, HostMap.inOrder(4, 2)));
        assertEquals("rabenseifner", nameOf(selector, HostMap.inOrder(4, 1)));
        assertEquals("two_shot", nameOf(selector, HostMap.one(4)));
        assertEquals("measured, " + file + ":1 for 0-, 4 ranks, wire=tcp hosts=2 ranks-per-host=2", selector.choose(
            Collective.ALLREDUCE, HostMap.inOrder(4, 2), 8, OperandOrder.ANY).reason());
        assertTrue(AlgorithmSelector.of(null, file.toString()).choose(
            Collective.ALLREDUCE, HostMap.inOrder(4, 2), 8, OperandOrder.ANY).reason().startsWith("predicted "),
            "over verbs");
    }

    @Test
    void shouldRefuseTableForOtherWiresOnly() throws IOException
    {
        final Path file = directory.resolve("tcp.tuning");
        Files.write(file, List.of("allreduce 4 0-8k ring wire=tcp", "allreduce 4 8k- rabenseifner wire=tcp"));
        final AlgorithmSelector selector = AlgorithmSelector.of(null, file.toString());
        final HostMap hosts = HostMap.inOrder(4, 2);

        assertEquals("TUTTI_TUNING=" + file + ": all its lines are for the wire tcp, but ranks use verbs: measure " +
            "that wire with tutti run tune, or unset TUTTI_TUNING",
            assertThrows(ConfigurationException.class, () -> selector.requireWires(hosts)).getMessage());
        selector.over(new AlgorithmSelector.Wires(WireKind.SHM, WireKind.TCP, 0, 4 << 20)).requireWires(hosts);
        Files.write(file, List.of("allreduce 4 0-8k ring wire=tcp", "allreduce 4 8k- rabenseifner"));
        AlgorithmSelector.of(null, file.toString()).requireWires(hosts);
        Files.write(file, List.of("allreduce 4 0- ring wire=shm"));
        AlgorithmSelector.of(null, file.toString()).requireWires(hosts);
        assertThrows(ConfigurationException.class,
            () -> AlgorithmSelector.of(null, file.toString()).requireWires(HostMap.inOrder(4, 1)), "no shared host");
        AlgorithmSelector.of(null).requireWires(hosts);
    }

    @Test
    void shouldReplaceOnlyLinesOfTheMeasuredWireAndPlacement()
    {
        final TuningTable table = TuningTable.of("t", List.of(
            "allreduce 4 0- ring wire=tcp hosts=2", "allreduce 4 0- ring wire=shm", "reduce 4 0- chain",
            "reduce 3 0- chain wire=shm hosts=1 ranks-per-host=3"));

        assertEquals(List.of("allreduce 4 0- ring wire=tcp hosts=2",
            "reduce 3 0- chain wire=shm hosts=1 ranks-per-host=3"),
            table.linesWithout(List.of(Collective.ALLREDUCE, Collective.REDUCE), 4,
            RuleScope.of(HostMap.one(4), WireKind.SHM)));
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
            "reduce 5 0- chain # 3 to 5"), table.linesWithout(
            List.of(Collective.ALLREDUCE, Collective.REDUCE), 4, RuleScope.ANY));
    }

    @Test
    void shouldKeepOtherNumbersOfRanksAndDropHeadsWithoutLines()
    {
        final TuningTable table = TuningTable.of("t", List.of(
            TuningTable.HEAD + " on a day", "allreduce 4 0- ring", "", TuningTable.HEAD + " on another day",
            "allreduce 5-  0- ring", "allreduce 2-3 0- ring"));

        assertEquals(List.of("", TuningTable.HEAD + " on another day", "allreduce 5  0- ring", "allreduce 7-  0- ring",
            "allreduce 2-3 0- ring"),
            TuningTable.of("t", table.linesWithout(List.of(Collective.ALLREDUCE), 4, RuleScope.ANY))
            .linesWithout(List.of(Collective.ALLREDUCE), 6, RuleScope.ANY));
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
            table.linesWithout(List.of(Collective.ALLREDUCE, Collective.SCAN), 4, RuleScope.ANY));
    }

    private static void assertRefused(final Path file, final String problem)
    {
        final String message = assertThrows(
            ConfigurationException.class, () -> AlgorithmSelector.of("", file.toString())).getMessage();

        assertTrue(message.startsWith("TUTTI_TUNING=" + file + ": " + problem), message);
    }

    private static String nameOf(final AlgorithmSelector selector, final HostMap hosts)
    {
        return selector.algorithm(Collective.ALLREDUCE, hosts, 8, OperandOrder.ANY).name();
    }

    private static String nameOf(final AlgorithmSelector selector, final int size, final long bytes)
    {
        return selector.choose(Collective.ALLREDUCE, size, bytes).algorithm().name();
    }
}
