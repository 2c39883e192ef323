/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import org.tutti.launcher.Page;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.function.DoubleFunction;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/**
 * A plot against size as inline SVG, both axes logarithmic: a line with its marks for each series, its name at the end,
 * and a band from its least to its greatest values. Colours are the page's, as classes; marks tell series apart without
 * them.
 */
final class Plot
{
    /** Such that letters of 13 units can be read where a phone makes the unit smaller than a pixel. */
    private static final double WIDTH = 420;
    private static final double HEIGHT = 250;
    private static final double LEFT = 52;
    /** Room for names. */
    private static final double RIGHT = 88;
    private static final double TOP = 12;
    private static final double BOTTOM = 40;
    private static final int MOST_LABELS = 7;
    private static final double HALF_A_MARK = 2.8;
    private static final double TO_NAME = 14;
    private static final double LETTER = 13;

    private final String title;
    private final DoubleFunction<String> unit;
    private final LongFunction<String> label;
    private final List<Series> all;
    private final LogAxis horizontal;
    private final LogAxis vertical;
    private final List<Double> sizes;
    private final StringBuilder svg = new StringBuilder();

    /**
     * A value at a size.
     *
     * @param size in bytes, more than 0.
     * @param mid  the median, more than 0.
     * @param low  the least.
     * @param high the greatest.
     */
    record Point(double size, double mid, double low, double high)
    {
    }

    /**
     * A line.
     *
     * @param label  with its version, for those who ask.
     * @param style  class of its colour.
     * @param shape  of its marks: 0 for a circle, 1 for a square, 2 for a triangle, 3 for a diamond.
     * @param isEdge whether it is a limit: what is beyond is shaded.
     * @param points by size.
     */
    record Series(String label, String style, int shape, boolean isEdge, List<Point> points)
    {
    }

    private Plot(
        final String title, final DoubleFunction<String> unit, final LongFunction<String> label, final List<Series> all)
    {
        this.title = title;
        this.unit = unit;
        this.label = label;
        this.all = all;
        sizes = new ArrayList<>(all.stream().flatMap(series -> series.points.stream()).map(Point::size)
            .collect(Collectors.toCollection(TreeSet::new)));
        horizontal = new LogAxis(sizes.getFirst(), Math.max(sizes.getLast(), 2 * sizes.getFirst()),
            LEFT + 6, WIDTH - RIGHT - 6);
        final List<Point> points = all.stream().map(Series::points).flatMap(Collection::stream).toList();
        vertical = LogAxis.around(points.stream().mapToDouble(Point::low).min().orElseThrow(),
            points.stream().mapToDouble(Point::high).max().orElseThrow(), HEIGHT - BOTTOM, TOP);
    }

    /**
     * Draws.
     *
     * @param title  of the plot, for those who cannot see it.
     * @param unit   how a value is written.
     * @param isLess whether less is better: then what is beyond a limit lies below it.
     * @param label  how a size is written.
     * @param all    lines, at least one with a point; the first is drawn on top.
     * @return an element {@code svg}.
     */
    static String draw(
        final String title, final DoubleFunction<String> unit, final boolean isLess, final LongFunction<String> label,
        final List<Series> all)
    {
        final Plot plot =
            new Plot(title, unit, label, all.stream().filter(series -> !series.points.isEmpty()).toList());
        return plot.draw(isLess);
    }

    private String draw(final boolean isLess)
    {
        add("<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"%s\">", WIDTH, HEIGHT, Page.escape(title));
        axes();
        for (final Series series : all.reversed())
        {
            if (series.isEdge)
            {
                beyond(series, isLess);
            }
            band(series);
        }
        for (final Series series : all.reversed())
        {
            line(series);
        }
        names();
        columns();
        return svg.append("</svg>").toString();
    }

