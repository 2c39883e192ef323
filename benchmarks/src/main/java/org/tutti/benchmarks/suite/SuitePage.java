/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import org.tutti.tools.report.Numbers;
import org.tutti.tools.report.Page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A self-contained HTML report. */
final class SuitePage
{
    private static final String TEMPLATE = "report.html";

    private SuitePage()
    {
    }

    static String write(final SuiteReport report)
    {
        final List<String> peers = report.peers().stream().sorted().toList();
        final StringBuilder tiles = new StringBuilder();
        final StringBuilder cases = new StringBuilder();
        for (int i = 0; i < report.cases().size(); i++)
        {
            final CaseResult result = report.cases().get(i);
            tiles.append(tile(result, i));
            cases.append(new CaseSection(result, peers).write(i));
        }
        final Map<String, String> values = new LinkedHashMap<>();
        values.put("{title}", Page.escape(title(peers, report)));
        values.put("{about}", Page.escape(about(report)));
        values.put("{warning}", report.missing() == null ? "" :
            "<section class=\"warn\"><b>Incomplete.</b> " + Page.escape(report.missing()) + "</section>");
        values.put("{tiles}", tiles.toString());
        values.put("{cases}", cases.toString());
        values.put("{reading}", reading(report));
        return Page.of(SuitePage.class, TEMPLATE, values);
    }

    private static String title(final List<String> peers, final SuiteReport report)
    {
        final List<String> names = peers.stream().map(CaseResult::shortName).distinct().toList();
        final String title = names.isEmpty() ? "Tutti" : "Tutti compared with " + (names.size() == 1 ?
            names.getFirst() : String.join(", ", names.subList(0, names.size() - 1)) + " and " + names.getLast());
        final List<Wire> wires = report.cases().stream().map(result -> result.of().wire()).distinct().toList();
        return wires.size() == 1 ? wires.getFirst().title(title) : title;
    }

    private static String about(final SuiteReport report)
    {
        final Set<String> hosts = new LinkedHashSet<>();
        report.cases().forEach(result -> hosts.add(result.conditions().date() + ", Tutti " +
            result.conditions().commit() + " on " + result.conditions().host()));
        return hosts.isEmpty() ? "Nothing has been measured yet." : String.join("; ", hosts);
    }

    /** Tile that summarizes a case: each peer's time over Tutti's, as geometric mean over all sizes. */
    private static String tile(final CaseResult result, final int index)
    {
        final StringBuilder tile = new StringBuilder();
        tile.append("<a class=\"tile\" href=\"#case").append(index).append("\"><h3>")
            .append(Page.escape(result.of().title())).append("</h3>\n");
        for (final String peer : result.peers())
        {
            final List<Map<String, Figure>> rows = result.rows().values().stream()
                .filter(row -> Mark.of(row, peer) != Mark.NONE).toList();
            final double mean = Math.exp(
                rows.stream().mapToDouble(row -> Math.log(CaseResult.ratio(row, peer))).average().orElse(Double.NaN));
            final long faster = rows.stream().filter(row -> Mark.of(row, peer) == Mark.FASTER).count();
            final long slower = rows.stream().filter(row -> Mark.of(row, peer) == Mark.SLOWER).count();
            tile.append("<p><b>").append(Numbers.ratio(mean)).append("×</b> ")
                .append(Page.escape(CaseResult.shortName(peer))).append("<span>");
            count(tile, Mark.FASTER, faster);
            count(tile, Mark.ALIKE, rows.size() - faster - slower);
            count(tile, Mark.SLOWER, slower);
            tile.append("</span></p>\n");
        }
        return tile.append("</a>\n").toString();
    }

    private static void count(final StringBuilder tile, final Mark mark, final long sizes)
    {
        if (sizes > 0)
        {
            tile.append(" <span class=\"").append(mark.word()).append("\" title=\"Tutti is ").append(mark.word())
                .append("\">").append(mark.sign()).append(' ').append(sizes).append("</span>");
        }
    }

    private static String reading(final SuiteReport report)
    {
        final StringBuilder text = new StringBuilder();
        text.append("<p>Lines are medians over the rounds, bands range from their minimum to their maximum. ")
            .append("In the tables, × is the other's time over Tutti's; the range beside a time is from the minimum ")
            .append("to the maximum over the rounds, in the unit of the time.</p>\n")
            .append(limits(report))
            .append("<p>All programs make the same calls on the same sizes, averaged alike, interleaved so ")
            .append("that background load affects all alike, and check every value. Before and after each run the ")
            .append("core-to-core latency is measured; in a virtual machine it changes, and with it the latency of ")
            .append("small messages. Only runs near the lowest latency count.</p>\n<dl>\n");
        entry(text, "Tutti", distinct(report, result -> List.of(result.conditions().commit())));
        entry(text, "JVM", distinct(report, result -> List.of(result.conditions().jvm())));
        entry(text, "Peers", distinct(report, CaseResult::peers));
        entry(text, "Host", distinct(report, result -> List.of(result.conditions().host())));
        entry(text, "Core to core", distinct(report, result -> List.of(result.coreToCoreNs() + " ns")));
        final long discarded = report.cases().stream().mapToLong(CaseResult::discarded).sum();
        final long runs = report.cases().stream().mapToLong(result -> result.samples().size()).sum();
        if (runs > 0)
        {
            entry(text, "Runs", runs + (discarded == 0 ? ", all counted" :
                ", of which " + discarded + " were discarded because of their core-to-core latency"));
        }
        text.append("<dt>Command</dt><dd><code>").append(Page.escape(report.command())).append("</code></dd>\n");
        return text.append("</dl>\n").toString();
    }

    /** Explains the limits that the report has. */
    private static String limits(final SuiteReport report)
    {
        final StringBuilder text = new StringBuilder();
        if (report.cases().stream().anyMatch(result -> result.rounds().containsKey(CaseResult.ROOFLINE)))
        {
            text.append("<p>The dashed line is a roofline: the same bytes moved by as many processes over shared ")
                .append("memory, with two flags and nothing else. The shaded area is beyond the limit of the memory, ")
                .append("except for small sizes, whose time is the latency of the flags; <i>reached</i> is Tutti's ")
                .append("fraction of the limit.</p>\n");
        }
        if (report.cases().stream().anyMatch(result -> result.rounds().containsKey(CaseResult.FLOOR)))
        {
            text.append("<p>Over TCP the dashed line is a floor, measured by a C program that spins: the longer of ")
                .append("half the round trip of a message, and of streaming as many bytes both ways at once. ")
                .append("<i>reached</i> is the floor over Tutti's time. All programs use TCP over the loopback ")
                .append("interface, with the congestion control of the host unless they choose another.</p>\n");
        }
        return text.toString();
    }

    private static String distinct(
        final SuiteReport report, final Function<CaseResult, List<String>> part)
    {
        final List<String> all = new ArrayList<>();
        report.cases().forEach(result -> all.addAll(part.apply(result)));
        return all.stream().distinct().collect(Collectors.joining("; "));
    }

    private static void entry(final StringBuilder text, final String name, final String value)
    {
        text.append("<dt>").append(name).append("</dt><dd>").append(Page.escape(value)).append("</dd>\n");
    }
}
