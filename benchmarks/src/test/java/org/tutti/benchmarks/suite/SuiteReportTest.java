/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tutti.benchmarks.perf.Operation;
import org.tutti.tools.report.Json;
import org.xml.sax.InputSource;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.xml.parsers.DocumentBuilderFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class SuiteReportTest
{
    private static final Path HISTORY = Path.of(System.getProperty("tutti.root"), "benchmarks/history");
    private static final Pattern LOADS =
        Pattern.compile("src\\s*=|href\\s*=\\s*\"(?!#)|@import|url\\(|fetch\\(|https?://");

    @TempDir
    private Path directory;

    @Test
    void shouldReadWrittenCsv()
    {
        final List<CaseResult> results = Reports.report(null).cases();
        final Path file = directory.resolve("run.csv");
        ReportFiles.replace(file, SuiteCsv.write(results));

        final List<CaseResult> read = SuiteCsv.read(file);

        assertEquals(SuiteCsv.write(results), SuiteCsv.write(read));
        assertEquals(results.getFirst().rows(), read.getFirst().rows());
        assertEquals(results.stream().map(CaseResult::of).toList(), read.stream().map(CaseResult::of).toList());
        assertEquals(Reports.CONDITIONS, read.getFirst().conditions());
        assertEquals(results.getFirst().rounds(), read.getFirst().rounds());
    }

    @Test
    void shouldKeepEveryDigitInCsv()
    {
        final Sample tutti = new Sample(1, "Tutti", 57, new TreeMap<>(Map.of(4L, 0.000123)));
        final Sample other = new Sample(1, "MPICH 4.0.2", 57, new TreeMap<>(Map.of(4L, 123456789.012345)));
        final CaseResult result = CaseResult.of(Reports.CASE, Reports.CONDITIONS, List.of(tutti, other));
        final Path file = directory.resolve("run.csv");
        ReportFiles.replace(file, SuiteCsv.write(List.of(result)));

        final CaseResult read = SuiteCsv.read(file).getFirst();

        assertEquals(result.rows(), read.rows());
        assertFalse(SuiteCsv.write(List.of(result)).contains("E"), "spreadsheets prefer plain numbers");
    }

    @Test
    void shouldReadAllSavedRuns() throws IOException
    {
        try (Stream<Path> files = Files.list(HISTORY))
        {
            final List<Path> runs = files.filter(file -> file.toString().endsWith("-ranks.csv")).toList();

            assertFalse(runs.isEmpty());
            runs.forEach(file -> assertFalse(SuiteCsv.read(file).getFirst().rows().isEmpty(), file.toString()));
        }
    }

    @Test
    void shouldNameInvalidLine() throws IOException
    {
        final Path file = directory.resolve("bad.csv");
        final List<String> lines = SuiteCsv.write(Reports.report(null).cases()).lines().toList();
        Files.write(file, List.of(lines.get(0), lines.get(1), "2026-11-22,abc"));
        assertRefused(file, "line 3: 2 fields, must have 21");

        Files.write(file, List.of(lines.get(0), lines.get(1).replace(",allreduce,", ",allredude,")));
        assertRefused(file, "line 2: unknown collective \"allredude\"");

        Files.write(file, List.of("a,b", "1,2"));
        assertRefused(file, "first line must be date,commit,");

        assertRefused(directory.resolve("none.csv"), "must be a readable file");
    }

    @Test
    void shouldWriteEveryRunToJson()
    {
        final Map<?, ?> report = Json.read(SuiteJson.write(Reports.report("interrupted")));

        assertEquals(false, report.get("is_whole"));
        assertEquals("interrupted", report.get("missing"));
        final Map<?, ?> first = (Map<?, ?>)((List<?>)report.get("cases")).getFirst();
        assertEquals(12, ((List<?>)first.get("samples")).size());
        assertEquals(10, ((List<?>)first.get("rows")).size());
        assertEquals("allreduce", first.get("collective"));
    }

    @Test
    void shouldWriteWellFormedSelfContainedPage() throws Exception
    {
        for (final SuiteReport report : List.of(Reports.report(null), Reports.report("a <b> & \"c\""),
            new SuiteReport("./tutti bench", List.of(), "interrupted")))
        {
            final String page = SuitePage.write(report);

            DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(page)));
            assertFalse(LOADS.matcher(page).find(), page);
            assertFalse(page.contains("NaN") || page.contains("Infinity") || page.contains("null"), page);
            assertFalse(Pattern.compile("\\{[a-z]+}").matcher(page).find(), "unfilled placeholder");
        }
    }

    @Test
    void shouldShowTwoPlotsAndTableForEachCase()
    {
        final String page = SuitePage.write(Reports.report(null));

        // A barrier has no sizes to plot against.
        assertEquals(4, count(page, "role=\"img\""));
        assertEquals(3, count(page, "<table>"));
        assertEquals(3, count(page, "class=\"tile\""));
        assertTrue(page.contains("<h1>Tutti compared with MPICH and Open MPI</h1>"));
        assertTrue(Pattern.compile("<td class=\"faster\"[^>]*>[0-9.]+× ▲</td>").matcher(page).find(),
            "legible without colours");
        assertFalse(page.contains("Incomplete."));
        assertTrue(SuitePage.write(Reports.report("interrupted")).contains("Incomplete."));
    }

    @Test
    void shouldUseOneUnitForTimeAndRange()
    {
        final Sample slow = new Sample(1, "Tutti", 57, new TreeMap<>(Map.of(4L, 1.9)));
        final Sample fast = new Sample(2, "Tutti", 57, new TreeMap<>(Map.of(4L, 0.2)));
        final Sample usual = new Sample(3, "Tutti", 57, new TreeMap<>(Map.of(4L, 0.225)));
        final Sample other = new Sample(1, "MPICH 4.0.2", 57, new TreeMap<>(Map.of(4L, 12_345.0)));
        final CaseResult result =
            CaseResult.of(Reports.CASE, Reports.CONDITIONS, List.of(slow, fast, usual, other));

        final String page = SuitePage.write(new SuiteReport("./tutti bench", List.of(result), null));

        assertTrue(page.contains(">225 ns<span class=\"spread\">200–1,900</span>"), page);
        assertTrue(page.contains(">12.3 ms<span class=\"spread\">12.3–12.3</span>"), page);
    }

    /** Labels beside the lines, for readers who cannot distinguish colours. */
    @Test
    void shouldLabelEveryLineInEveryPlot()
    {
        final String page = SuitePage.write(Reports.report(null));

        for (final String name : List.of("Tutti", "Open MPI", "MPICH", "roofline"))
        {
            assertEquals(4, page.lines().filter(line -> line.contains("<text class=\"name ") &&
                line.endsWith(">" + name + "</text>")).count(), name);
        }
    }

    @Test
    void shouldGivePeerSameColourOnAllPages()
    {
        final Sample tutti = new Sample(1, "Tutti", 57, new TreeMap<>(Map.of(4L, 0.2)));
        final Sample mpich = new Sample(1, "MPICH 3.1", 57, new TreeMap<>(Map.of(4L, 0.3)));
        final CaseResult alone = CaseResult.of(Reports.CASE, Reports.CONDITIONS, List.of(tutti, mpich));
        final Pattern name = Pattern.compile("<text class=\"name (\\w+)\"[^>]*>MPICH<");

        assertEquals(List.of("s2"), SuitePage.write(new SuiteReport("", List.of(alone), null)).lines()
            .flatMap(line -> name.matcher(line).results()).map(found -> found.group(1)).distinct().toList());
        assertEquals(List.of("s2"), SuitePage.write(Reports.report(null)).lines()
            .flatMap(line -> name.matcher(line).results()).map(found -> found.group(1)).distinct().toList());
    }

    @Test
    void shouldPrintTableWithSpreadAndRatios()
    {
        final String text = SuiteTable.text(Reports.result(Reports.CASE));

        assertTrue(text.startsWith("# allreduce, 2 ranks: float sum, out of place, not bound, options -n 100; " +
            "medians of 3 rounds (min-max), 58-60 ns core to core\n"), text);
        assertTrue(text.contains("     64 B  0.23 (0.22-0.24)"), text);
        assertTrue(text.lines().allMatch(line -> line.equals(line.stripTrailing())), text);
    }

    @Test
    void shouldShowFirstCallsByNumberOfCalls()
    {
        final Case cold = Case.of(Operation.ALLREDUCE, false, 2, "none", Wire.SHM, "--cold -b 4096 -e 4096");
        final List<Sample> samples = List.of(
            new Sample(1, "Tutti", 57, new TreeMap<>(Map.of(1L, 15_000.0, 10_000L, 250_000.0))),
            new Sample(1, "Open MPI v4.1.4", 57, new TreeMap<>(Map.of(1L, 300.0, 10_000L, 30_000.0))));
        final CaseResult result = CaseResult.of(cold, Reports.CONDITIONS, samples);

        final String text = SuiteTable.text(result);
        assertTrue(text.contains("     calls  Tutti us"), text);
        assertTrue(text.contains("    10,000  250,000"), text);
        assertTrue(text.contains(" 0.02 -"), text);
        final String markdown = SuiteTable.markdown(List.of(result));
        assertTrue(markdown.startsWith("| calls | allreduce, 2 ranks | Open MPI |"), markdown);
        assertTrue(markdown.contains("| 10,000 | 250 ms | 30.0 ms |"), markdown);
        assertThrows(SuiteException.class,
            () -> SuiteTable.markdown(List.of(result, Reports.result(Reports.CASE))));
        final SuiteReport report = new SuiteReport("./tutti bench", List.of(result), null);
        assertTrue(SuitePage.write(report).contains("<th>calls</th>"));
        assertTrue(SuiteJson.write(report).contains("\"calls\": 10000"), SuiteJson.write(report));
    }

    @Test
    void shouldWriteMarkdownTableOfSeveralCases()
    {
        final List<String> lines = SuiteTable.markdown(Reports.report(null).cases().subList(0, 2)).lines().toList();

        assertEquals("| size | allreduce, 2 ranks | MPICH | Open MPI | broadcast, 4 ranks | MPICH | Open MPI |",
            lines.getFirst());
        assertEquals("| 4 B | 0.22 µs | × 2.00 | × 1.50 | 0.22 µs | × 2.00 | × 1.50 |", lines.get(2));
        assertEquals(2 + 10, lines.size());
    }

    private static void assertRefused(final Path file, final String why)
    {
        final String message = assertThrows(SuiteException.class, () -> SuiteCsv.read(file)).getMessage();
        assertTrue(message.startsWith(file.toString()) && message.contains(why), message);
    }

    private static int count(final String text, final String part)
    {
        return text.split(Pattern.quote(part), -1).length - 1;
    }
}
