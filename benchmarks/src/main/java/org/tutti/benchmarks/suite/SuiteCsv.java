/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import org.tutti.benchmarks.perf.Operation;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Results as lines of text (RFC 4180), a line for each size and peer, as {@code benchmarks/history} keeps them. What is
 * written can be read again; single runs, which only the JSON report has, are lost.
 */
final class SuiteCsv
{
    private static final String HEAD =
        "date,commit,jvm,peer,host,collective,form,ranks,bind,options,core_to_core_ns,rounds,size_bytes," +
        "tutti_us,tutti_min_us,tutti_max_us,peer_us,peer_min_us,peer_max_us,peer_by_tutti";

    private static final MathContext RATIO_DIGITS = new MathContext(6);

    private SuiteCsv()
    {
    }

    static String write(final List<CaseResult> results)
    {
        final StringBuilder text = new StringBuilder(HEAD).append('\n');
        for (final CaseResult result : results)
        {
            final Conditions conditions = result.conditions();
            final Case of = result.of();
            for (final String peer : result.others())
            {
                final long rounds = Math.min(
                    result.rounds().getOrDefault(CaseResult.TUTTI, 0L), result.rounds().get(peer));
                result.rows().forEach((size, row) ->
                {
                    final Figure tutti = row.get(CaseResult.TUTTI);
                    final Figure its = row.get(peer);
                    if (tutti == null || its == null)
                    {
                        return;
                    }
                    text.append(String.join(",", conditions.date(), conditions.commit(), quote(conditions.jvm()),
                        quote(peer), quote(conditions.host()), of.operation().label(), of.form(),
                        Integer.toString(of.ranks()), of.bind(), quote(of.options()), result.nearNs(),
                        Long.toString(rounds), Long.toString(size), figure(tutti), figure(its),
                        number(rounded(CaseResult.ratio(row, peer))))).append('\n');
                });
            }
        }
        return text.toString();
    }

    /**
     * Reads what was written.
     *
     * @param file of results, newly written or long ago.
     * @return the cases in the order of the file.
     * @throws SuiteException if the file is not such; the message names the line.
     */
    static List<CaseResult> read(final Path file)
    {
        final List<String> lines;
        try
        {
            lines = Files.readAllLines(file);
        }
        catch (final IOException ex)
        {
            throw new SuiteException(file + ": must be a file that can be read, such as one of benchmarks/history", ex);
        }
        if (lines.isEmpty() || !lines.getFirst().equals(HEAD))
        {
            throw new SuiteException(file + ": its first line must be " + HEAD);
        }
        final Map<String, CaseResult> results = new LinkedHashMap<>();
        for (int i = 1; i < lines.size(); i++)
        {
            try
            {
                add(results, fields(lines.get(i)));
            }
            catch (final IllegalArgumentException ex)
            {
                throw new SuiteException(file + ", line " + (i + 1) + ": " + ex.getMessage(), ex);
            }
        }
        return List.copyOf(results.values());
    }

    private static void add(final Map<String, CaseResult> results, final List<String> values)
    {
        final String[] names = HEAD.split(",", -1);
        if (values.size() != names.length)
        {
            throw new IllegalArgumentException("has " + values.size() + " fields, and must have " + names.length);
        }
        final Map<String, String> line = new HashMap<>();
        for (int i = 0; i < names.length; i++)
        {
            line.put(names[i], values.get(i));
        }
        final Case of = new Case(
            operation(line.get("collective")), line.get("form").equals("in"),
            Integer.parseInt(line.get("ranks")), line.get("bind"), line.get("options"));
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
            .orElseThrow(() -> new IllegalArgumentException("there is no collective \"" + label + "\""));
    }

    private static Figure figure(final Map<String, String> line, final String whose)
    {
        return new Figure(Double.parseDouble(line.get(whose + "_us")), Double.parseDouble(line.get(whose + "_min_us")),
            Double.parseDouble(line.get(whose + "_max_us")));
    }

    private static String figure(final Figure figure)
    {
        return number(figure.medianUs()) + "," + number(figure.minUs()) + "," + number(figure.maxUs());
    }

    /** All digits: what is computed of them is what is computed of the value. */
    private static String number(final double value)
    {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }

    /** For readers of the file; programs have the times. */
    private static double rounded(final double ratio)
    {
        return new BigDecimal(ratio).round(RATIO_DIGITS).doubleValue();
    }

    private static String quote(final String text)
    {
        return "\"" + text.replace("\"", "\"\"") + "\"";
    }

    /** The fields of a line; within quotes a comma is one of the text, and two quotes are one. */
    private static List<String> fields(final String line)
    {
        final List<String> fields = new ArrayList<>();
        final StringBuilder field = new StringBuilder();
        boolean isQuoted = false;
        for (int i = 0; i < line.length(); i++)
        {
            final char c = line.charAt(i);
            if (c == '"' && isQuoted && i + 1 < line.length() && line.charAt(i + 1) == '"')
            {
                field.append(c);
                i++;
            }
            else if (c == '"')
            {
                isQuoted = !isQuoted;
            }
            else if (c == ',' && !isQuoted)
            {
                fields.add(field.toString());
                field.setLength(0);
            }
            else
            {
                field.append(c);
            }
        }
        fields.add(field.toString());
        return fields;
    }
}
