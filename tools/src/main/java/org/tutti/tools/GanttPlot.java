/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import java.util.List;
import java.util.Locale;

import org.tutti.tools.report.TimeUnits;

/** Draws a {@link Gantt} as inline SVG: a line per rank, with a class (colour) per kind of step. Stateless. */
final class GanttPlot
{
    /** Equal to the width of a {@code Plot}, so that text has the same size in both. */
    private static final int WIDTH = 420;
    private static final int LEFT = 30;
    private static final int RIGHT = 12;
    private static final int BOTTOM = 20;
    private static final int PITCH = 7;
    private static final int NARROW_PITCH = 4;
    /** Minimum number of ranks for narrow lines. */
    private static final int MANY_RANKS = 33;
    private static final int TICKS = 4;
    private static final double HALF_A_LABEL = 14;

    private GanttPlot()
    {
    }

    static String draw(final Gantt gantt)
    {
        final List<String> ranks = gantt.slices();
        final int pitch = ranks.size() < MANY_RANKS ? PITCH : NARROW_PITCH;
        final int bottom = ranks.size() * pitch;
        final StringBuilder svg = new StringBuilder(String.format(Locale.ROOT, "<svg viewBox=\"0 0 %d %d\" " +
            "role=\"img\" aria-label=\"steps of each rank over time\">\n", WIDTH, bottom + BOTTOM));
        final double scale = (WIDTH - LEFT - RIGHT) / (double)ranks.getFirst().length();
        for (int rank = 0; rank < ranks.size(); rank++)
        {
            addLabel(svg, rank, pitch);
            addLine(svg, ranks.get(rank), rank * pitch, pitch - 1, scale);
        }
        for (int tick = 0; tick <= TICKS; tick++)
        {
            final double x = LEFT + (WIDTH - LEFT - RIGHT) * tick / (double)TICKS;
            svg.append(String.format(Locale.ROOT, "<path class=\"tick\" d=\"M%.1f 0V%d\"/>\n", x, bottom))
                .append(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                Math.min(x, WIDTH - HALF_A_LABEL), bottom + BOTTOM - 6,
                TimeUnits.time(gantt.prediction().seconds() * 1e6 * tick / TICKS)));
        }
        return svg.append("</svg>").toString();
    }

    /**
     * Adds a rank's label, with a class by which the page hides it where text is large and only some lines have room.
     */
    private static void addLabel(final StringBuilder svg, final int rank, final int pitch)
    {
        final int dense = pitch == PITCH ? 1 : 2;
        if (rank % dense == 0)
        {
            svg.append(String.format(
                Locale.ROOT, "<text class=\"%s\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%d</text>\n",
                rank % (4 * dense) == 0 ? "label" : rank % (2 * dense) == 0 ? "other" : "dense", LEFT - 5,
                (rank + 1) * pitch - 1, rank));
        }
    }

    private static void addLine(
        final StringBuilder svg, final String slices, final int top, final int height, final double scale)
    {
        for (final Kind kind : Kind.values())
        {
            final StringBuilder path = new StringBuilder();
            for (int from = 0, to = 0; from < slices.length(); from = to)
            {
                final boolean isKind = kind.is(slices.charAt(from));
                while (to < slices.length() && kind.is(slices.charAt(to)) == isKind)
                {
                    to++;
                }
                if (isKind)
                {
                    path.append(String.format(Locale.ROOT, "M%.1f %dH%.1fv%dH%.1fz",
                        LEFT + from * scale, top, LEFT + to * scale, height, LEFT + from * scale));
                }
            }
            if (!path.isEmpty())
            {
                svg.append("<path class=\"").append(kind.name().toLowerCase(Locale.ROOT)).append("\" d=\"").append(path)
                    .append("\"/>\n");
            }
        }
    }

    /** Kinds of activity, with the initial letters of their step kinds. */
    private enum Kind
    {
        SEND("PS"), WAIT("W"), REDUCE("R"), COPY("C");

        private final String letters;

        Kind(final String letters)
        {
            this.letters = letters;
        }

        boolean is(final char slice)
        {
            return letters.indexOf(slice) >= 0;
        }
    }
}
