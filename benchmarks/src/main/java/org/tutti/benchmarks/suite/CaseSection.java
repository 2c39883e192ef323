/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import org.tutti.tools.report.Numbers;
import org.tutti.tools.report.Page;
import org.tutti.tools.report.Plot;
import org.tutti.tools.report.TimeUnits;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * HTML section of a case: up to two plots, and a table.
 *
 * @param result result of the case.
 * @param peers  labels of all peers of the page; if {@link PeerKind} does not know a peer, the peer's index in this
 *               list selects its colour.
 */
record CaseSection(CaseResult result, List<String> peers)
{
    private static final int STYLES = 6;
    private static final int SHAPES = 4;

    /**
     * Writes the section.
     *
     * @param index index of the case, for the section's anchor.
     */
    String write(final int index)
    {
        final StringBuilder text = new StringBuilder();
        text.append("<section class=\"case\" id=\"case").append(index).append("\">\n<h2>")
            .append(Page.escape(result.of().title())).append("</h2>\n<p class=\"soft\">")
            .append(Page.escape(about())).append("</p>\n");
        text.append(result.of().hasSizes() || result.of().isCold() ? "<div class=\"panes\">\n" : "<div>\n");
        if (result.of().isCold())
        {
            figure(text, "Time of all calls so far", Plot.draw(new Plot.Axes("time of the first calls of " +
                result.of().title(), result.of().rowTitle(), Numbers::count, TimeUnits::time, true), series(false)));
        }
        else if (result.of().hasSizes())
        {
            figure(text, "Time", Plot.draw(new Plot.Axes("time of " + result.of().title() + " against size",
                result.of().rowTitle(), Numbers::size, TimeUnits::time, true), series(false)));
            figure(text, "Bus bandwidth in GB/s", Plot.draw(new Plot.Axes("bus bandwidth in GB/s of " +
                result.of().title() + " against size", result.of().rowTitle(), Numbers::size, Numbers::significant,
                false), series(true)));
        }
        table(text);
        return text.append("</div>\n</section>\n").toString();
    }

    private String about()
    {
        final Conditions conditions = result.conditions();
        return result.of().details() + "; " + result.medians() + ", " + result.coreToCoreNs() +
            " ns core to core; Tutti " + conditions.commit() + ", " + String.join(", ", result.peers()) + ", " +
            conditions.date();
    }

    private String style(final String label)
    {
        return CaseResult.isLimit(label) ? "edge" : "s" + number(label) % STYLES;
    }

    private int number(final String label)
    {
        if (label.equals(CaseResult.TUTTI))
        {
            return 0;
        }
        final int known = PeerKind.indexOf(label);
        return 1 + (known >= 0 ? known : PeerKind.values().length + peers.indexOf(label));
    }

    private List<Plot.Series> series(final boolean isBandwidth)
    {
        final List<Plot.Series> all = new ArrayList<>();
        for (final String label : result.rounds().keySet())
        {
            final List<Plot.Point> points = new ArrayList<>();
            result.rows().forEach((size, row) ->
            {
                final Figure figure = row.get(label);
                if (figure != null && size > 0 && figure.minUs() > 0)
                {
                    points.add(point(size, figure, isBandwidth));
                }
            });
            all.add(new Plot.Series(label, CaseResult.shortName(label), style(label), number(label) % SHAPES,
                CaseResult.isLimit(label), points));
        }
        return all;
    }

    private Plot.Point point(final long size, final Figure figure, final boolean isBandwidth)
    {
        return isBandwidth ? new Plot.Point((double)size, result.of().busGbs(size, figure.medianUs()),
            result.of().busGbs(size, figure.maxUs()), result.of().busGbs(size, figure.minUs()), Plot.Dot.PLAIN) :
            new Plot.Point((double)size, figure.medianUs(), figure.minUs(), figure.maxUs(), Plot.Dot.PLAIN);
    }

    private static void figure(final StringBuilder text, final String caption, final String svg)
    {
        text.append("<figure><figcaption>").append(caption).append("</figcaption><div class=\"plot\">\n").append(svg)
            .append("</div></figure>\n");
    }

    private void table(final StringBuilder text)
    {
        text.append("<div class=\"scroll\"><table>\n<thead><tr><th>").append(result.of().rowTitle())
            .append("</th><th>Tutti</th>");
        result.others().forEach(label -> text.append("<th>").append(Page.escape(CaseResult.shortName(label)))
            .append("</th><th>").append(CaseResult.isLimit(label) ? "reached" : "× Tutti").append("</th>"));
        text.append("</tr></thead>\n<tbody>\n");
        result.rows().forEach((size, row) ->
        {
            text.append("<tr><td>").append(result.of().rowLabel(size)).append("</td>")
                .append(cell(row.get(CaseResult.TUTTI)));
            result.others().forEach(label -> text.append(cell(row.get(label))).append(ratio(row, label)));
            text.append("</tr>\n");
        });
        text.append("</tbody></table></div>\n");
    }

    private static String cell(final Figure figure)
    {
        if (figure == null)
        {
            return "<td>–</td>";
        }
        final TimeUnits unit = TimeUnits.of(figure.medianUs());
        final String spread = unit.number(figure.minUs()) + "–" + unit.number(figure.maxUs());
        return "<td title=\"from " + spread.replace("–", " to ") + " " + unit.symbol() + "\">" +
            unit.number(figure.medianUs()) + " " + unit.symbol() + "<span class=\"spread\">" + spread + "</span></td>";
    }

    private static String ratio(final Map<String, Figure> row, final String label)
    {
        final double ratio = CaseResult.ratio(row, label);
        if (Double.isNaN(ratio))
        {
            return "<td>–</td>";
        }
        if (CaseResult.isLimit(label))
        {
            return "<td>" + Math.round(100 * ratio) + " %</td>";
        }
        final Mark mark = Mark.of(row, label);
        return "<td class=\"" + mark.word() + "\" title=\"Tutti is " + mark.word() + "\">" + Numbers.ratio(ratio) +
            "× " + mark.sign() + "</td>";
    }
}
