/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.config;

import org.tutti.bootstrap.ProcessSettings;
import org.tutti.collectives.ConfigurationException;

import java.util.Locale;
import java.util.Map;

/**
 * A value and its source: the property, else the environment variable, else the default. A blank value counts as not
 * set.
 *
 * @param source name of the property or variable.
 * @param text   value.
 */
record Setting(String source, String text)
{
    /**
     * Looks up a setting.
     *
     * @param environment  settings: variables and properties by their names.
     * @param name         name without the prefix: {@code gid.index} stands for the property {@code tutti.gid.index}
     *                     and the variable {@code TUTTI_GID_INDEX}.
     * @param defaultValue default value.
     */
    static Setting value(final Map<String, String> environment, final String name, final String defaultValue)
    {
        final String variable = "TUTTI_" + name.toUpperCase(Locale.ROOT).replace('.', '_');
        final String source = ProcessSettings.source(environment, variable);
        final String value = environment.getOrDefault(source, "").strip();
        return new Setting(source, value.isEmpty() ? defaultValue : value);
    }

    /**
     * Returns the value as an integer.
     *
     * @throws ConfigurationException if it is not an integer, or out of range.
     */
    int number(final int min, final int max)
    {
        final int number = text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : -1;
        if (number < min || number > max)
        {
            throw wrong("not a number from " + min + " to " + max);
        }
        return number;
    }

    ConfigurationException wrong(final String problem)
    {
        return new ConfigurationException(source + "='" + text + "' is " + problem);
    }
}
