/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Properties;

/**
 * The settings that must be the same on all ranks, because they determine how a call is executed, such as by which
 * algorithm. Ranks compare these settings when they connect.
 */
public final class CommonSettings
{
    /** Maximum length of a value, in characters; a longer one is truncated, and its hash appended. */
    private static final int MAX_LENGTH = 200;
    private static final String VERSION = "VERSION";
    /** Separates a value from where it is from, which is not compared: copies of a file may have different names. */
    private static final char SOURCE = '\t';

    private CommonSettings()
    {
    }

    /**
     * Returns the settings of a rank.
     *
     * @return lines {@code NAME=value}, with the same names in the same order on all ranks; the value of a file is a
     *         summary of its content, followed by a tab and its name.
     */
    public static String of(final EngineConfiguration configuration)
    {
        return String.join("\n", List.of(
            VERSION + "=" + version(),
            "TUTTI_ALGORITHM=" + shortened(configuration.selector().overrides()),
            "TUTTI_TUNING=" + shortened(configuration.selector().tuned().replace('\n', ' ')),
            "TUTTI_MODEL=" + shortened(configuration.selector().modelled().replace('\n', ' ')),
            "TUTTI_REPRODUCIBLE=" + (configuration.reproducible() ? 1 : 0),
            "TUTTI_SCRATCH=" + configuration.scratchBytes(),
            "TUTTI_OUTSTANDING=" + configuration.callsInProgress(),
            "TUTTI_FUSION=" + configuration.fusionBytes(),
            "TUTTI_DIRECT=" + (configuration.direct() ? 1 : 0)));
    }

    /** Reads the version from a file of this jar: on a module path, packages have none. */
    private static String version()
    {
        try (InputStream file = CommonSettings.class.getResourceAsStream("version.properties"))
        {
            final Properties properties = new Properties();
            properties.load(file);
            return properties.getProperty("version");
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    private static String shortened(final String text)
    {
        return text.length() <= MAX_LENGTH ? text :
            text.substring(0, MAX_LENGTH) + "... (" + Integer.toHexString(text.hashCode()) + ")";
    }

    /**
     * Compares the settings of two ranks.
     *
     * @param own    settings of this rank.
     * @param us     name of this rank.
     * @param theirs settings of the other rank.
     * @param them   name of the other rank.
     * @return description of the first setting that differs, or null if none does.
     */
    public static String difference(final String own, final String us, final String theirs, final String them)
    {
        final List<String> ourLines = own.lines().toList();
        final List<String> theirLines = theirs.lines().toList();
        // The version is the first line: lines of different versions cannot be compared.
        for (int i = 0; i < ourLines.size(); i++)
        {
            if (!compared(ourLines.get(i)).equals(compared(theirLines.get(i))))
            {
                final int end = ourLines.get(i).indexOf('=');
                final String name = ourLines.get(i).substring(0, end);
                final String their = value(theirLines.get(i), end);
                final String our = value(ourLines.get(i), end);
                return name.equals(VERSION) ?
                    "versions of Tutti differ: " + them + " has " + their + ", " + us + " has " + our +
                    ": use one version on all ranks" :
                    name + " differs: " + them + " has " + their + ", " + us + " has " + our +
                    (hasSource(ourLines.get(i)) || hasSource(theirLines.get(i)) ?
                    ": set it to copies of one file on all ranks" : ": set it to the same value on all ranks");
            }
        }
        return null;
    }

    private static boolean hasSource(final String line)
    {
        return line.indexOf(SOURCE) >= 0;
    }

    /** The part of a line that must be the same on all ranks. */
    private static String compared(final String line)
    {
        return hasSource(line) ? line.substring(0, line.indexOf(SOURCE)) : line;
    }

    private static String value(final String line, final int end)
    {
        return end + 1 == line.length() ? "none" : line.substring(end + 1).replace(String.valueOf(SOURCE), " in ");
    }
}
