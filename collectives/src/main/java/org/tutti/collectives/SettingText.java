/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

import java.nio.file.Path;
import java.time.Duration;

/** Formats values as the texts from which settings are parsed; null becomes null. */
final class SettingText
{
    /** The longest timeout of a call. */
    private static final Duration LONGEST = Duration.ofDays(365);
    private static final long NS_PER_MS = 1_000_000;

    private SettingText()
    {
    }

    static String of(final Path path)
    {
        return path == null ? null : path.toString();
    }

    static String of(final boolean value)
    {
        return value ? "1" : "0";
    }

    /** Formats a duration in milliseconds, rounded up, so that it stays greater than 0. */
    static String of(final Duration duration)
    {
        if (duration == null || duration.isNegative())
        {
            return duration == null ? null : duration.toString();
        }
        final Duration capped = duration.compareTo(LONGEST) < 0 ? duration : LONGEST;
        return capped.plusNanos(NS_PER_MS - 1).toMillis() + "ms";
    }
}
