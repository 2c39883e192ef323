/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import org.tutti.launcher.ByteSize;
import org.tutti.tools.report.Numbers;
import org.tutti.tools.report.Page;
import org.tutti.tools.report.TimeUnits;
import org.tutti.tools.simulate.Method;

/**
 * Compares, for each number of ranks and size, the algorithm that a run uses with the best simulated one.
 *
 * @param cells calls, in the order of the results.
 */
record ChoiceMap(List<Cell> cells)
{
    /** Upper limits of the factors of a colour; the last colour has none. */
    private static final double[] LIMITS = {1.03, 1.1, 1.25, 1.5, 2};
    private static final double GOOD = LIMITS[0];

    /**
     * A call.
     *
     * @param chosen prediction of the algorithm that a run uses.
     * @param best   shortest simulated prediction.
     */
    record Cell(Simulated chosen, Simulated best)
    {
        /** Time of the chosen algorithm relative to that of the best simulated one. */
        double factor()
        {
            return isBest() || best.timeUs() == 0 ? 1 : chosen.timeUs() / best.timeUs();
        }

        boolean isBest()
        {
            return chosen.equals(best);
        }

        private int colour()
        {
            int colour = 0;
            while (colour < LIMITS.length && factor() > LIMITS[colour])
            {
                colour++;
            }
            return colour;
        }
    }

    static ChoiceMap of(final List<Simulated> results)
    {
        final Map<List<Long>, List<Simulated>> calls = results.stream().collect(Collectors.groupingBy(
            each -> List.of((long)each.size(), each.candidate().bytes()), LinkedHashMap::new, Collectors.toList()));
        final List<Cell> cells = new ArrayList<>();
        for (final List<Simulated> call : calls.values())
        {
            final Optional<Simulated> chosen = call.stream()
                .filter(each -> each.candidate().isChosen() && each.prediction() != null).findFirst();
            final Optional<Simulated> best = call.stream().filter(ChoiceMap::isSimulated)
                .min(Comparator.comparingDouble(Simulated::timeUs));
            if (chosen.isPresent() && best.isPresent())
            {
                // Of equal times, the chosen one counts as the best.
                final boolean isBest = isSimulated(chosen.get()) && chosen.get().timeUs() <= best.get().timeUs();
                cells.add(new Cell(chosen.get(), isBest ? chosen.get() : best.get()));
            }
        }
        return new ChoiceMap(List.copyOf(cells));
    }

    /** Summarizes several calls in one line; empty if there are fewer than two. */
    static Optional<String> summary(final List<Simulated> results)
    {
        final List<Cell> cells = of(results).cells;
        if (cells.size() < 2)
        {
            return Optional.empty();
        }
        final Cell worst = cells.stream().max(Comparator.comparingDouble(Cell::factor)).orElseThrow();
        return Optional.of("in " + cells.stream().filter(cell -> cell.factor() <= GOOD).count() + " of " +
            cells.size() + " calls, the chosen algorithm takes at most " + GOOD + " times as long as the best one" +
            (worst.factor() <= GOOD ? "" : String.format(Locale.ROOT,
            "; in the worst, %.2f times: %s on %d ranks, %s, best %s", worst.factor(), name(worst.chosen),
            worst.chosen.size(), new ByteSize(worst.chosen.candidate().bytes()), name(worst.best))));
    }

    /** Writes the map as a section of a page: a column per number of ranks, a row per size; empty for one call. */
    String section()
    {
        if (cells.size() < 2)
        {
            return "";
        }
        final List<Integer> ranks = cells.stream().map(cell -> cell.chosen.size()).distinct().sorted().toList();
        final List<Long> sizes = cells.stream().map(cell -> cell.chosen.candidate().bytes()).distinct().sorted()
            .toList();
        final StringBuilder html = new StringBuilder("<section class=\"wide\"><h2>Choice against best</h2>\n")
            .append("<p class=\"soft\">Each field has the algorithm that a run uses and, below, the best simulated " +
            "one with the factor between their times, which the colour shows.</p>\n<ul class=\"legend\">\n");
        for (int colour = 0; colour <= LIMITS.length; colour++)
        {
            html.append("<li><span class=\"m").append(colour).append("\"></span>").append(range(colour))
                .append("</li>\n");
        }
        html.append("</ul>\n<div class=\"scroll\"><table class=\"map\">\n<thead><tr><th scope=\"col\">Size</th>");
        ranks.forEach(each -> html.append("<th scope=\"col\">").append(Numbers.count(each))
            .append(each == 1 ? " rank" : " ranks").append("</th>"));
        html.append("</tr></thead>\n<tbody>\n");
        for (final long size : sizes)
        {
            html.append("<tr><th scope=\"row\">").append(Numbers.size(size)).append("</th>");
            ranks.forEach(each -> html.append(cells.stream()
                .filter(cell -> cell.chosen.size() == each && cell.chosen.candidate().bytes() == size).findFirst()
                .map(ChoiceMap::field).orElse("<td class=\"none\"></td>")));
            html.append("</tr>\n");
        }
        return html.append("</tbody></table></div></section>").toString();
    }

    private static String range(final int colour)
    {
        return colour == 0 ? "at most " + Numbers.significant(LIMITS[0]) + " ×" :
            colour == LIMITS.length ? "over " + Numbers.significant(LIMITS[colour - 1]) + " ×" :
            "to " + Numbers.significant(LIMITS[colour]) + " ×";
    }

    private static String field(final Cell cell)
    {
        final String factor = String.format(Locale.ROOT, "%.2f", cell.factor());
        final String about = isSimulated(cell.chosen) ? "" : "about ";
        final String tip = Numbers.count(cell.chosen.size()) + " ranks, " +
            Numbers.size(cell.chosen.candidate().bytes()) + "\nchosen: " + line(cell.chosen) + "\nbest: " +
            line(cell.best) + "\n" + about + factor + " times the best";
        return "<td class=\"m" + cell.colour() + "\" title=\"" + Page.escape(tip).replace("\n", "&#10;") + "\"><b>" +
            breakable(name(cell.chosen)) + "</b><br/>" + (cell.isBest() ? "best" :
            about + factor + " × " + breakable(name(cell.best))) + "</td>";
    }

    /** A name that may be broken after underscores, so that fields may be narrow. */
    private static String breakable(final String name)
    {
        return Page.escape(name).replace("_", "_<wbr/>");
    }

    private static String line(final Simulated result)
    {
        return name(result) + ", " + TimeUnits.time(result.timeUs()) + ", " + MethodText.describe(result.prediction());
    }

    private static String name(final Simulated result)
    {
        return result.candidate().choice().algorithm().name();
    }

    private static boolean isSimulated(final Simulated result)
    {
        return result.prediction() != null && result.prediction().method() != Method.CLOSED_FORM;
    }
}
