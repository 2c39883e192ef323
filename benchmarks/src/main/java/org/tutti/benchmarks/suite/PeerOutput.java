/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import org.tutti.tools.report.Json;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parsed output of a program.
 *
 * @param label   label of the program, such as {@code Open MPI v4.1.4}.
 * @param timesUs microseconds by row, which is a size in bytes or a number of first calls; rounded to picoseconds; at
 *                least one row.
 */
record PeerOutput(String label, SortedMap<Long, Double> timesUs)
{
    private static final Pattern HEAD = Pattern.compile("(?m)^# \\w+: (.+), \\d+ ranks$");
    private static final Pattern RIGHT = Pattern.compile("(?m)^# Out of bounds values : 0 OK$");
    private static final Pattern EXACT = Pattern.compile("(?m)^# exact (\\d+) (-?[0-9.]+) (-?[0-9.]+)$");

    private static final double PICOSECONDS = 1e6;

    /**
     * Parses the output of a program that uses {@code perf_loop.h}.
     *
     * @param program name of the program for messages.
     * @throws SuiteException if values were wrong or unchecked, or there are no times for the requested calls (in place
     *                        or not).
     */
    static PeerOutput ofTable(final String program, final String text, final boolean inPlace)
    {
        final Matcher head = HEAD.matcher(text);
        if (!head.find() || !RIGHT.matcher(text).find())
        {
            throw new SuiteException(program + " computed wrong values or did not finish");
        }
        final SortedMap<Long, Double> times = new TreeMap<>();
        final Matcher row = EXACT.matcher(text);
        while (row.find())
        {
            put(times, Long.parseLong(row.group(1)), Double.parseDouble(row.group(inPlace ? 3 : 2)));
        }
        return of(program, head.group(1), times);
    }

    /**
     * Parses the output of {@code tutti perf --json}.
     *
     * @throws SuiteException if values were wrong, or there are no times for the requested calls (in place or not).
     */
    static PeerOutput ofJson(final String text, final boolean inPlace)
    {
        return ofRows(text, "results", (times, row) ->
        {
            final Map<?, ?> form = (Map<?, ?>)row.get(inPlace ? "in_place" : "out_of_place");
            if (form != null)
            {
                put(times, number(row, "size").longValue(), number(form, "time_us").doubleValue());
            }
        });
    }

    /**
     * Parses the output of {@code tutti perf --cold --json} of one size.
     *
     * @throws SuiteException if values were wrong.
     */
    static PeerOutput ofFirstCalls(final String text)
    {
        return ofRows(text, "first_calls", (times, row) ->
            put(times, number(row, "calls").longValue(), number(row, "total_us").doubleValue()));
    }

    private static PeerOutput ofRows(
        final String text, final String rows, final BiConsumer<SortedMap<Long, Double>, Map<?, ?>> reader)
    {
        final SortedMap<Long, Double> times = new TreeMap<>();
        try
        {
            final Map<String, Object> report = Json.read(text);
            if (number(report, "out_of_bounds").longValue() != 0)
            {
                throw new SuiteException("tutti perf computed wrong values");
            }
            for (final Object each : (List<?>)report.get(rows))
            {
                reader.accept(times, (Map<?, ?>)each);
            }
        }
        catch (final IllegalArgumentException | ClassCastException | NullPointerException ex)
        {
            throw new SuiteException("cannot parse the report of tutti perf: " + ex.getMessage(), ex);
        }
        return of("tutti perf", CaseResult.TUTTI, times);
    }

    private static Number number(final Map<?, ?> object, final String name)
    {
        return (Number)object.get(name);
    }

    private static void put(final SortedMap<Long, Double> times, final long size, final double timeUs)
    {
        if (timeUs > 0)
        {
            // Finer digits are below the resolution of any clock, and would only be noise in files.
            times.put(size, Math.round(timeUs * PICOSECONDS) / PICOSECONDS);
        }
    }

    private static PeerOutput of(final String program, final String label, final SortedMap<Long, Double> times)
    {
        if (times.isEmpty())
        {
            throw new SuiteException(program + " reported no times for the requested calls (in place or not)");
        }
        return new PeerOutput(label, times);
    }
}
