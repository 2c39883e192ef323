/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.function.DoubleFunction;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/**
 * A plot as inline SVG with two logarithmic axes: for each series, a line with marks, a band from minimum to maximum,
 * and optionally a name at the end of the line. The page defines colours by class; marks distinguish series without
 * colours.
 */
public final class Plot
{
    /** Keeps letters of 13 units legible on phones, where a unit is smaller than a pixel. */
    static final double WIDTH = 420;
    private static final double HEIGHT = 250;
    private static final double LEFT = 52;
    private static final double ROOM_FOR_NAMES = 88;
    private static final double MARGIN = 14;
    private static final double TOP = 12;
    private static final double BOTTOM = 40;
    /** Distance of columns below which not all of them get labels. */
    private static final double LABEL = 44;
    private static final double TO_NAME = 14;
    private static final double LETTER = 13;

    private final Axes axes;
    private final List<Series> all;
    /** Right end of the horizontal axis. */
    private final double right;
    private final LogAxis horizontal;
    private final LogAxis vertical;
    private final List<Double> columns;
    private final StringBuilder svg = new StringBuilder();

    /**
     * Texts of the axes.
     *
     * @param title  accessible title of the plot.
     * @param name   name of the horizontal axis.
     * @param label  format of values of the horizontal axis.
     * @param unit   format of values of the vertical axis.
     * @param isLess whether less is better, so that values beyond a limit lie below it.
     */
    public record Axes(
        String title, String name, LongFunction<String> label, DoubleFunction<String> unit, boolean isLess)
    {
    }

    /** Marks of points. */
    public enum Dot
    {
        /** An ordinary point. */
        PLAIN(2.8, "", ""),
        /** The chosen one of several points. */
        CHOSEN(3.8, "", " (chosen)"),
        /** A point that is not chosen. */
        HOLLOW(2.3, " hollow", "");

        private final double radius;
        private final String style;
        private final String text;

        Dot(final double radius, final String style, final String text)
        {
            this.radius = radius;
            this.style = style;
            this.text = text;
        }
    }

    /**
     * A point of a line.
     *
     * @param at   value on the horizontal axis, greater than 0.
     * @param mid  median, greater than 0.
     * @param low  minimum.
     * @param high maximum.
     * @param dot  mark of the point.
     */
    public record Point(double at, double mid, double low, double high, Dot dot)
    {
    }

    /**
     * A series.
     *
     * @param label  full name, for tooltips.
     * @param name   name shown at the end of the line; empty for none.
     * @param style  CSS classes of the series' colour.
     * @param shape  shape of the marks: 0 for a circle, 1 for a square, 2 for a triangle, 3 for a diamond.
     * @param isEdge whether the series is a limit, beyond which the plot is shaded.
     * @param points points from left to right.
     */
    public record Series(String label, String name, String style, int shape, boolean isEdge, List<Point> points)
    {
    }

    private Plot(final Axes axes, final List<Series> all)
    {
        this.axes = axes;
        this.all = all;
        right = WIDTH - (all.stream().allMatch(series -> series.name.isEmpty()) ? MARGIN : ROOM_FOR_NAMES);
        columns = new ArrayList<>(all.stream().flatMap(series -> series.points.stream()).map(Point::at)
            .collect(Collectors.toCollection(TreeSet::new)));
        horizontal = new LogAxis(columns.getFirst(), Math.max(columns.getLast(), 2 * columns.getFirst()),
            LEFT + 6, right - 6);
        final List<Point> points = all.stream().map(Series::points).flatMap(Collection::stream).toList();
        vertical = LogAxis.around(points.stream().mapToDouble(Point::low).min().orElseThrow(),
            points.stream().mapToDouble(Point::high).max().orElseThrow(), HEIGHT - BOTTOM, TOP);
    }

    /**
     * Draws a plot.
     *
     * @param axes texts of the axes.
     * @param all  series, of which at least one has a point; the first is drawn on top.
     * @return an {@code svg} element.
     */
    public static String draw(final Axes axes, final List<Series> all)
    {
        return new Plot(axes, all.stream().filter(series -> !series.points.isEmpty()).toList()).draw();
    }

    private String draw()
    {
        add("<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"%s\">", WIDTH, HEIGHT, Page.escape(axes.title));
        drawAxes();
        for (final Series series : all.reversed())
        {
            if (series.isEdge)
            {
                beyond(series);
            }
            band(series);
        }
        for (final Series series : all.reversed())
        {
            line(series);
        }
        names();
        tips();
        return svg.append("</svg>").toString();
    }

