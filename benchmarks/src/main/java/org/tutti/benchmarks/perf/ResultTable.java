/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * Formats results in the columns of nccl-tests, so that programs that parse the output of nccl-tests also parse
 * Tutti's.
 */
final class ResultTable
{
    private static final String NOT_AVAILABLE = "N/A";
    private static final long WIDEST_PLAIN = 1_000_000;

    private ResultTable()
    {
    }

    static String header(final Mode mode)
    {
        return mode == Mode.NONBLOCKING ? overlapHeader() : header();
    }

    /** Columns of the OSU Micro-Benchmarks: overall, compute, pure comm. and overlap. */
    private static String overlapHeader()
    {
        final String none = "";
        return format("# %10s  %12s  %8s  %6s  %6s              out-of-place                             in-place" +
                "               %n", none, none, none, none, none) +
            format("# %10s  %12s  %8s  %6s  %6s  %7s  %7s  %7s  %7s %6s  %7s  %7s  %7s  %7s %6s%n",
                "size", "count", "type", "redop", "root", "overall", "compute", "pure", "overlap", "#wrong",
                "overall", "compute", "pure", "overlap", "#wrong") +
            format("# %10s  %12s  %8s  %6s  %6s  %7s  %7s  %7s  %7s  %5s  %7s  %7s  %7s  %7s  %5s",
                "(B)", "(elements)", none, none, none,
                "(us)", "(us)", "(us)", "(%)", none, "(us)", "(us)", "(us)", "(%)", none);
    }

    private static String header()
    {
        final String none = "";
        return format("# %10s  %12s  %8s  %6s  %6s           out-of-place                       in-place          %n",
            none, none, none, none, none) +
            format("# %10s  %12s  %8s  %6s  %6s  %7s  %6s  %6s %6s  %7s  %6s  %6s %6s%n",
                "size", "count", "type", "redop", "root",
                "time", "algbw", "busbw", "#wrong", "time", "algbw", "busbw", "#wrong") +
            format("# %10s  %12s  %8s  %6s  %6s  %7s  %6s  %6s  %5s  %7s  %6s  %6s  %5s",
                "(B)", "(elements)", none, none, none,
                "(us)", "(GB/s)", "(GB/s)", none, "(us)", "(GB/s)", "(GB/s)", none);
    }

    static String row(final Row row)
    {
        return format("%12d  %12d  %8s  %6s  %6s", row.size(), row.count(), row.type(), row.op(), row.root()) +
            (row.hasOverlap() ? overlap(row.outOfPlace()) + overlap(row.inPlace()) :
            half(row.outOfPlace()) + half(row.inPlace()));
    }

    static String coldHeader()
    {
        final String none = "";
        return format("# %10s  %12s  %8s  %6s  %6s  %8s  %12s  %12s%n",
            "size", "count", "type", "redop", "root", "calls", "total", "mean") +
            format("# %10s  %12s  %8s  %6s  %6s  %8s  %12s  %12s",
                "(B)", "(elements)", none, none, none, none, "(ms)", "(us)");
    }

    static String row(final FirstCallsRow row)
    {
        final RowWorkload of = row.of();
        return format("%12d  %12d  %8s  %6s  %6s  %8d  %12.3f  %12s", of.size(), of.count(), of.type(), of.op(),
            of.root(), row.calls(), row.totalUs() / 1e3, time(row.meanUs()));
    }

    static String coldFooter(final long wrong)
    {
        return format("# Out of bounds values : %s%n#",
            wrong == Measurement.UNCHECKED ? "not checked" : wrong + (wrong == 0 ? " OK" : " FAILED"));
    }

    static String footer(final long wrong, final double averageBusBw, final List<Double> disturbed)
    {
        return disturbances(disturbed) +
            format("# Out of bounds values : %d %s%n", wrong, wrong == 0 ? "OK" : "FAILED") +
            format("# Avg bus bandwidth    : %s%n#", significant(averageBusBw));
    }

    /** Line about disturbed times, which nccl-tests does not have; empty if no time was disturbed. */
    private static String disturbances(final List<Double> disturbed)
    {
        return disturbed.isEmpty() ? "" : format(
            "# Disturbed times      : %d; compilers, other processes or the host took up to %.0f %%%n",
            disturbed.size(), 100 * Collections.max(disturbed));
    }

    private static String overlap(final Measurement measurement)
    {
        if (measurement == null)
        {
            return format("  %7s  %7s  %7s  %7s  %5s",
                NOT_AVAILABLE, NOT_AVAILABLE, NOT_AVAILABLE, NOT_AVAILABLE, NOT_AVAILABLE);
        }
        final Overlap overlap = measurement.overlap();
        return format("  %7s  %7s  %7s  %7.1f  %5s", time(overlap.overallUs()), time(overlap.computeUs()),
            time(overlap.pureUs()), overlap.percent(), wrong(measurement.wrong()));
    }

    private static String half(final Measurement measurement)
    {
        if (measurement == null)
        {
            return format("  %7s  %6s  %6s  %6s", NOT_AVAILABLE, NOT_AVAILABLE, NOT_AVAILABLE, NOT_AVAILABLE);
        }
        return format("  %7s  %6s  %6s  %6s",
            time(measurement.timeUs()), bandwidth(measurement.algBw()), bandwidth(measurement.busBw()),
            wrong(measurement.wrong()));
    }

    private static String time(final double us)
    {
        return format(us >= 10_000 ? "%.0f" : us >= 100 ? "%.1f" : "%.2f", us);
    }

    private static String bandwidth(final double gigabytes)
    {
        return format(gigabytes >= 1_000 ? "%.1f" : "%.2f", gigabytes);
    }

    /** Formats a number of wrong elements as C's {@code %g} does. */
    private static String wrong(final long wrong)
    {
        if (wrong == Measurement.UNCHECKED)
        {
            return NOT_AVAILABLE;
        }
        return wrong < WIDEST_PLAIN ? Long.toString(wrong) : significant((double)wrong);
    }

    /** Formats a value as C's {@code %g} does: with six significant digits, without trailing zeros. */
    private static String significant(final double value)
    {
        if (value == 0)
        {
            return "0";
        }
        final int exponent = (int)Math.floor(Math.log10(Math.abs(value)));
        if (exponent >= -4 && exponent < 6)
        {
            return format("%." + (5 - exponent) + "f", value)
                .replaceFirst("(\\.\\d*?)0+$", "$1").replaceFirst("\\.$", "");
        }
        return format("%.5e", value).replaceFirst("(\\.\\d*?)0+e", "$1e").replace(".e", "e");
    }

    /** Formats independently of the user's locale, which may have a decimal comma. */
    @SuppressWarnings("AnnotateFormatMethod")
    private static String format(final String format, final Object... values)
    {
        return String.format(Locale.ROOT, format, values);
    }
}
