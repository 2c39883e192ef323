/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.tutti.bootstrap.Coordinator;
import org.tutti.bootstrap.CoordinatorOptions;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.ConfigurationException;
import org.tutti.collectives.JoinOptions;
import org.tutti.collectives.LocalJob;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.select.AlgorithmSelector;
import org.tutti.collectives.select.RuleScope;
import org.tutti.collectives.select.TuningTable;
import org.tutti.tools.options.SizeSweep;
import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Isolated("changes a system property")
@Timeout(120)
class TuneTest
{
    private static final int RANKS = 3;

    @TempDir
    private Path directory;

    @AfterEach
    void forgetTheChoice()
    {
        System.clearProperty("tutti.algorithm");
    }

    /** Each length selects one algorithm, for every collective that has several. */
    @Test
    void shouldMeasureEveryAlgorithmAtEverySize()
    {
        final TunePlan plan =
            TunePlan.of(Operation.collectives(), RANKS, new SizeSweep(16, 1 << 20, 0, 16), Set.of(), true);

        final AlgorithmSelector selector = AlgorithmSelector.of(plan.overrides());

        assertTrue(plan.operations().contains(Operation.ALLREDUCE) && !plan.operations().contains(Operation.BARRIER));
        for (final TunePlan.TuneCase aCase : plan.cases())
        {
            for (int i = 0; i < aCase.algorithms().size(); i++)
            {
                assertEquals(aCase.algorithms().get(i), selector.choose(TunePlan.collective(aCase.operation()), RANKS,
                    aCase.counts().get(i) * TunePlan.ELEMENT).algorithm().name());
            }
            // So that none needs a segment more than the size does.
            assertEquals(aCase.bytes(), aCase.counts().stream().mapToLong(Long::longValue).max().orElseThrow() *
                TunePlan.ELEMENT);
            assertTrue(aCase.operation().hasBlocks() || aCase.bytes() < 1024 || Long.bitCount(aCase.bytes()) == 1,
                aCase::toString);
        }
    }

    @Test
    void shouldSplitRangesAtGeometricMeanOfSizes()
    {
        final TunePlan plan = TunePlan.of(
            List.of(Operation.SCAN, Operation.EXSCAN), 4, new SizeSweep(64, 4096, 0, 4), Set.of(), true);
        final List<double[]> times = List.of(
            new double[] {1, 2}, new double[] {1.04, 1}, new double[] {3, 2}, new double[] {9, 2},
            new double[] {Double.POSITIVE_INFINITY, 9}, new double[] {1, 9}, new double[] {1, 9},
            new double[] {1, 0.96});
        final TuneResult result = new TuneResult(plan, times, 0);

        assertArrayEquals(new int[] {0, 0, 1, 1, 1, 0, 0, 0}, result.choices());
        assertEquals(List.of("scan 4 0-512 recursive_doubling", "scan 4 512-4097 chain", "exscan 4 0-128 chain",
            "exscan 4 128-4097 recursive_doubling"), result.lines(4, RuleScope.ANY));
        TuningTable.of("t", result.lines(4, RuleScope.ANY));
    }

    @Test
    void shouldChooseSameAlgorithmsOnAllRanks() throws Exception
    {
        final TunePlan plan = TunePlan.of(
            List.of(Operation.ALLREDUCE, Operation.BROADCAST, Operation.ALLGATHER), RANKS,
            new SizeSweep(64, 65536, 0, 32), Set.of(), true);
        System.setProperty("tutti.algorithm", plan.overrides());

        final List<TuneResult> results =
            LocalJob.call(RANKS, communicator -> new TuneRun(plan, communicator, 1, 1).run());

        final List<double[]> times = results.getFirst().timesUs();
        assertEquals(plan.cases().size(), times.size());
        assertTrue(times.stream().flatMapToDouble(Arrays::stream).allMatch(us -> us > 0 && us < 1e9));
        for (final TuneResult result : results)
        {
            assertEquals(results.getFirst().lines(RANKS, RuleScope.ANY), result.lines(RANKS, RuleScope.ANY));
        }
    }

    @Test
    void shouldMeasureAlgorithmsThatLoadMemoryWithinHostsWhenRanksAreOnSeveralHosts() throws Exception
    {
        final TunePlan plan =
            TunePlan.of(List.of(Operation.ALLREDUCE), RANKS, new SizeSweep(4096, 16384, 0, 4), Set.of(), true);

        assertEquals(Set.of("direct"), skipped(plan, true));
        assertEquals(Set.of("direct", "hierarchical_direct"), skipped(plan, false));
    }