    private void drawAxes()
    {
        for (final double tick : vertical.ticks())
        {
            final double y = vertical.at(tick);
            add("<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>", LEFT, y, right);
            add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>", LEFT - 6, y + 4, axes.unit.apply(tick));
        }
        double free = Double.POSITIVE_INFINITY;
        boolean isOther = true;
        for (final double column : columns.reversed())
        {
            final double x = horizontal.at(column);
            add("<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>", x, TOP, HEIGHT - BOTTOM);
            add("<path class=\"tick\" d=\"M%.1f %.1fv4\"/>", x, HEIGHT - BOTTOM);
            if (x <= free)
            {
                // On a phone text is larger, with room for every other label only.
                isOther = !isOther;
                add("<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>",
                    isOther ? "other" : "label", x, HEIGHT - BOTTOM + 18, axes.label.apply(Math.round(column)));
                free = x - LABEL;
            }
        }
        add("<path class=\"tick\" d=\"M%.1f %.1fH%.1f\"/>", LEFT, HEIGHT - BOTTOM, right);
        add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>", (LEFT + right) / 2, HEIGHT - 6,
            Page.escape(axes.name));
    }

    private void beyond(final Series series)
    {
        final double edge = axes.isLess ? HEIGHT - BOTTOM : TOP;
        final String top = path(series.points, false);
        add("<path class=\"beyond\" d=\"%sV%.1fH%.1fZ\"/>", top, edge, horizontal.at(series.points.getFirst().at));
    }

    private void band(final Series series)
    {
        if (series.points.stream().allMatch(point -> point.low == point.high))
        {
            return;
        }
        final StringBuilder back = new StringBuilder();
        for (final Point point : series.points.reversed())
        {
            back.append(format("L%.1f %.1f", horizontal.at(point.at), vertical.at(point.low)));
        }
        add("<path class=\"band %s\" d=\"%s%sZ\"/>", series.style, path(series.points, true), back);
    }

    private String path(final List<Point> points, final boolean isHigh)
    {
        final StringBuilder path = new StringBuilder();
        for (final Point point : points)
        {
            path.append(format("%s%.1f %.1f", path.isEmpty() ? "M" : "L", horizontal.at(point.at),
                vertical.at(isHigh ? point.high : point.mid)));
        }
        return path.toString();
    }

    private void line(final Series series)
    {
        add("<path class=\"line %s\" d=\"%s\"/>", series.style, path(series.points, false));
        if (!series.isEdge)
        {
            for (final Point point : series.points)
            {
                svg.append(mark(series, point.dot, horizontal.at(point.at), vertical.at(point.mid)));
            }
        }
    }

    private static String mark(final Series series, final Dot dot, final double x, final double y)
    {
        return format("<path class=\"mark %s%s\" d=\"%s\"/>", series.style, dot.style,
            shape(series.shape, dot.radius, x, y));
    }

    /** Path of a mark. */
    private static String shape(final int shape, final double r, final double x, final double y)
    {
        return switch (shape)
        {
            case 0 -> format("M%.1f %.1fa%.1f %.1f 0 1 0 %.1f 0a%.1f %.1f 0 1 0 %.1f 0z",
                x - r, y, r, r, 2 * r, r, r, -2 * r);
            case 1 -> format("M%.1f %.1fh%.1fv%.1fh%.1fz", x - r, y - r, 2 * r, 2 * r, -2 * r);
            case 2 -> format("M%.1f %.1fl%.1f %.1fh%.1fz", x, y - r - 1, r + 1, 2 * r + 1, -2 * r - 2);
            default -> format("M%.1f %.1fl%.1f %.1fl%.1f %.1fl%.1f %.1fz",
                x, y - r - 1.5, r + 1.5, r + 1.5, -r - 1.5, r + 1.5, -r - 1.5, -r - 1.5);
        };
    }

    /** Draws names beside the last points, or as near as there is room, with a connecting line and a mark. */
    private void names()
    {
        final List<Series> named = all.stream().filter(series -> !series.name.isEmpty()).toList();
        final double[] wanted =
            named.stream().mapToDouble(series -> vertical.at(series.points.getLast().mid)).toArray();
        final double[] places = LabelSpreader.of(wanted, LETTER, TOP, HEIGHT - BOTTOM);
        final double x = right + TO_NAME;
        for (int i = 0; i < places.length; i++)
        {
            final Series series = named.get(i);
            add("<path class=\"thread %s\" d=\"M%.1f %.1fL%.1f %.1f\"/>", series.style,
                horizontal.at(series.points.getLast().at), wanted[i], x, places[i]);
            if (!series.isEdge)
            {
                svg.append(mark(series, Dot.PLAIN, x, places[i]));
            }
            add("<text class=\"name %s\" x=\"%.1f\" y=\"%.1f\">%s</text>", series.style, x + 6, places[i] + 4,
                Page.escape(series.name));
        }
    }

    /** Draws tooltips with all values of each column. */
    private void tips()
    {
        for (int i = 0; i < columns.size(); i++)
        {
            final double x = horizontal.at(columns.get(i));
            final double from = i == 0 ? LEFT : (horizontal.at(columns.get(i - 1)) + x) / 2;
            final double to = i + 1 == columns.size() ? right : (horizontal.at(columns.get(i + 1)) + x) / 2;
            add("<g class=\"column\"><path class=\"cursor\" d=\"M%.1f %.1fV%.1f\"/>", x, TOP, HEIGHT - BOTTOM);
            add("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>%s</title></rect></g>",
                from, TOP, to - from, HEIGHT - BOTTOM - TOP, Page.escape(tip(columns.get(i))));
        }
    }

    private String tip(final double at)
    {
        return axes.label.apply(Math.round(at)) + all.stream().map(series -> series.points.stream()
            .filter(point -> point.at == at).findFirst().map(point -> "\n" + series.label + "  " + values(point))
            .orElse("")).collect(Collectors.joining());
    }

    private String values(final Point point)
    {
        return axes.unit.apply(point.mid) + (point.low == point.high ? "" :
            "  (" + axes.unit.apply(point.low) + " – " + axes.unit.apply(point.high) + ")") + point.dot.text;
    }

    @SuppressWarnings("AnnotateFormatMethod")
    private void add(final String format, final Object... values)
    {
        svg.append(format(format, values)).append('\n');
    }

    @SuppressWarnings("AnnotateFormatMethod")
    private static String format(final String format, final Object... values)
    {
        return String.format(Locale.ROOT, format, values);
    }
}
