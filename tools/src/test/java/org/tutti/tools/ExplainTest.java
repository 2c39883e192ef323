/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.schedule.Collective;

@Isolated("changes a system property")
class ExplainTest
{
    @AfterEach
    void clearChoice()
    {
        System.clearProperty("tutti.algorithm");
        System.clearProperty("tutti.tuning");
        System.clearProperty("tutti.model");
        System.clearProperty("tutti.reproducible");
        System.clearProperty("tutti.transport");
        System.clearProperty("tutti.direct");
        System.clearProperty("tutti.scratch");
    }

    @Test
    void shouldPrintChoiceCandidatesAndSchedule()
    {
        final List<String> lines = explain("allreduce", "1M", "-np", "64").succeeds().out().lines().toList();

        assertTrue(lines.getFirst().startsWith("allreduce of 1048576 bytes, 64 ranks: rabenseifner, segment 1048576 " +
            "bytes, window 1 (predicted by the model of verbs: "), lines.getFirst());
        assertEquals(Algorithms.of(Collective.ALLREDUCE).stream()
            .filter(each -> !each.readsPeers() || each.usesHosts()).map(each -> each.name()).toList(),
            candidates(lines));
        assertEquals(1, lines.stream().filter(line -> line.startsWith("  * rabenseifner ")).count());
    }

    @Test
    void shouldShortenTheSchedule()
    {
        System.setProperty("tutti.algorithm", "allreduce:0-:ring");

        final List<String> lines = explain("allreduce", "1M", "-np", "64").succeeds().out().lines().toList();

        assertTrue(lines.contains("rank 0: ring, 64 ranks, 262144 elements, segment 65536, window 4, scratch 16384, " +
            "561 steps"));
        assertTrue(lines.contains("  ... 513 more steps; --all shows them"));
    }

    @Test
    void shouldShowAllStepsOfGivenRank()
    {
        System.setProperty("tutti.algorithm", "allreduce:0-:ring");

        final String text = explain("allreduce", "1M", "-np", "64", "--rank", "3", "--all").succeeds().out();

        assertTrue(text.contains("rank 3: ring"));
        assertEquals(561, text.lines().filter(line -> Pattern.compile("^ *\\d+  [a-z]").matcher(line).find()).count());
    }

    @ParameterizedTest
    @EnumSource(Collective.class)
    void shouldExplainEveryCollective(final Collective collective)
    {
        if (!Algorithms.of(collective).isEmpty())
        {
            final String name = ModelOptions.nameOf(collective);

            assertTrue(explain(name, "64k", "-np", "7").succeeds().out().startsWith(name + " of "));
        }
    }

    @Test
    void shouldUseAlgorithmSetByUser()
    {
        System.setProperty("tutti.algorithm", "allreduce:0-:recursive_doubling");

        assertTrue(explain("allreduce", "1M", "-np", "64").succeeds().out()
            .startsWith("allreduce of 1048576 bytes, 64 ranks: recursive_doubling, "));
    }

    @Test
    void shouldNameTuningTableAsReason(@TempDir final Path directory) throws IOException
    {
        final Path table = directory.resolve("host.tuning");
        Files.writeString(table, "allreduce 3-64 64k- rabenseifner\n");
        System.setProperty("tutti.tuning", table.toString());

        final String text = explain("allreduce", "1M", "-np", "64").succeeds().out();

        assertTrue(text.startsWith("allreduce of 1048576 bytes, 64 ranks: rabenseifner, segment 1048576 bytes, " +
            "window 1 (measured, " + table + ":1 for 64k-, from 3 up to 64 ranks)"), text);
        Files.writeString(table, "allreduce 3-64 64k-\n");
        assertTrue(explain("allreduce", "1M", "-np", "64").refusal().startsWith(table + ":1: "));
    }

    @Test
    void shouldRefuseTableForAnotherWireAsRunsDo(@TempDir final Path directory) throws IOException
    {
        final Path table = directory.resolve("tcp.tuning");
        Files.writeString(table, "allreduce 4 0- rabenseifner wire=tcp\n");
        System.setProperty("tutti.tuning", table.toString());
        final String other = "TUTTI_TUNING=" + table + ": all its lines are for the wire tcp, but ranks use ";

        System.setProperty("tutti.transport", "shm+verbs");
        assertTrue(explain("allreduce", "1M", "-np", "4").refusal().startsWith(other + "verbs: "));
        assertTrue(CommandResult.by(new SimulateCommand(), "allreduce", "-np", "4").refusal()
            .startsWith(other + "verbs: "));
        assertTrue(explain("allreduce", "1M", "-np", "1").succeeds().out().startsWith("allreduce of 1048576 bytes"));
        // The wire between hosts depends on their devices.
        System.setProperty("tutti.transport", "auto");
        assertTrue(explain("allreduce", "1M", "-np", "4").succeeds().out().contains("model of tcp"));
        assertTrue(explain("allreduce", "1M", "-np", "4").succeeds().out().contains("measured, " + table));
        assertTrue(explain("allreduce", "1M", "-np", "2").succeeds().out().contains("rank 0 reaches rank 1 via TCP\n"));
        assertTrue(explain("allreduce", "1M", "-np", "4", "--topology", "host").refusal().startsWith(other + "shm: "));
    }