    /**
     * Runs a plan on three ranks of two hosts, and returns the algorithms that are not measured.
     *
     * @param isDirect whether ranks of a host load one another's memory.
     */
    private static Set<String> skipped(final TunePlan plan, final boolean isDirect) throws Exception
    {
        final Set<String> skipped = new TreeSet<>();
        final Set<String> measured = new TreeSet<>();
        try (Coordinator coordinator = Coordinator.start(CoordinatorOptions.ofSize(RANKS).address("127.0.0.1"));
            ExecutorService ranks = Executors.newFixedThreadPool(RANKS))
        {
            final List<Callable<TuneResult>> calls = new ArrayList<>();
            for (final String host : List.of("a", "a", "b"))
            {
                final JoinOptions options = JoinOptions.of(coordinator, calls.size()).host(host).transport("shm")
                    .direct(isDirect).algorithm(plan.overrides());
                calls.add(() ->
                {
                    try (Communicator communicator = Communicator.join(options))
                    {
                        return new TuneRun(plan, communicator, 1, 1).run();
                    }
                });
            }
            final TuneResult result = ranks.invokeAll(calls).getFirst().get();
            for (int i = 0; i < plan.cases().size(); i++)
            {
                for (int a = 0; a < plan.cases().get(i).algorithms().size(); a++)
                {
                    (Double.isInfinite(result.timesUs().get(i)[a]) ? skipped : measured)
                        .add(plan.cases().get(i).algorithms().get(a));
                }
            }
        }
        assertTrue(Collections.disjoint(skipped, measured), measured::toString);
        return skipped;
    }

    @Test
    void shouldCompareTheChoicesWithoutATable()
    {
        final TunePlan plan = TunePlan.of(
            List.of(Operation.SCAN), 4, new SizeSweep(4096, 16384, 0, 4), Set.of("hierarchical"), true);
        final TuneResult result = new TuneResult(plan, List.of(new double[] {8, 7}, new double[] {8, 11}), 5);

        final UntunedChoices choices = UntunedChoices.of(result, AlgorithmSelector.of("scan:0-:chain"),
            HostMap.one(4));

        assertEquals(List.of("recursive_doubling", "recursive_doubling"), choices.indexes().stream()
            .map(index -> plan.cases().getFirst().algorithms().get(index)).toList());
        assertEquals(1.5, choices.slowdown(0));
        assertEquals(1, choices.slowdown(1));
        assertEquals("without a table, calls take at most 1.25 times as long as the fastest algorithm at 1 of 2 " +
            "sizes, and at most 1.50 times at all", choices.summary());
        assertEquals("without a table, calls take at most 1.25 times as long as the fastest algorithm at 0 of 1 " +
            "sizes, and at most 1.50 times at all; the algorithm without a table was not measured at 1 of all 2 sizes",
            new UntunedChoices(result, List.of(choices.indexes().getFirst(), -1)).summary());
        assertEquals(List.of("scan,recursive_doubling,4,4092,3.000", "scan,chain,4,4096,2.000",
            "scan,recursive_doubling,4,16380,3.000", "scan,chain,4,16384,6.000"), result.times(4));
    }

    @Test
    void shouldWriteNoRangesOutsideMeasuredSizes()
    {
        final TunePlan plan = TunePlan.of(
            List.of(Operation.SCAN), 4, new SizeSweep(4096, 16384, 0, 4), Set.of("hierarchical"), true);

        final TuneResult result = new TuneResult(plan, List.of(new double[] {1, 2}, new double[] {2, 1}), 0);

        assertEquals(List.of("scan 4 4092-8192 recursive_doubling", "scan 4 8192-16385 chain"),
            result.lines(4, RuleScope.ANY));
    }

    @Test
    void shouldExcludeAlgorithms()
    {
        final TunePlan plan = TunePlan.of(List.of(Operation.ALLREDUCE, Operation.ALLGATHER), 4,
            new SizeSweep(4096, 16384, 0, 4), Set.of("one_shot", "allgather:ring"), true);

        assertFalse(plan.overrides().contains("one_shot"), plan::overrides);
        assertTrue(plan.overrides().matches("allreduce:.*:ring.*;allgather:.*"), plan::overrides);
        assertFalse(plan.overrides().matches(".*;allgather:.*:ring.*"), plan::overrides);
    }

