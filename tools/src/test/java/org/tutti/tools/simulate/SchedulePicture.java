/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

import org.tutti.collectives.select.model.LinkClass;
import org.tutti.collectives.select.model.CostModel;
import org.tutti.collectives.schedule.BufferId;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.StepKind;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Draws schedules as SVG: a line per rank, time to the right, an arrow per message, on the assumption that a byte takes
 * one unit of time in transit, nothing else takes time, and each rank has one link to the others and one from them.
 * Numbers at arrows are the transferred elements, or their count in parentheses if they have no fixed offset.
 * Stateless.
 */
final class SchedulePicture
{
    private static final CostModel UNITS = new CostModel(
        new LinkClass(0, 0, 0.25, 0, 1, false), new LinkClass(0, 0, 0.25, 0, 1, false), 0, 0, 0, 0,
        Integer.MAX_VALUE, 1, 0, 0);
    private static final int WIDTH = 760;
    private static final int LEFT = 34;
    private static final int PITCH = 46;
    private static final int MOST_LABELS = 60;

    private static final String STYLE = """
        <style>
        text{font:11px sans-serif;fill:#55554f} .r{stroke:#b9b9b0} .s{stroke:#9a9a92;stroke-dasharray:2 3}
        .d{stroke:#0b6fb8;stroke-width:1.6} .n{fill:#0b6fb8;stroke:#fff;stroke-width:3;paint-order:stroke}
        @media(prefers-color-scheme:dark){text{fill:#b5b5ac} .r{stroke:#55554f} .s{stroke:#77776f}
        .d{stroke:#5fb2f0} .n{fill:#5fb2f0;stroke:#0d1117}}
        </style>""";

    /** A message; times are in picoseconds. */
    private record Arrow(int from, int to, long posted, long arrived, boolean isData, String label)
    {
    }

    private SchedulePicture()
    {
    }

    /**
     * Draws schedules.
     *
     * @param algorithm name of the algorithm that created the schedules.
     * @param schedules matching schedules of all ranks; few and short, to be legible.
     * @return SVG image with colours for light and dark pages.
     */
    static String draw(final String algorithm, final List<Schedule> schedules)
    {
        final List<Arrow> arrows = new ArrayList<>();
        final long end = run(schedules, new Trace()
        {
            @Override
            public void busy(final int rank, final StepKind kind, final long begin, final long until)
            {
                // Only messages take time.
            }

            @Override
            public void message(
                final int from, final int step, final int to, final long bytes, final long posted, final long arrived)
            {
                arrows.add(new Arrow(
                    from, to, posted, arrived, bytes > 0, bytes > 0 ? label(schedules.get(from), step) : ""));
            }
        });
        arrows.sort(Comparator.comparing(Arrow::isData).thenComparing(Arrow::posted).thenComparing(Arrow::from)
            .thenComparing(Arrow::to));
        return svg(algorithm, schedules, arrows, Math.max(1, end));
    }

    /**
     * Computes the time of schedules if a byte takes one unit and an arrival a quarter.
     *
     * @param schedules schedules of all ranks, with elements of one byte.
     * @return time in units.
     */
    static double units(final List<Schedule> schedules)
    {
        return run(schedules, null) / 1000.0;
    }

    private static long run(final List<Schedule> schedules, final Trace trace)
    {
        final int size = schedules.size();
        final RankProgram[] programs = new RankProgram[size];
        for (int rank = 0; rank < size; rank++)
        {
            programs[rank] = RankProgramBuilder.of(schedules.get(rank), rank, size, 1, Integer.MAX_VALUE);
        }
        return new Simulation(size, programs, Topology.parse("flat", size), UNITS, Perturbation.NONE, trace).run();
    }

    private static String label(final Schedule schedule, final int step)
    {
        final long count = schedule.count(step);
        final boolean isResult = schedule.destination(step) == BufferId.OUTPUT;
        if (!isResult && schedule.source(step) == BufferId.SCRATCH)
        {
            return "(" + count + ")";
        }
        final long shown = isResult ? schedule.destinationOffset(step) : schedule.sourceOffset(step);
        return count == 1 ? Long.toString(shown) : shown + "-" + (shown + count - 1);
    }

    private static String svg(
        final String algorithm, final List<Schedule> schedules, final List<Arrow> arrows, final long end)
    {
        final int size = schedules.size();
        final int height = size * PITCH;
        final StringBuilder text = new StringBuilder();
        line(text, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">", WIDTH, height);
        line(text, "<title>%s on %d ranks</title>", algorithm, size);
        line(text, STYLE);
        line(text, "<defs><marker id=\"a\" viewBox=\"0 0 6 6\" refX=\"6\" refY=\"3\" markerWidth=\"6\" " +
            "markerHeight=\"6\" orient=\"auto\"><path d=\"M0 0L6 3L0 6z\" fill=\"context-stroke\"/></marker></defs>");
        for (int rank = 0; rank < size; rank++)
        {
            line(text, "<path class=\"r\" d=\"M%d %dH%d\"/><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%d</text>",
                LEFT, y(rank), WIDTH - 8, LEFT - 8, y(rank) + 4, rank);
        }
        arrows.forEach(arrow -> line(text, "<path class=\"%s\" d=\"M%.1f %dL%.1f %d\"%s/>", arrow.isData() ? "d" : "s",
            x(arrow.posted(), end), y(arrow.from()), x(arrow.arrived(), end), y(arrow.to()),
            arrow.isData() ? " marker-end=\"url(#a)\"" : ""));
        final boolean isLabelled = arrows.stream().filter(Arrow::isData).count() <= MOST_LABELS;
        arrows.stream().filter(arrow -> isLabelled && arrow.isData()).forEach(arrow ->
            line(text, "<text class=\"n\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>",
                0.72 * x(arrow.posted(), end) + 0.28 * x(arrow.arrived(), end),
                0.72 * y(arrow.from()) + 0.28 * y(arrow.to()) + 4, arrow.label()));
        return text.append("</svg>\n").toString();
    }

    @SuppressWarnings("AnnotateFormatMethod")
    private static void line(final StringBuilder text, final String format, final Object... values)
    {
        text.append(values.length == 0 ? format : String.format(Locale.ROOT, format, values)).append('\n');
    }

    private static double x(final long time, final long end)
    {
        return LEFT + (WIDTH - 16.0 - LEFT) * time / end;
    }

    private static int y(final int rank)
    {
        return rank * PITCH + PITCH / 2;
    }
}
