/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.schedule.Collective;
import org.xml.sax.InputSource;

class SimulateTest
{
    /** Number of allreduce algorithms that work between hosts. */
    private static final long ALLREDUCES =
        Algorithms.of(Collective.ALLREDUCE).stream().filter(each -> !each.readsPeers() || each.usesHosts()).count();

    @TempDir
    private Path directory;

    @Test
    void shouldPrintLinePerRanksSizeAndAlgorithm()
    {
        final List<String> lines = simulate("allreduce", "-np", "4,64", "-b", "4", "-e", "1M", "--topology",
            "fat-tree:16").succeeds().out().lines().filter(line -> !line.startsWith("#")).toList();

        // 4, 64, 1K, 16K, 256K, 1M, and a line of headings.
        assertEquals(1 + 2 * 6 * ALLREDUCES, lines.size());
        assertEquals(12, lines.stream().filter(line -> line.startsWith("*")).count());
    }

    @Test
    @Tag("torture")
    void shouldSimulateManyRanksByFewAndExtrapolatePipelines()
    {
        final String ring = simulate("allreduce", "-np", "16384", "-b", "1G", "-e", "1G", "--algorithm", "ring")
            .succeeds().out();
        final String tree = simulate("allreduce", "-np", "16384", "-b", "1G", "-e", "1G", "--algorithm",
            "double_binary_tree").succeeds().out();

        assertTrue(Pattern.compile(" ring .* 1 rank represents all").matcher(ring).find(), ring);
        assertTrue(
            Pattern.compile(" double_binary_tree .* fewer segments, error").matcher(tree).find(), tree);
    }

    @Test
    void shouldBeDeterministicAndPrintSeed()
    {
        final String[] args = {"broadcast", "-np", "32", "-b", "64k", "-e", "64k", "--straggler", "20%:5",
            "--loss", "0.01,0.1", "--seed", "7"};
        final String other = simulate("broadcast", "-np", "32", "-b", "64k", "-e", "64k", "--straggler", "20%:5",
            "--loss", "0.01,0.1", "--seed", "8").succeeds().out();

        final String out = simulate(args).succeeds().out();

        assertEquals(out, simulate(args).succeeds().out());
        assertTrue(
            out.startsWith("# tutti simulate broadcast, model of verbs, seed 7, stragglers 20%:5 loss 0.01,0.1"));
        assertFalse(other.lines().skip(2).toList().equals(out.lines().skip(2).toList()));
    }

    @Test
    void shouldTakeLongerWithStragglersAndLosses()
    {
        assertTrue(time("--straggler", "3:10") > time());
        assertTrue(time("--loss", "0.05") > time());
    }

    @Test
    void shouldPrintJson()
    {
        final String out = simulate("barrier", "-np", "8", "--json").succeeds().out();

        assertTrue(out.startsWith("{\n  \"version\": 1,\n  \"collective\": \"barrier\","), out);
        assertTrue(out.contains("\"method\": \"FULL\""), out);
    }

