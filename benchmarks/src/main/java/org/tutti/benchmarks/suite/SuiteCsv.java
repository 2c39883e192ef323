/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.apache.commons.csv.QuoteMode;
import org.tutti.benchmarks.perf.Operation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Results as CSV (RFC 4180), with a row for each size and peer, as in {@code benchmarks/history}. Files can be read
 * again, but lack the individual runs, which only the JSON report has.
 */
final class SuiteCsv
{
    private static final String WIRE = "wire";
    private static final List<String> NAMES = List.of(
        "date", "commit", "jvm", "peer", "host", "collective", "form", "ranks", "bind", WIRE, "options",
        "core_to_core_ns", "rounds", "size_bytes", "tutti_us", "tutti_min_us", "tutti_max_us", "peer_us", "peer_min_us",
        "peer_max_us", "peer_by_tutti");
    /** Columns of the first saved runs, all over {@link Wire#SHM}. */
    private static final List<String> NAMES_WITHOUT_WIRE =
        NAMES.stream().filter(name -> !name.equals(WIRE)).toList();
    /** Columns that are always quoted, so that files of different runs differ only in their values. */
    private static final Set<String> QUOTED_NAMES = Set.of("jvm", "peer", "host", "options");

    private static final CSVFormat PLAIN = CSVFormat.RFC4180.builder()
        .setRecordSeparator('\n').setHeader(NAMES.toArray(String[]::new)).setSkipHeaderRecord(false)
        .setQuoteMode(QuoteMode.MINIMAL).get();
    private static final CSVFormat QUOTED = PLAIN.builder().setQuoteMode(QuoteMode.ALL).get();

    private static final MathContext RATIO_DIGITS = new MathContext(6);

    private SuiteCsv()
    {
    }

    static String write(final List<CaseResult> results)
    {
        final StringBuilder text = new StringBuilder(String.join(",", NAMES)).append('\n');
        for (final CaseResult result : results)
        {
            for (final String peer : result.others())
            {
                result.rows().forEach((size, row) ->
                {
                    if (row.containsKey(CaseResult.TUTTI) && row.containsKey(peer))
                    {
                        print(text, values(result, peer, size, row));
                    }
                });
            }
        }
        return text.toString();
    }

    private static List<Object> values(
        final CaseResult result, final String peer, final long size, final Map<String, Figure> row)
    {
        final Conditions conditions = result.conditions();
        final Case of = result.of();
        final Figure tutti = row.get(CaseResult.TUTTI);
        final Figure its = row.get(peer);
        final long rounds =
            Math.min(result.rounds().getOrDefault(CaseResult.TUTTI, 0L), result.rounds().get(peer));
        return List.of(
            conditions.date(), conditions.commit(), conditions.jvm(), peer, conditions.host(), of.operation().label(),
            of.form(), of.ranks(), of.bind(), of.wire().option(), of.options(), result.coreToCoreNs(), rounds, size,
            number(tutti.medianUs()), number(tutti.minUs()), number(tutti.maxUs()),
            number(its.medianUs()), number(its.minUs()), number(its.maxUs()),
            number(rounded(CaseResult.ratio(row, peer))));
    }

    private static void print(final StringBuilder text, final List<Object> values)
    {
        try
        {
            for (int i = 0; i < values.size(); i++)
            {
                (QUOTED_NAMES.contains(NAMES.get(i)) ? QUOTED : PLAIN).print(values.get(i), text, i == 0);
            }
            PLAIN.println(text);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Reads a file that was written before.
     *
     * @param file file of results; its columns must be those that this version writes, or lack only the wire.
     * @return the cases in the order of the file.
     * @throws SuiteException if the file cannot be parsed; the message names the line.
     */
    static List<CaseResult> read(final Path file)
    {
        final List<CSVRecord> lines = lines(file);
        final List<String> names = lines.isEmpty() ? List.of() : lines.getFirst().toList();
        if (!names.equals(NAMES) && !names.equals(NAMES_WITHOUT_WIRE))
        {
            throw new SuiteException(file + ": first line must be " + String.join(",", NAMES));
        }
        final Map<String, CaseResult> results = new LinkedHashMap<>();
        for (final CSVRecord line : lines.subList(1, lines.size()))
        {
            try
            {
                add(results, fields(names, line));
            }
            catch (final IllegalArgumentException ex)
            {
                throw new SuiteException(file + ", line " + line.getRecordNumber() + ": " + ex.getMessage(), ex);
            }
        }
        return List.copyOf(results.values());
    }

    private static List<CSVRecord> lines(final Path file)
    {
        try (CSVParser parser = CSVParser.parse(file, StandardCharsets.UTF_8, PLAIN))
        {
            return parser.getRecords();
        }
        catch (final IOException ex)
        {
            throw new SuiteException(file + ": must be a readable file, such as one in benchmarks/history", ex);
        }
        catch (final UncheckedIOException ex)
        {
            throw new SuiteException(file + ": " + ex.getCause().getMessage(), ex);
        }
    }

    /** Fields of a line by name. */
    private static Map<String, String> fields(final List<String> names, final CSVRecord line)
    {
        if (line.size() != names.size())
        {
            throw new IllegalArgumentException(line.size() + " fields, must have " + names.size());
        }
        final Map<String, String> fields = new HashMap<>(Map.of(WIRE, Wire.SHM.option()));
        for (int i = 0; i < names.size(); i++)
        {
            fields.put(names.get(i), line.get(i));
        }
        return fields;
    }

    private static void add(final Map<String, CaseResult> results, final Map<String, String> line)
    {
        final Case of = new Case(
            operation(line.get("collective")), line.get("form").equals("in"),
            Integer.parseInt(line.get("ranks")), line.get("bind"), wire(line.get(WIRE)), line.get("options"));
        final Conditions conditions =
            new Conditions(line.get("date"), line.get("commit"), line.get("jvm"), line.get("host"));
        final CaseResult result = results.computeIfAbsent(of + " " + conditions, key -> new CaseResult(
            of, conditions, line.get("core_to_core_ns"), new LinkedHashMap<>(), new TreeMap<>(), List.of()));
        final long rounds = Long.parseLong(line.get("rounds"));
        result.rounds().merge(CaseResult.TUTTI, rounds, Math::max);
        result.rounds().merge(line.get("peer"), rounds, Math::max);
        final Map<String, Figure> row =
            result.rows().computeIfAbsent(Long.parseLong(line.get("size_bytes")), key -> new LinkedHashMap<>());
        row.put(CaseResult.TUTTI, figure(line, "tutti"));
        row.put(line.get("peer"), figure(line, "peer"));
    }

    private static Operation operation(final String label)
    {
        return Stream.of(Operation.values()).filter(each -> each.label().equals(label)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException("unknown collective \"" + label + "\""));
    }

    private static Wire wire(final String name)
    {
        return Wire.of(name).orElseThrow(() -> new IllegalArgumentException(
            "unknown wire \"" + name + "\", must be " + String.join(" or ", Wire.options())));
    }

    private static Figure figure(final Map<String, String> line, final String of)
    {
        return new Figure(Double.parseDouble(line.get(of + "_us")), Double.parseDouble(line.get(of + "_min_us")),
            Double.parseDouble(line.get(of + "_max_us")));
    }

    /** Writes all digits, so that reading returns the same value. */
    private static String number(final double value)
    {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }

    /** Rounds for human readers; programs can compute the exact ratio from the times. */
    private static double rounded(final double ratio)
    {
        return new BigDecimal(ratio).round(RATIO_DIGITS).doubleValue();
    }
}
