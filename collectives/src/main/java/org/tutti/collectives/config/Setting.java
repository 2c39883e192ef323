/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.config;

import org.tutti.collectives.ConfigurationException;

import java.util.Locale;
import java.util.Map;

/**
 * A value and where it comes from: the system property, else the environment, else the default. What is blank counts as
 * not set.
 *
 * @param source the name of the property or variable.
 * @param text   its value.
 */
record Setting(String source, String text)
{
    /**
     * Looks a setting up.
     *
     * @param environment environment of the process.
     * @param name        the last words of its name: {@code gid.index} is {@code tutti.gid.index} and
     *                    {@code TUTTI_GID_INDEX}.
     * @param otherwise   the default.
     */
    static Setting value(final Map<String, String> environment, final String name, final String otherwise)
    {
        final String property = "tutti." + name;
        final String ofProperty = System.getProperty(property, "").strip();
        if (!ofProperty.isEmpty())
        {
            return new Setting(property, ofProperty);
        }
        final String variable = "TUTTI_" + name.toUpperCase(Locale.ROOT).replace('.', '_');
        final String ofVariable = environment.getOrDefault(variable, "").strip();
        return new Setting(variable, ofVariable.isEmpty() ? otherwise : ofVariable);
    }

    /**
     * The value as a whole number.
     *
     * @throws ConfigurationException if it is none, or out of its range.
     */
    int number(final int min, final int max)
    {
        final int number = text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : -1;
        if (number < min || number > max)
        {
            throw wrong("no number from " + min + " to " + max);
        }
        return number;
    }

    ConfigurationException wrong(final String range)
    {
        return new ConfigurationException(source + "='" + text + "' is " + range);
    }
}