    @Test
    void shouldWriteWellFormedSelfContainedPage() throws Exception
    {
        final Path page = directory.resolve("page.html");

        simulate("allreduce", "-np", "4,8", "-e", "64k", "--html", page.toString()).succeeds();

        final String html = Files.readString(page);
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(html)));
        assertFalse(Pattern.compile("(?:src|href)\\s*=|@import|url\\(http|fetch\\(").matcher(html).find());
        assertFalse(Pattern.compile("\\{[a-zA-Z]+}|NaN|null").matcher(html).find(), html);
        assertTrue(html.contains("<h1>allreduce, simulated</h1>"));
    }

    @Test
    void shouldShowAPlotPerSizeAndPerNumberOfRanks() throws IOException
    {
        final Path page = directory.resolve("page.html");

        simulate("allreduce", "-np", "4,8", "-e", "64k", "--html", page.toString()).succeeds();

        // 4, 64, 1K, 16K, 64K.
        final String html = Files.readString(page);
        assertEquals(2, count(html, "aria-label=\"time against size\""), "one per number of ranks");
        assertEquals(5, count(html, "aria-label=\"time against ranks\""), "one per size");
        assertEquals(2 + 5 - 2, count(html, "hidden=\"hidden\""), "all but one of each are hidden");
        assertEquals(8, count(html, "<path class=\"wait\""), "a line per rank of the shown run");
        assertEquals(2 * 5 * ALLREDUCES, count(html, "<tr><td>") + count(html, "<tr class=\"chosen\"><td>"));
        assertEquals(2 * 5, count(html, "<tr class=\"chosen\"><td>"));
        assertEquals(2 * ALLREDUCES, Pattern.compile("<li><span class=\"s\\d").matcher(html).results().count(),
            "a legend for each kind of plot");
        assertTrue(Pattern.compile("<title>64 KiB\n(?s:.*?)  [0-9.]+ µs \\(chosen\\)").matcher(html).find());
    }

    @Test
    void shouldMapChoiceAgainstBestWhenThereAreSeveralCalls() throws IOException
    {
        final Path page = directory.resolve("page.html");

        simulate("allreduce", "-np", "4,8,16", "-b", "4", "-e", "64k", "--html", page.toString()).succeeds();

        // 4, 64, 1K, 16K, 64K.
        final String html = Files.readString(page);
        final String map = html.substring(html.indexOf("<table class=\"map\">"), html.indexOf("<h2>One run</h2>"));
        assertEquals(3 * 5, Pattern.compile("<td class=\"m[0-5]\" title=").matcher(map).results().count());
        assertEquals(5, count(map, "<th scope=\"row\">"));
        assertTrue(Pattern.compile("<th scope=\"col\">16 ranks</th>").matcher(map).find());
        assertTrue(Pattern.compile("title=\"16 ranks, 64 KiB&#10;chosen: [a-z_]+, [0-9.]+ µs, [a-z ]+&#10;" +
            "best: [a-z_]+, [0-9.]+ µs, [0-9a-z ]+&#10;[0-9.]+ times the best\"").matcher(map).find(), map);
        simulate("allreduce", "-np", "4", "-b", "4", "-e", "4", "--html", page.toString()).succeeds();
        assertFalse(Files.readString(page).contains("Choice against best"), "one call is no map");
    }

    @Test
    void shouldSummarizeChoiceAgainstBest()
    {
        final String out = simulate("allreduce", "-np", "4,8", "-b", "4", "-e", "1k").succeeds().out();

        assertTrue(Pattern.compile("(?m)^# in \\d of 6 calls, the chosen algorithm takes at most 1.03 times as long " +
            "as the best one").matcher(out).find(), out);
    }

    @Test
    void shouldSayInOneLinePerAlgorithmWhatCannotBeBuilt()
    {
        final CommandResult result = simulate("allreduce", "-np", "2048", "-b", "64M", "-e", "128M", "-f", "2",
            "--algorithm", "ring,one_shot");

        final List<String> lines = result.succeeds().out().lines().toList();

        assertEquals(2, lines.stream().filter(line -> line.contains(" ring ")).count());
        final List<String> about = lines.stream().filter(line -> line.contains("one_shot")).toList();
        assertEquals(1, about.size(), () -> about.toString());
        assertTrue(about.getFirst().startsWith(
            "# unavailable in 2 calls, the first of 64M: one_shot on 2048 ranks needs "), about.getFirst());
    }

    @Test
    void shouldReportInJsonAndRefuseWhatCannotBeBuilt()
    {
        final String json = simulate("allreduce", "-np", "2048", "-b", "64M", "-e", "64M", "--json", "--algorithm",
            "ring,one_shot").succeeds().out();

        assertEquals(1, count(json, "\"algorithm\": \"one_shot\""));
        assertTrue(json.contains("\"unavailable\": ["), json);
        assertTrue(simulate("allreduce", "-np", "2048", "-b", "64M", "-e", "64M", "--algorithm", "one_shot").refusal()
            .startsWith("--algorithm=one_shot: one_shot on 2048 ranks needs "));
    }

    private static int count(final String text, final String part)
    {
        return text.split(Pattern.quote(part), -1).length - 1;
    }

    @Test
    void shouldRejectInvalidOptionsBeforeStart()
    {
        assertTrue(simulate("allreduce", "-np", "17", "--topology", "fat-tree:4").refusal()
            .startsWith("--topology \"fat-tree:4\" has 16 hosts"));
        assertEquals("-e=4: must be at least -b, which is 1024",
            simulate("allreduce", "-np", "4", "-b", "1k", "-e", "4").refusal());
        assertEquals("unknown algorithm \"rings\" for allreduce: must be one of " + String.join(", ",
            Algorithms.of(Collective.ALLREDUCE).stream().map(each -> each.name()).toList()),
            simulate("allreduce", "-np", "4", "--algorithm", "rings").refusal());
        assertTrue(simulate("allreduce", "-np", "2", "-e", "64k", "--algorithm", "direct").refusal()
            .startsWith("--algorithm=direct: not used on flat with this environment: it needs ranks of one "));
        assertTrue(simulate("allreduce", "-np", "4", "--straggler", "5").refusal()
            .startsWith("--straggler=5 : must be RANK:FACTOR"));
        assertTrue(simulate("allreduce", "-np", "4", "--html", directory.toString()).refusal()
            .endsWith(": must be a file in an existing directory"));
    }

    private static double time(final String... more)
    {
        final String[] args = {"allreduce", "-np", "8", "-b", "64k", "-e", "64k", "--algorithm", "ring"};
        final String[] all = Arrays.copyOf(args, args.length + more.length);
        System.arraycopy(more, 0, all, args.length, more.length);
        final Matcher row = Pattern.compile(" ring +\\S+ +\\d+ +(\\d+\\.\\d\\d)").matcher(
            simulate(all).succeeds().out());
        assertTrue(row.find());
        return Double.parseDouble(row.group(1));
    }

    @Test
    void shouldPrintExamplesWithoutFormatEscapes()
    {
        final String help = simulate("--help").succeeds().out();

        assertTrue(help.contains(" tutti simulate broadcast -np 256 -b 1M -e 1M --straggler '1%:4' --loss 1e-6"), help);
    }

    private static CommandResult simulate(final String... args)
    {
        return CommandResult.by(new SimulateCommand(), args);
    }
}
