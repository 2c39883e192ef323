/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tutti.bootstrap.Hosts;
import org.tutti.launcher.host.Binding;
import org.tutti.launcher.host.CpuTopology;

/** Tests what the kernel says about ranks; CpuTopologyTest tests the choice of CPUs. */
class BindTest
{
    /** Prints the rank and the CPUs that it may use. */
    private static final String[] PRINT =
        {"sh", "-c", "while read key cpus; do [ $key != Cpus_allowed_list: ] || echo $RANK $cpus; done " +
            "</proc/$$/status"};

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(value = Binding.Unit.class, names = {"CORE", "SOCKET", "NUMA"})
    void shouldBindRanksAndReportTheirCpus(final Binding.Unit unit)
    {
        final TuttiProcess.Result result = run(List.of("-np", "3", "--bind", unit.name().toLowerCase(Locale.ROOT),
            "--report-bindings"));

        final CpuTopology topology = CpuTopology.ofThisProcess();
        final List<String> cpus = new ArrayList<>();
        final List<String> report = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++)
        {
            final List<Integer> numbers = topology.cpusOf(unit, rank, 3);
            cpus.add(rank + " " + CpuTopology.format(numbers));
            report.add("tutti: rank " + rank + " on " + Hosts.local() + ": bound to " + topology.describe(numbers));
        }
        assertEquals(cpus, result.outLines().stream().sorted().toList(), result.err());
        assertEquals(report, result.err().lines().toList());
    }

    @Test
    void shouldReportRanksThatAreNotBound()
    {
        final TuttiProcess.Result result = run(List.of("-np", "1", "--report-bindings"));

        final CpuTopology topology = CpuTopology.ofThisProcess();
        assertEquals("tutti: rank 0 on " + Hosts.local() + ": not bound, " +
            topology.describe(topology.cpusOf(Binding.Unit.NONE, 0, 1)) + "\n", result.err());
    }

    @Test
    void shouldBindToAllowedCpusOnly()
    {
        final int last = CpuTopology.ofThisProcess().cpusOf(Binding.Unit.NONE, 0, 1).getLast();
        final List<String> words = new ArrayList<>(List.of("run", "-q", "-np", "1", "taskset", "-c",
            Integer.toString(last)));
        words.addAll(TuttiProcess.command());
        words.addAll(List.of("run", "-q", "-np", "2", "--bind-to", "core"));
        words.addAll(List.of(PRINT));

        final TuttiProcess.Result result = TuttiProcess.run(words.toArray(String[]::new));

        assertEquals(List.of("0 " + last, "1 " + last), result.outLines().stream().sorted().toList(), result.err());
    }

    /** Each agent counts the ranks of its host. */
    @Test
    @Tag("torture")
    void shouldBindOnEachHostAndReportInOrderOfRanks()
    {
        final List<String> words = new ArrayList<>(List.of("-q", "--bind", "core", "--report-bindings"));
        words.addAll(List.of(PRINT));

        final TuttiProcess.Result result =
            TuttiProcess.run(new FakeHosts(directory).words("alpha,beta,localhost", words.toArray(String[]::new)));

        final CpuTopology topology = CpuTopology.ofThisProcess();
        final List<Integer> first = topology.cpusOf(Binding.Unit.CORE, 0, 1);
        final String cpus = CpuTopology.format(first);
        assertEquals(List.of("0 " + cpus, "1 " + cpus, "2 " + cpus), result.outLines().stream().sorted().toList(),
            result.err());
        final List<String> report = result.err().lines().toList();
        assertEquals(3, report.size(), result.err());
        assertTrue(report.get(0).equals("tutti: rank 0 on alpha: bound to " + topology.describe(first)), result.err());
        assertTrue(report.get(1).startsWith("tutti: rank 1 on beta: bound to "), result.err());
        assertTrue(report.get(2).startsWith("tutti: rank 2 on " + Hosts.local() + ": bound to "), result.err());
    }

    private static TuttiProcess.Result run(final List<String> options)
    {
        final List<String> words = new ArrayList<>(List.of("run", "-q"));
        words.addAll(options);
        words.addAll(List.of(PRINT));
        return TuttiProcess.run(words.toArray(String[]::new));
    }
}
