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

/** A report for people: one page that loads nothing. */
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
        values.put("{title}", Page.escape(title(peers)));
        values.put("{about}", Page.escape(about(report)));
        values.put("{warning}", report.missing() == null ? "" :
            "<section class=\"warn\"><b>This is not all.</b> " + Page.escape(report.missing()) + "</section>");
        values.put("{tiles}", tiles.toString());
        values.put("{cases}", cases.toString());
        values.put("{reading}", reading(report));
        return Page.of(SuitePage.class, TEMPLATE, values);
    }

    private static String title(final List<String> peers)
    {
        final List<String> names = peers.stream().map(CaseResult::shortName).distinct().toList();
        return names.isEmpty() ? "Tutti" : "Tutti beside " + (names.size() == 1 ? names.getFirst() :
            String.join(", ", names.subList(0, names.size() - 1)) + " and " + names.getLast());
    }

    private static String about(final SuiteReport report)
    {
        final Set<String> hosts = new LinkedHashSet<>();
        report.cases().forEach(result -> hosts.add(result.conditions().date() + ", Tutti " +
            result.conditions().commit() + " on " + result.conditions().host()));
        return hosts.isEmpty() ? "Nothing has been measured yet." : String.join("; ", hosts);
    }

    /** A case in short: by what factor each peer takes longer, on the geometric mean of all sizes. */
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
        text.append("<p>Lines are medians of the rounds, bands go from the least to the greatest of them. ")
            .append("In the tables, × says how many times as long as Tutti the other takes; the range beside a ")
            .append("time goes from the least to the greatest of the rounds, in the time's unit.</p>\n")
            .append("<p>The dashed line is a roofline: the same bytes moved by as many processes over shared memory, ")
            .append("with two flags and nothing else. What lies in the shade is beyond what the memory allows, ")
            .append("but for small sizes, whose time is that of the flags; <i>reached</i> is how much of it Tutti ")
            .append("has.</p>\n")
            .append("<p>All programs make the same calls on the same sizes, averaged alike, interleaved so ")
            .append("that background load affects all alike, and check every value. Before and after each run the ")
            .append("time that a flag takes from core to core is measured; on a virtual machine it changes, and small ")
            .append("messages with it. Only runs at the least distance count.</p>\n<dl>\n");
        entry(text, "Tutti", distinct(report, result -> List.of(result.conditions().commit())));
        entry(text, "JVM", distinct(report, result -> List.of(result.conditions().jvm())));
        entry(text, "Peers", distinct(report, CaseResult::peers));
        entry(text, "Host", distinct(report, result -> List.of(result.conditions().host())));
        entry(text, "From core to core", distinct(report, result -> List.of(result.nearNs() + " ns")));
        final long discarded = report.cases().stream().mapToLong(CaseResult::discarded).sum();
        final long runs = report.cases().stream().mapToLong(result -> result.samples().size()).sum();
        if (runs > 0)
        {
            entry(text, "Runs", runs + (discarded == 0 ? ", which all count" :
                ", of which " + discarded + " were too far from core to core to count"));
        }
        text.append("<dt>Again</dt><dd><code>").append(Page.escape(report.command())).append("</code></dd>\n");
        return text.append("</dl>\n").toString();
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
