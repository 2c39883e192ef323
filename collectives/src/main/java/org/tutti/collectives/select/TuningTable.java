/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select;

import org.tutti.collectives.ConfigurationException;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.select.model.SettingFile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The measurements of {@code tutti tune}: a file with a line {@code collective ranks range algorithm} for each range of
 * lengths, such as {@code allreduce 4 0-8k one_shot}. Ranks are {@code 4}, {@code 3-16} or {@code 17-}. A line may end
 * with the wire and the placement that it is for, as {@code wire=tcp hosts=2 ranks-per-host=2}. A {@code #} starts a
 * comment. The order of lines is irrelevant, as no two lines may apply to the same call. Immutable, thread-safe.
 */
public final class TuningTable
{
    /** The environment variable that names the file. */
    public static final String ENVIRONMENT_VARIABLE = "TUTTI_TUNING";

    /** The start of the comment above the lines of one measurement. */
    public static final String HEAD = "# by tutti run tune";

    private static final String EXAMPLE = "collective ranks range algorithm, such as allreduce 4 0-8k one_shot";
    private static final String EXPECTED_FILE = "a readable UTF-8 text file: write one with tutti run tune";

    private final List<String> lines;
    private final List<Rule> rules;

    private TuningTable(final List<String> lines, final List<Rule> rules)
    {
        this.lines = lines;
        this.rules = rules;
    }

    /**
     * Reads a file.
     *
     * @param file file to read.
     * @return table in the file.
     * @throws ConfigurationException if the file cannot be read, or a line is invalid; the message names the file, the
     *                                line, the value and the valid values.
     */
    public static TuningTable read(final Path file)
    {
        final List<String> lines;
        try
        {
            lines = Files.readAllLines(file);
        }
        catch (final IOException e)
        {
            throw new ConfigurationException(ENVIRONMENT_VARIABLE + "=" + file + ": " + SettingFile.problem(e) +
                "; must be " + EXPECTED_FILE, e);
        }
        return of(file.toString(), lines);
    }

    /**
     * Parses lines.
     *
     * @param name  name of the file, for messages.
     * @param lines lines of a file.
     * @return table in the lines.
     * @throws ConfigurationException as {@link #read}.
     */
    public static TuningTable of(final String name, final List<String> lines)
    {
        final List<Rule> rules = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++)
        {
            final String text = content(lines.get(i));
            if (!text.isEmpty())
            {
                try
                {
                    rules.add(rule(text, name + ":" + (i + 1), rules));
                }
                catch (final IllegalArgumentException e)
                {
                    throw new ConfigurationException(name + ":" + (i + 1) + ": " + e.getMessage(), e);
                }
            }
        }
        return new TuningTable(List.copyOf(lines), List.copyOf(rules));
    }

    /**
     * Returns the lines without those for a number of ranks and some collectives, so that new measurements of these can
     * be added. A line for a range of numbers of ranks is kept for the other numbers.
     *
     * @param collectives collectives whose lines are left out.
     * @param size        number of ranks whose lines are left out.
     * @param scope       wire and placement whose lines are left out; lines of others are kept.
     * @return lines with their comments, without each {@link #HEAD} that has no lines left below it.
     */
    public List<String> linesWithout(final List<Collective> collectives, final int size, final RuleScope scope)
    {
        final List<String> kept = new ArrayList<>();
        // A HEAD below which all lines so far were left out, and the comments after the HEAD.
        final List<String> pending = new ArrayList<>();
        int next = 0;
        for (final String line : lines)
        {
            if (content(line).isEmpty())
            {
                if (line.startsWith(HEAD))
                {
                    keepComments(pending, kept);
                    pending.add(line);
                }
                else
                {
                    (pending.isEmpty() ? kept : pending).add(line);
                }
                continue;
            }
            final Rule rule = rules.get(next++);
            final List<String> left = collectives.contains(rule.collective()) && rule.scope().overlaps(scope) ?
                without(line, rule, size) : List.of(line);
            if (!left.isEmpty())
            {
                kept.addAll(pending);
                pending.clear();
            }
            kept.addAll(left);
        }
        keepComments(pending, kept);
        return kept;
    }

    /** Drops the pending {@link #HEAD}, which has no lines left below it, and keeps the comments after it. */
    private static void keepComments(final List<String> pending, final List<String> kept)
    {
        kept.addAll(pending.subList(Math.min(1, pending.size()), pending.size()));
        pending.clear();
    }

    private static List<String> without(final String line, final Rule rule, final int size)
    {
        if (size < rule.minSize() || size > rule.maxSize())
        {
            return List.of(line);
        }
        final List<String> parts = new ArrayList<>();
        if (rule.minSize() < size)
        {
            parts.add(withRanks(line, rule.minSize(), size - 1));
        }
        if (rule.maxSize() > size)
        {
            parts.add(withRanks(line, size + 1, rule.maxSize()));
        }
        return parts;
    }

    private static String withRanks(final String line, final int min, final int max)
    {
        final String ranks = min == max ? Integer.toString(min) : min + "-" + (max == Rule.ANY ? "" : max);
        return line.replaceFirst("^(\\s*\\S+\\s+)\\S+", "$1" + ranks);
    }

    List<Rule> rules()
    {
        return rules;
    }

    private static String content(final String line)
    {
        final int comment = line.indexOf('#');
        return (comment < 0 ? line : line.substring(0, comment)).strip();
    }

    private static Rule rule(final String text, final String source, final List<Rule> before)
    {
        final String[] fields = text.split("\\s+", -1);
        if (fields.length < 4)
        {
            throw new IllegalArgumentException("\"" + text + "\" must be " + EXAMPLE);
        }
        final Collective collective = AlgorithmSelector.collective(fields[0]);
        final int dash = fields[1].indexOf('-');
        final int min = ranks(dash < 0 ? fields[1] : fields[1].substring(0, dash), fields[1]);
        final String end = fields[1].substring(dash + 1);
        final int max = dash >= 0 && end.isEmpty() ? Rule.ANY : ranks(end, fields[1]);
        if (max < min)
        {
            throw new IllegalArgumentException(
                "\"" + fields[1] + "\" is empty: its end must not be less than its start");
        }
        final Rule rule = new Rule(
            collective, min, max, ByteRange.parse(fields[2]), Algorithms.named(collective, fields[3]), source,
            RuleScope.parse(Arrays.asList(fields).subList(4, fields.length)));
        for (final Rule other : before)
        {
            if (other.overlaps(rule))
            {
                throw new IllegalArgumentException(
                    "\"" + text + "\" overlaps " + other.source() +
                    ": remove one, or change its ranks, range, wire or hosts");
            }
        }
        return rule;
    }

    private static int ranks(final String text, final String all)
    {
        final int ranks = text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
        if (ranks < 1)
        {
            throw new IllegalArgumentException(
                "\"" + all + "\" is not a number of ranks: must be from 1 to 999999999, or a range such as 3-16 " +
                "or 17-");
        }
        return ranks;
    }
}
