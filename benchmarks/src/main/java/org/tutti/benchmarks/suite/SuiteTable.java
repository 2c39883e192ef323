/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import org.tutti.tools.report.Numbers;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Tables of times and ratios, for terminals and in Markdown. */
final class SuiteTable
{
    private static final int COLUMN = 25;

    private SuiteTable()
    {
    }

    /** Table of a case for a terminal, with a final line end. */
    static String text(final CaseResult result)
    {
        final Conditions conditions = result.conditions();
        final StringBuilder text = new StringBuilder();
        text.append("# ").append(result.of().title()).append(": ").append(result.of().details()).append("; ")
            .append(result.medians()).append(" (min-max), ").append(result.coreToCoreNs())
            .append(" ns core to core\n");
        text.append("# Tutti ").append(conditions.commit()).append(" on ").append(conditions.jvm()).append("; ")
            .append(String.join("; ", result.peers())).append("; ").append(conditions.host()).append('\n');
        text.append(String.format(Locale.ROOT, "%10s  %-" + COLUMN + "s", result.of().rowTitle(), "Tutti us"));
        for (final String other : result.others())
        {
            text.append(String.format(Locale.ROOT, "  %-" + COLUMN + "s %9s",
                CaseResult.shortName(other) + " us", CaseResult.isLimit(other) ? "reached" : "by Tutti"));
        }
        final boolean hasFastest = hasFastest(result);
        text.append(hasFastest ? "   of fastest\n" : "\n");
        result.rows().forEach((size, row) ->
        {
            text.append(String.format(Locale.ROOT, "%10s  %-" + COLUMN + "s",
                result.of().rowLabel(size), figure(row.get(CaseResult.TUTTI))));
            for (final String other : result.others())
            {
                text.append(String.format(Locale.ROOT, "  %-" + COLUMN + "s %9s", figure(row.get(other)),
                    ratio(row, other)));
            }
            text.append(hasFastest ? String.format(Locale.ROOT, "  %11s%n", ofFastest(result, row)) : "\n");
        });
        return text.toString().replaceAll(" +\n", "\n");
    }

    /** Whether the table compares Tutti with the fastest of several libraries, which differs from row to row. */
    private static boolean hasFastest(final CaseResult result)
    {
        return result.of().wire() == Wire.TCP && result.peers().size() > 1;
    }

    private static String ofFastest(final CaseResult result, final Map<String, Figure> row)
    {
        return result.fastest(row).map(peer -> CaseResult.ratio(row, peer)).filter(ratio -> !ratio.isNaN())
            .map(ratio -> Numbers.ratio(1 / ratio)).orElse("-");
    }

    /** Legend below the tables. */
    static String legend(final List<CaseResult> results)
    {
        final StringBuilder text = new StringBuilder(
            "# by Tutti: the peer's time over Tutti's; + Tutti was faster in all rounds, - slower, ~ neither\n");
        final Set<String> labels = new HashSet<>();
        results.forEach(result -> labels.addAll(result.others()));
        if (labels.contains(CaseResult.ROOFLINE))
        {
            text.append("# reached: Tutti's fraction of the memory bandwidth limit, which does not apply to small " +
                "sizes\n");
        }
        if (labels.contains(CaseResult.FLOOR))
        {
            text.append("# reached: the floor over Tutti's time; the floor is the longer of half the round trip in " +
                "C, and of streaming\n#   the bytes both ways at once\n");
        }
        if (results.stream().anyMatch(SuiteTable::hasFastest))
        {
            text.append("# of fastest: Tutti's time over that of the fastest other library\n");
        }
        return text.toString();
    }

    /**
     * Markdown table of several cases, as in the README: for each case, Tutti's time, each peer's time over Tutti's,
     * and the floor over Tutti's time in percent.
     *
     * @param results results, whose peers may differ.
     * @return the table, with a line end after each line.
     */
    static String markdown(final List<CaseResult> results)
    {
        final boolean isCold = results.stream().anyMatch(result -> result.of().isCold());
        if (isCold && !results.stream().allMatch(result -> result.of().isCold()))
        {
            throw new SuiteException("first calls and sizes have no common rows: make separate tables");
        }
        final StringBuilder head = new StringBuilder(isCold ? "| calls |" : "| size |");
        final StringBuilder rule = new StringBuilder("|-:|");
        final Map<Long, List<String>> rows = new TreeMap<>();
        results.forEach(result -> result.rows().keySet().forEach(size -> rows.put(size, new ArrayList<>())));
        for (final CaseResult result : results)
        {
            head.append(' ').append(result.of().title()).append(" |");
            rule.append("-:|");
            columns(result).forEach(peer ->
            {
                head.append(' ').append(CaseResult.shortName(peer)).append(" |");
                rule.append("-:|");
            });
            rows.forEach((size, cells) -> addCells(cells, result, size));
        }
        final boolean hasSizes = results.stream().anyMatch(result -> result.of().hasSizes());
        final StringBuilder text = new StringBuilder().append(head).append('\n').append(rule).append('\n');
        rows.forEach((row, cells) -> text.append("| ")
            .append(isCold ? Numbers.count(row) : hasSizes ? Numbers.size(row) : "–").append(" | ")
            .append(String.join(" | ", cells)).append(" |\n"));
        return text.toString();
    }

    /** The peers of a Markdown table: without the roofline, which is no limit of most rows. */
    private static List<String> columns(final CaseResult result)
    {
        return result.others().stream().filter(label -> !label.equals(CaseResult.ROOFLINE)).toList();
    }

    private static void addCells(final List<String> cells, final CaseResult result, final long size)
    {
        final Map<String, Figure> row = result.rows().getOrDefault(size, new LinkedHashMap<>());
        final Figure tutti = row.get(CaseResult.TUTTI);
        if (result.of().isCold())
        {
            // No ratios: JVM and C startup differ by a factor of a thousand.
            cells.add(milliseconds(tutti));
            columns(result).forEach(peer -> cells.add(milliseconds(row.get(peer))));
            return;
        }
        cells.add(tutti == null ? "" : Numbers.threeDigits(tutti.medianUs()) + " µs");
        for (final String peer : columns(result))
        {
            final double ratio = CaseResult.ratio(row, peer);
            cells.add(Double.isNaN(ratio) ? "" : CaseResult.isLimit(peer) ? percent(ratio) :
                "× " + Numbers.ratio(ratio) + (Mark.of(row, peer) == Mark.ALIKE ? " ≈" : ""));
        }
    }

    private static String percent(final double ratio)
    {
        return Math.round(100 * ratio) + " %";
    }

    private static String milliseconds(final Figure figure)
    {
        return figure == null ? "" : Numbers.threeDigits(figure.medianUs() / 1e3) + " ms";
    }

    private static String figure(final Figure figure)
    {
        return figure == null ? "-" : Numbers.threeDigits(figure.medianUs()) + " (" +
            Numbers.threeDigits(figure.minUs()) + "-" + Numbers.threeDigits(figure.maxUs()) + ")";
    }

    private static String ratio(final Map<String, Figure> row, final String other)
    {
        final double ratio = CaseResult.ratio(row, other);
        if (Double.isNaN(ratio))
        {
            return "-";
        }
        return CaseResult.isLimit(other) ? percent(ratio) :
            Numbers.ratio(ratio) + " " + Mark.of(row, other).plain();
    }
}