    @Test
    void shouldRefuseModelForAnotherWireAsRunsDo(@TempDir final Path directory) throws IOException
    {
        final Path model = directory.resolve("tcp.model");
        Files.writeString(model, "version=1\nwire=tcp\nnetwork.send=2000\n");
        System.setProperty("tutti.model", model.toString());
        final String problem = "TUTTI_MODEL=" + model + ": is for the wire tcp, but ranks use verbs: calibrate it " +
            "with --wire verbs, or unset TUTTI_MODEL";

        for (final String transport : List.of("shm+verbs", "verbs"))
        {
            System.setProperty("tutti.transport", transport);
            assertEquals(problem, explain("allreduce", "1M", "-np", "4").refusal());
            assertEquals(problem, CommandResult.by(new SimulateCommand(), "allreduce", "-np", "4").refusal());
            assertTrue(explain("allreduce", "1M", "-np", "4", "--model", model.toString()).succeeds().out()
                .contains("(predicted by the model " + model + ": "));
        }
        assertEquals(problem, explain("allreduce", "1M", "-np", "4", "--topology", "host").refusal());
        System.setProperty("tutti.transport", "shm+verbs");
        explain("allreduce", "1M", "-np", "4", "--topology", "host").succeeds();
        System.setProperty("tutti.transport", "auto");
        assertTrue(explain("allreduce", "1M", "-np", "4").succeeds().out()
            .contains("(predicted by the model " + model + ": "));
    }

    /** Distinguishes as ranks do between reductions that round and those that are exact in every order. */
    @Test
    void shouldChooseAsRunsDoByOperationAndType()
    {
        System.setProperty("tutti.reproducible", "1");

        final String text = explain("allreduce", "1M", "-np", "4", "-d", "bfloat16").succeeds().out();

        final String chosen = text.lines().findFirst().orElseThrow();
        assertTrue(chosen.endsWith("; TUTTI_REPRODUCIBLE)"), chosen);
        assertTrue(text.lines().anyMatch(line -> line.startsWith("  - ring ")), text);
        assertTrue(
            text.contains("combine operands in an order other than the required one (TUTTI_REPRODUCIBLE)"), text);
        for (final String[] exact : new String[][] {{"-d", "int32"}, {"-d", "float", "-o", "max"}})
        {
            final List<String> args = new ArrayList<>(List.of("allreduce", "1M", "-np", "4"));
            args.addAll(List.of(exact));
            final String other = explain(args.toArray(String[]::new)).succeeds().out();
            assertFalse(other.contains("  - "), other);
        }
        assertTrue(explain("broadcast", "1M", "-np", "4").succeeds().out()
            .contains("(predicted by the model of verbs: "));
        System.setProperty("tutti.reproducible", "perhaps");
        assertEquals("tutti.reproducible='perhaps' is neither 1 nor 0",
            explain("allreduce", "1M", "-np", "4").refusal());
    }

    @Test
    void shouldKeepRankOrderWhenOperationIsNotCommutative()
    {
        assertTrue(explain("reduce", "1M", "-np", "4", "-o", "user").succeeds().out().contains("chain, "));
        assertTrue(explain("reduce", "1M", "-np", "4", "-o", "user", "--noncommutative").succeeds().out().lines()
            .findFirst().orElseThrow().endsWith("; the operation is not commutative)"));
        assertTrue(explain("reduce", "1M", "-np", "4", "--noncommutative").refusal()
            .startsWith("--noncommutative: -o=sum is commutative"));
        assertTrue(explain("reduce", "1M", "-np", "4", "-o", "and").refusal()
            .startsWith("-o=and: unknown operation \"and\": must be one of sum, prod, "));
        assertTrue(explain("reduce", "1M", "-np", "4", "-o", "band").refusal()
            .startsWith("-o=band: op=band is not defined on "));
    }

