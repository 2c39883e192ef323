/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How a communicator is set up. Each value is taken from the system property, else from the environment, else it is
 * the default.
 *
 * @param transport    {@code tutti.transport}, {@code TUTTI_TRANSPORT}: the provider, default {@code shm}.
 * @param device       {@code tutti.device}, {@code TUTTI_DEVICE}: the device, default the provider's first.
 * @param algorithm    {@code tutti.algorithm}, {@code TUTTI_ALGORITHM}: overrides the choice of algorithms, default
 *                     none.
 * @param timeoutNs    {@code tutti.timeout}, {@code TUTTI_TIMEOUT}: the deadline of every call, default 5 minutes.
 * @param scratchBytes {@code tutti.scratch}, {@code TUTTI_SCRATCH}: memory that peers write into, for one call; there
 *                     is twice as much. Default 4 MiB.
 * @param verbose      {@code tutti.verbose}, {@code TUTTI_VERBOSE}: whether rank 0 says what is chosen.
 */
record EngineConfiguration(
    String transport, String device, String algorithm, long timeoutNs, long scratchBytes, boolean verbose)
{
    static final long DEFAULT_TIMEOUT_NS = TimeUnit.MINUTES.toNanos(5);
    static final long DEFAULT_SCRATCH_BYTES = 4L << 20;
    private static final long MIN_SCRATCH_BYTES = 64L << 10;

    static EngineConfiguration of(final Map<String, String> environment)
    {
        return new EngineConfiguration(
            value(environment, "transport", "shm"),
            value(environment, "device", ""),
            value(environment, "algorithm", ""),
            duration("TUTTI_TIMEOUT", value(environment, "timeout", "5m")),
            bytes("TUTTI_SCRATCH", value(environment, "scratch", "4M")),
            flag("TUTTI_VERBOSE", value(environment, "verbose", "0")));
    }

    static EngineConfiguration ofEnvironment()
    {
        return of(System.getenv());
    }

    /** A number with a unit: {@code 500ms}, {@code 30s}, {@code 5m}, {@code 1h}. */
    static long duration(final String name, final String text)
    {
        final String trimmed = text.trim().toLowerCase(Locale.ROOT);
        final int digits = digits(trimmed);
        final long unit = switch (trimmed.substring(digits))
        {
            case "ms" -> TimeUnit.MILLISECONDS.toNanos(1);
            case "", "s" -> TimeUnit.SECONDS.toNanos(1);
            case "m" -> TimeUnit.MINUTES.toNanos(1);
            case "h" -> TimeUnit.HOURS.toNanos(1);
            default -> 0;
        };
        if (digits == 0 || digits > 9 || unit == 0 || Long.parseLong(trimmed.substring(0, digits)) == 0)
        {
            throw new IllegalArgumentException(
                name + "='" + text + "' is no duration: write a number above 0 with ms, s, m or h, such as 30s");
        }
        return Math.min(Long.parseLong(trimmed.substring(0, digits)) * unit, Duration.ofDays(365).toNanos());
    }

    private static long bytes(final String name, final String text)
    {
        final String trimmed = text.trim().toUpperCase(Locale.ROOT);
        final int digits = digits(trimmed);
        final int shift = switch (trimmed.substring(digits))
        {
            case "" -> 0;
            case "K" -> 10;
            case "M" -> 20;
            case "G" -> 30;
            default -> -1;
        };
        final long value = digits == 0 || digits > 9 || shift < 0 ? -1 :
            Long.parseLong(trimmed.substring(0, digits)) << shift;
        if (value < MIN_SCRATCH_BYTES)
        {
            throw new IllegalArgumentException(
                name + "='" + text + "' is no size: write at least " + MIN_SCRATCH_BYTES + " bytes, such as 4M");
        }
        return value;
    }

    private static boolean flag(final String name, final String text)
    {
        return switch (text.trim().toLowerCase(Locale.ROOT))
        {
            case "1", "true", "yes", "on" -> true;
            case "", "0", "false", "no", "off" -> false;
            default -> throw new IllegalArgumentException(name + "='" + text + "': write 1 or 0");
        };
    }

    private static int digits(final String text)
    {
        int digits = 0;
        while (digits < text.length() && text.charAt(digits) >= '0' && text.charAt(digits) <= '9')
        {
            digits++;
        }
        return digits;
    }

    private static String value(final Map<String, String> environment, final String name, final String otherwise)
    {
        final String property = System.getProperty("tutti." + name);
        return property != null ? property :
            environment.getOrDefault("TUTTI_" + name.toUpperCase(Locale.ROOT), otherwise);
    }
}
