/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.cli;

import org.tutti.bootstrap.store.DurationFormat;
import org.tutti.launcher.io.UsageException;

/** Parses options whose value is a duration, such as 90, 90s, 1.5m, 2h or 250ms. */
final class DurationOption
{
    private static final long LONGEST_NS = Long.MAX_VALUE / 4;

    private DurationOption()
    {
    }

    /**
     * Reads the value of an option.
     *
     * @param option the option's name, for the error message.
     * @param text   a number with a unit, or a number of seconds.
     * @return the duration in nanoseconds, greater than 0.
     * @throws UsageException if the text is not a duration or out of range.
     */
    static long parse(final String option, final String text)
    {
        final long ns = DurationFormat.parse(text);
        if (ns > 0 && ns <= LONGEST_NS)
        {
            return ns;
        }
        throw new UsageException(option + " '" + text + "' is not a duration: give a number above 0 and a unit " +
            "(ms, s, m, h), such as 30s or 1.5m");
    }
}