    private void axes()
    {
        for (final double tick : vertical.ticks())
        {
            final double y = vertical.at(tick);
            add("<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>", LEFT, y, WIDTH - RIGHT);
            add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>", LEFT - 6, y + 4, unit.apply(tick));
        }
        final int every = (sizes.size() + MOST_LABELS - 1) / MOST_LABELS;
        for (int i = 0; i < sizes.size(); i++)
        {
            final double x = horizontal.at(sizes.get(i));
            add("<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>", x, TOP, HEIGHT - BOTTOM);
            add("<path class=\"tick\" d=\"M%.1f %.1fv4\"/>", x, HEIGHT - BOTTOM);
            final int fromLast = sizes.size() - 1 - i;
            if (fromLast % every == 0)
            {
                // On a phone letters are larger, and there is room for every other label only.
                add("<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>",
                    fromLast / every % 2 == 0 ? "label" : "other", x, HEIGHT - BOTTOM + 18,
                    label.apply(Math.round(sizes.get(i))));
            }
        }
        add("<path class=\"tick\" d=\"M%.1f %.1fH%.1f\"/>", LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT);
        add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">size</text>", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6);
    }

    private void beyond(final Series series, final boolean isLess)
    {
        final double edge = isLess ? HEIGHT - BOTTOM : TOP;
        final String top = path(series.points, false);
        add("<path class=\"beyond\" d=\"%sV%.1fH%.1fZ\"/>", top, edge, horizontal.at(series.points.getFirst().size));
    }

    private void band(final Series series)
    {
        final StringBuilder back = new StringBuilder();
        for (final Point point : series.points.reversed())
        {
            back.append(format("L%.1f %.1f", horizontal.at(point.size), vertical.at(point.low)));
        }
        add("<path class=\"band %s\" d=\"%s%sZ\"/>", series.style, path(series.points, true), back);
    }

    private String path(final List<Point> points, final boolean isHigh)
    {
        final StringBuilder path = new StringBuilder();
        for (final Point point : points)
        {
            path.append(format("%s%.1f %.1f", path.isEmpty() ? "M" : "L", horizontal.at(point.size),
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
                svg.append(mark(series, horizontal.at(point.size), vertical.at(point.mid)));
            }
        }
    }

    private static String mark(final Series series, final double x, final double y)
    {
        return format("<path class=\"mark %s\" d=\"%s\"/>", series.style, shape(series.shape, x, y));
    }

    /** The outline of a mark. */
    private static String shape(final int shape, final double x, final double y)
    {
        final double r = HALF_A_MARK;
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

    /** Beside the last point of each line, or as near as there is room, with a thread to it and the line's mark. */
    private void names()
    {
        final List<Series> named = all.stream().filter(series -> !series.points.isEmpty()).toList();
        final double[] wanted =
            named.stream().mapToDouble(series -> vertical.at(series.points.getLast().mid)).toArray();
        final double[] places = Spread.of(wanted, LETTER, TOP, HEIGHT - BOTTOM);
        final double x = WIDTH - RIGHT + TO_NAME;
        for (int i = 0; i < places.length; i++)
        {
            final Series series = named.get(i);
            add("<path class=\"thread %s\" d=\"M%.1f %.1fL%.1f %.1f\"/>", series.style,
                horizontal.at(series.points.getLast().size), wanted[i], x, places[i]);
            if (!series.isEdge)
            {
                svg.append(mark(series, x, places[i]));
            }
            add("<text class=\"name %s\" x=\"%.1f\" y=\"%.1f\">%s</text>", series.style, x + 6, places[i] + 4,
                Page.escape(CaseResult.shortName(series.label)));
        }
    }

    /** What a pointer finds at each size: all values. */
    private void columns()
    {
        for (int i = 0; i < sizes.size(); i++)
        {
            final double size = sizes.get(i);
            final double x = horizontal.at(size);
            final double from = i == 0 ? LEFT : (horizontal.at(sizes.get(i - 1)) + x) / 2;
            final double to = i + 1 == sizes.size() ? WIDTH - RIGHT : (horizontal.at(sizes.get(i + 1)) + x) / 2;
            add("<g class=\"column\"><path class=\"cursor\" d=\"M%.1f %.1fV%.1f\"/>", x, TOP, HEIGHT - BOTTOM);
            add("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>%s</title></rect></g>",
                from, TOP, to - from, HEIGHT - BOTTOM - TOP, Page.escape(tip(size)));
        }
    }

    private String tip(final double size)
    {
        return label.apply(Math.round(size)) + all.stream().map(series -> series.points.stream()
            .filter(point -> point.size == size).findFirst()
            .map(point -> "\n" + series.label + "  " + unit.apply(point.mid) + "  (" + unit.apply(point.low) + " – " +
                unit.apply(point.high) + ")").orElse("")).collect(Collectors.joining());
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