    @Test
    @Tag("torture")
    void shouldSayInOneLineThatAnAlgorithmCannotBeBuilt()
    {
        final List<String> lines = explain("allreduce", "1G", "-np", "300").succeeds().out().lines().toList();

        assertFalse(candidates(lines).contains("one_shot"));
        final List<String> about = lines.stream().filter(line -> line.contains("one_shot")).toList();
        assertEquals(1, about.size(), () -> about.toString());
        assertTrue(about.getFirst().startsWith("  unavailable: one_shot on 300 ranks needs "), about.getFirst());
        assertTrue(about.getFirst().length() <= 200, about.getFirst());
    }

    @Test
    void shouldHaveMoreAlgorithmsWithMoreScratch()
    {
        final String[] args = {"allreduce", "1M", "-np", "200"};
        System.setProperty("tutti.scratch", "64K");
        final String little = explain(args).succeeds().out();
        System.setProperty("tutti.scratch", "1G");
        final String much = explain(args).succeeds().out();

        assertTrue(little.contains("  unavailable: one_shot on 200 ranks needs more than TUTTI_SCRATCH=65536, "),
            little);
        assertTrue(candidates(much.lines().toList()).contains("one_shot"), much);
    }

    /** A run would fail in the same way. */
    @Test
    void shouldFailAsARunDoesWhenTheRequestedAlgorithmCannotBeBuilt()
    {
        System.setProperty("tutti.algorithm", "allreduce:0-:one_shot");

        final String message = explain("allreduce", "1G", "-np", "30").refusal();

        assertTrue(message.startsWith("one_shot on 30 ranks needs "), message);
        assertTrue(message.contains("TUTTI_ALGORITHM"), message);
    }

    @Test
    void shouldListNamesWhenUnknown()
    {
        assertTrue(explain("alreduce", "1M", "-np", "4").refusal()
            .startsWith("unknown collective \"alreduce\": must be one of allreduce, broadcast, barrier"));
        System.setProperty("tutti.algorithm", "allreduce:0-:rings");
        assertTrue(explain("allreduce", "1M", "-np", "4").refusal()
            .contains("unknown algorithm \"rings\" for allreduce: must be one of ring, "));
    }

    @Test
    void shouldRejectInvalidRanksAndModels()
    {
        assertEquals("-np=0: must be at least 1", explain("barrier", "-np", "0").refusal());
        assertEquals("--rank=4: must be from 0 to 3", explain("barrier", "-np", "4", "--rank", "4").refusal());
        assertEquals("-r=4: must be a rank from 0 to 3", explain("broadcast", "1k", "-np", "4", "-r", "4").refusal());
        assertTrue(explain("barrier", "-np", "4", "--model", "host.sent=1").refusal()
            .startsWith("--model=host.sent=1: unknown \"host.sent\" in the cost model: must be one of host.send, "));
    }

    /**
     * Runs skip such algorithms between hosts and with transports that cannot access peer memory, even if requested.
     */
    @ParameterizedTest
    @CsvSource({"host, shm, 1, true", "host, shm, 0, false", "host, verbs, 1, false", "flat, shm, 1, false"})
    void shouldUseDirectAlgorithmsOnlyWhenRunsDo(
        final String topology, final String transport, final String direct, final boolean isDirect)
    {
        System.setProperty("tutti.transport", transport);
        System.setProperty("tutti.direct", direct);
        final String[] args = {"allreduce", "1M", "-np", "2", "--topology", topology};

        final String byDefault = explain(args).succeeds().out();
        System.setProperty("tutti.algorithm", "allreduce:0-:direct");
        final String asked = explain(args).succeeds().out();

        for (final String text : List.of(byDefault, asked))
        {
            assertEquals(isDirect, text.startsWith("allreduce of 1048576 bytes, 2 ranks: direct, "), text);
            assertEquals(Algorithms.of(Collective.ALLREDUCE).stream().filter(each ->
                isDirect || !each.readsPeers() || (each.usesHosts() && topology.equals("flat")))
                .map(each -> each.name()).toList(), candidates(text.lines().toList()), text);
        }
    }

    @Test
    void shouldRejectInvalidDirectSetting()
    {
        System.setProperty("tutti.direct", "perhaps");

        assertEquals("tutti.direct='perhaps' is neither 1 nor 0", explain("allreduce", "1M", "-np", "2").refusal());
    }

    /** Algorithms of the lines that have a time. */
    private static List<String> candidates(final List<String> lines)
    {
        return lines.stream().map(Pattern.compile("  [* ] ([a-z_0-9]+) .*\\d+\\.\\d\\d .*")::matcher)
            .filter(Matcher::matches).map(matcher -> matcher.group(1)).toList();
    }

    private static CommandResult explain(final String... args)
    {
        return CommandResult.by(new ExplainCommand(), args);
    }
}
