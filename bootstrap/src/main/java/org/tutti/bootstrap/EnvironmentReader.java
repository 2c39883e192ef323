/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.util.Map;

import org.tutti.bootstrap.store.DurationFormat;

/**
 * Reads settings by the names of their environment variables; the properties of {@link ProcessSettings} override
 * these. Errors name the variable or property, its value and its range.
 */
final class EnvironmentReader
{
    private final Map<String, String> environment;

    EnvironmentReader(final Map<String, String> environment)
    {
        this.environment = environment;
    }

    /** Returns the value of a variable, or null if it is unset or blank. */
    String text(final String name)
    {
        final String value = environment.get(source(name));
        return value == null || value.isBlank() ? null : value.strip();
    }

    /** Returns the name of the variable, or of the property that overrides it. */
    String source(final String name)
    {
        return ProcessSettings.source(environment, name);
    }

    boolean has(final String name)
    {
        return text(name) != null;
    }

    int number(final String name, final int min, final int max, final int defaultValue)
    {
        return has(name) ? number(name, min, max) : defaultValue;
    }

    int number(final String name, final int min, final int max)
    {
        final String value = text(name);
        if (value == null)
        {
            throw new BootstrapException(name + " is not set: must be an integer from " + min + " to " + max);
        }
        try
        {
            final int number = Integer.parseInt(value);
            if (number >= min && number <= max)
            {
                return number;
            }
        }
        catch (final NumberFormatException ex)
        {
            // Reported below, like a number out of range.
        }
        throw new BootstrapException(
            source(name) + "='" + value + "' is not an integer from " + min + " to " + max);
    }

    /** Returns an unsigned 32-bit integer. */
    long unsignedInt(final String name)
    {
        try
        {
            return Integer.toUnsignedLong(Integer.parseUnsignedInt(text(name)));
        }
        catch (final NumberFormatException ex)
        {
            throw new BootstrapException(name + "='" + text(name) + "' is not an integer from 0 to 4294967295");
        }
    }

    /**
     * Returns a duration in nanoseconds, from a number with a unit, such as {@code 500ms}, {@code 30s}, {@code 1.5m} or
     * {@code 1h}.
     */
    long duration(final String name, final long minNs, final long maxNs, final long defaultNs)
    {
        final String value = text(name);
        if (value == null)
        {
            return defaultNs;
        }
        final long ns = DurationFormat.parse(value);
        if (ns >= minNs && ns <= maxNs)
        {
            return ns;
        }
        throw new BootstrapException(source(name) + "='" + value + "' is not a duration from " +
            DurationFormat.format(minNs) + " to " + DurationFormat.format(maxNs) + ", such as 30s or 1.5m");
    }
}
