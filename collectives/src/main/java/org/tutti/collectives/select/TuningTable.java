/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select;

import org.tutti.collectives.ConfigurationException;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.schedule.Collective;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@code tutti tune} has measured: a file with a line {@code collective ranks range algorithm} for each band of
 * lengths, such as {@code allreduce 4 0-8k one_shot}. Ranks are {@code 4}, {@code 3-16} or {@code 17-}. What follows a
 * {@code #} is for people; the order of lines means nothing, since no two may say something of the same call.
 * Immutable, thread-safe.
 */
public final class TuningTable
{
    /** The environment variable that names the file. */
    public static final String ENVIRONMENT_VARIABLE = "TUTTI_TUNING";

    private static final String EXAMPLE = "collective ranks range algorithm, such as allreduce 4 0-8k one_shot";
    private static final String UTF_8 = "a text file in UTF-8 that this user can read: write one with tutti run tune";

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
     * @param file name of it.
     * @return what is in it.
     * @throws ConfigurationException if it cannot be read, or a line is not as it must be: with the file, the line, the
     *                                value and what it may be.
     */
    public static TuningTable read(final Path file)
    {
        final List<String> lines;
        try
        {
            lines = Files.readAllLines(file);
        }
        catch (final NoSuchFileException e)
        {
            throw new ConfigurationException(
                ENVIRONMENT_VARIABLE + "=" + file + ": there is no such file; it must be " + UTF_8, e);
        }
        catch (final CharacterCodingException e)
        {
            throw new ConfigurationException(
                ENVIRONMENT_VARIABLE + "=" + file + ": is no text; it must be " + UTF_8, e);
        }
        catch (final IOException e)
        {
            throw new ConfigurationException(
                ENVIRONMENT_VARIABLE + "=" + file + ": cannot be read (" + e.getMessage() + "); it must be " + UTF_8,
                e);
        }
        return of(file.toString(), lines);
    }

    /**
     * Reads lines.
     *
     * @param name  for messages.
     * @param lines of a file.
     * @return what they say.
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
     * The lines that say nothing of some calls, to write what is measured anew beside them.
     *
     * @param collectives of the calls.
     * @param size        their number of ranks.
     * @return lines of the table, without comments.
     */
    public List<String> linesWithout(final List<Collective> collectives, final int size)
    {
        final List<String> kept = new ArrayList<>();
        int next = 0;
        for (final String line : lines)
        {
            final String text = content(line);
            if (!text.isEmpty())
            {
                final Rule rule = rules.get(next++);
                if (!collectives.contains(rule.collective()) || size < rule.minSize() || size > rule.maxSize())
                {
                    kept.add(text);
                }
            }
        }
        return kept;
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
        final String[] words = text.split("\\s+", -1);
        if (words.length != 4)
        {
            throw new IllegalArgumentException("\"" + text + "\" must be " + EXAMPLE);
        }
        final Collective collective = AlgorithmSelector.collective(words[0]);
        final int dash = words[1].indexOf('-');
        final int min = ranks(dash < 0 ? words[1] : words[1].substring(0, dash), words[1]);
        final String end = words[1].substring(dash + 1);
        final int max = dash >= 0 && end.isEmpty() ? Rule.ANY : ranks(end, words[1]);
        if (max < min)
        {
            throw new IllegalArgumentException("\"" + words[1] + "\" is empty: its end must be at least its begin");
        }
        final Rule rule = new Rule(
            collective, min, max, ByteRange.parse(words[2]), Algorithms.named(collective, words[3]), source);
        for (final Rule other : before)
        {
            if (other.overlaps(rule))
            {
                throw new IllegalArgumentException("\"" + text + "\" says of some calls what " + other.source() +
                    " says too: take one away, or change its ranks or its range");
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
                "\"" + all + "\" are no ranks: give a number from 1 to 999999999, or a range such as 3-16 or 17-");
        }
        return ranks;
    }
}