    /** The communicator would replace such an algorithm, and the replacement would be measured under its name. */
    @Test
    void shouldExcludeDirectAlgorithmsWhenPeerMemoryIsInaccessible()
    {
        final SizeSweep sizes = new SizeSweep(4096, 16384, 0, 4);

        final TunePlan plan = TunePlan.of(Operation.collectives(), 2, sizes, Set.of(), false);

        final String all = TunePlan.of(Operation.collectives(), 2, sizes, Set.of(), true).overrides();
        assertTrue(all.contains(":direct") && all.contains(":hierarchical_direct"), all);
        assertFalse(plan.overrides().contains(":direct"), plan::overrides);
        assertFalse(plan.overrides().contains(":hierarchical_direct"), plan::overrides);
        final AlgorithmSelector selector = AlgorithmSelector.of(plan.overrides()).withoutPeerAccess();
        for (final TunePlan.TuneCase aCase : plan.cases())
        {
            for (int i = 0; i < aCase.algorithms().size(); i++)
            {
                assertEquals(aCase.algorithms().get(i), selector.choose(TunePlan.collective(aCase.operation()), 2,
                    aCase.counts().get(i) * TunePlan.ELEMENT).algorithm().name());
            }
        }
    }

    @Test
    void shouldReplaceTableAtomicallyAndKeepOtherLines() throws IOException
    {
        final Path table = directory.resolve("t.tuning");
        final TuneFile file = new TuneFile(table);
        file.write(List.of(), List.of("# mine", "scan 2-8 0- chain # so"));

        assertThrows(ConfigurationException.class, () -> file.write(List.of(), List.of("scan 4 0-")));
        file.write(file.without(List.of(Collective.SCAN), 4, RuleScope.ANY), List.of("scan 4 0- recursive_doubling"));

        assertEquals(List.of("# mine", "scan 2-3 0- chain # so", "scan 5-8 0- chain # so",
            "scan 4 0- recursive_doubling"), Files.readAllLines(table));
        try (Stream<Path> files = Files.list(directory))
        {
            assertEquals(List.of(table), files.toList());
        }
    }

    @Test
    void shouldRejectInvalidOptionsBeforeStart() throws IOException
    {
        final Path table = directory.resolve("t.tuning");
        Files.writeString(table, "allreduce 4\n");

        assertRefused(1, "-np=1: must be at least 2, as in tutti run -np 4 tune -o x", "-o", "x");
        assertRefused(2, "no tunable collective \"ring\": must be one of allreduce, broadcast, ", "ring", "-o", "x");
        assertRefused(2, "--without=rings: must be an algorithm of a measured collective: ",
            "--without", "rings", "-o", "x");
        assertRefused(2,
            "--without=chain,hierarchical: must leave at least two algorithms of scan to choose from, not [",
            "scan", "--without", "chain,hierarchical", "-o", "x");
        assertRefused(2, "-f=1: must be at least 2", "-f", "1", "-o", "x");
        assertRefused(2, "--output: " + table + ":1: \"allreduce 4\" must be collective ranks range algorithm, " +
            "such as allreduce 4 0-8k one_shot; correct or remove the file", "-o", table.toString());
        assertRefused(2, "--output=" + directory + ": must be a file in a writable directory",
            "-o", directory.toString());
        assertRefused(2, "--output=/dev/null: must be a file in a writable directory", "-o", "/dev/null");
    }

    private static void assertRefused(final int size, final String problem, final String... args)
    {
        final TuneCommand command = new TuneCommand();
        new CommandLine(command).setErr(new PrintWriter(new StringWriter())).parseArgs(args);

        final String message =
            assertThrows(CommandLine.ParameterException.class, () -> command.check(size)).getMessage();

        assertTrue(message.startsWith(problem), message);
    }

    @Test
    void shouldWriteTimesOfOneWireOnly()
    {
        assertEquals("", TuneCommand.timesProblem(HostMap.one(4)));
        assertEquals("", TuneCommand.timesProblem(HostMap.inOrder(4, 1)));
        assertEquals("must be measured on one host, or with one rank on each of several, as in tutti run --host " +
            "a:1,b:1 tune, not with 2 ranks on one of 2 hosts: tutti calibrate fits the costs of one wire",
            TuneCommand.timesProblem(HostMap.of(List.of("a", "a", "b"))));
    }
}
