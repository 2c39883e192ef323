/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.select.model.CostModel;
import org.tutti.collectives.select.model.WireKind;

/**
 * A file of measured times: lines of collective,algorithm,ranks,bytes,microseconds.
 *
 * @param file        file to read.
 * @param wire        wire that was measured.
 * @param run         model with which the calls were measured.
 * @param elementSize bytes of an element.
 */
record MeasuredTimes(Path file, WireKind wire, CostModel run, int elementSize)
{
    private static final int COLUMNS = 5;
    private static final int MAX_RANKS = 1 << 20;
    private static final CSVFormat FORMAT = CSVFormat.RFC4180.builder()
        .setCommentMarker('#').setIgnoreEmptyLines(true).setIgnoreSurroundingSpaces(true).get();

    /**
     * Reads the file.
     *
     * @return the calls in the order of the lines.
     * @throws IllegalArgumentException if the file cannot be read, or a value is invalid; the message names file, line,
     *                                  value and limit.
     */
    List<Calibration.Measured> read()
    {
        final List<Calibration.Measured> rows = new ArrayList<>();
        try (CSVParser parser = CSVParser.parse(file, StandardCharsets.UTF_8, FORMAT))
        {
            for (final CSVRecord record : parser)
            {
                rows.add(row(record, parser.getCurrentLineNumber()));
            }
        }
        catch (final IOException | UncheckedIOException e)
        {
            throw new IllegalArgumentException(file + ": must be a readable file: " + e.getMessage(), e);
        }
        return rows;
    }

    private Calibration.Measured row(final CSVRecord record, final long line)
    {
        try
        {
            return row(record);
        }
        catch (final IllegalArgumentException e)
        {
            throw new IllegalArgumentException(
                file + ":" + line + ": \"" + String.join(",", record) + "\": " + e.getMessage(), e);
        }
    }

    private Calibration.Measured row(final CSVRecord record)
    {
        if (record.size() != COLUMNS)
        {
            throw new IllegalArgumentException("must be collective,algorithm,ranks,bytes,microseconds");
        }
        final Collective collective = ModelOptions.collective(record.get(0));
        final String algorithm = Algorithms.named(collective, record.get(1)).name();
        final int ranks = (int)number("ranks", record.get(2), 2, MAX_RANKS);
        // A call without elements sends nothing.
        final int blocks = collective == Collective.BARRIER ? 0 : collective.hasBlocks() ? ranks : 1;
        final Calibration.Measured row = new Calibration.Measured(collective, algorithm, ranks,
            number("bytes", record.get(3), (long)blocks * elementSize, Long.MAX_VALUE), timeUs(record.get(4)));
        final String problem = Calibration.problem(run, wire, row, elementSize);
        if (!problem.isEmpty())
        {
            throw new IllegalArgumentException(problem);
        }
        return row;
    }

    private static long number(final String name, final String text, final long min, final long max)
    {
        final long number = text.matches("[0-9]{1,18}") ? Long.parseLong(text) : -1;
        if (number < min || number > max)
        {
            throw new IllegalArgumentException(name + "=" + text + ": must be a whole number, at least " + min +
                (max == Long.MAX_VALUE ? "" : " and at most " + max));
        }
        return number;
    }

    private static double timeUs(final String text)
    {
        try
        {
            final double us = Double.parseDouble(text);
            if (us > 0 && us < Double.POSITIVE_INFINITY)
            {
                return us;
            }
        }
        catch (final NumberFormatException e)
        {
            // Reported below, as other values that are not times.
        }
        throw new IllegalArgumentException("microseconds=" + text + ": must be a number greater than 0");
    }
}
