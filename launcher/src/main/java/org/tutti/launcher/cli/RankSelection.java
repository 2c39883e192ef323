/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.cli;

import java.util.BitSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.tutti.launcher.io.UsageException;

/** Parses lists of ranks, such as {@code 0,4-7}. Stateless. */
final class RankSelection
{
    private static final Pattern RANGE = Pattern.compile("([0-9]{1,9})(?:-([0-9]{1,9}))?");

    private RankSelection()
    {
    }

    /**
     * Reads the value of an option.
     *
     * @param option the option's name, for the error message.
     * @param list   ranks and ranges of ranks, separated by commas.
     * @param size   the number of ranks of the job.
     * @return the ranks, at least one.
     * @throws UsageException if the list is invalid, or contains a rank that the job does not have.
     */
    static BitSet parse(final String option, final String list, final int size)
    {
        final BitSet ranks = new BitSet(size);
        for (final String entry : list.split(",", -1))
        {
            final Matcher range = RANGE.matcher(entry.strip());
            if (!range.matches())
            {
                throw refusal(option, list, "'" + entry.strip() + "' is not a rank or a range of ranks", size);
            }
            final int first = Integer.parseInt(range.group(1));
            final int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
            if (last < first)
            {
                throw refusal(option, list, "the range " + entry.strip() + " is empty", size);
            }
            if (last >= size)
            {
                throw refusal(option, list, "there is no rank " + last + " in a job of " + size +
                    (size == 1 ? " rank" : " ranks"), size);
            }
            ranks.set(first, last + 1);
        }
        return ranks;
    }

    private static UsageException refusal(
        final String option, final String list, final String problem, final int size)
    {
        return new UsageException("invalid " + option + " '" + list + "': " + problem + ": give " +
            (size == 1 ? "0" : "ranks from 0 to " + (size - 1) + ", such as 0 or 0-" + (size - 1)));
    }
}
