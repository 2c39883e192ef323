/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The settings of this process: its environment variables, and its system properties that begin with {@code tutti.}.
 * The property of a variable has the same name in lower case with dots, and takes precedence: {@code
 * tutti.join.timeout} overrides {@code TUTTI_JOIN_TIMEOUT}. All other classes look settings up in a map that this class
 * has read, so that several ranks of one process can have settings of their own.
 */
public final class ProcessSettings
{
    private static final String PROPERTY_PREFIX = "tutti.";
    private static final String VARIABLE_PREFIX = "TUTTI_";

    private ProcessSettings()
    {
    }

    /**
     * Reads the environment and the system properties.
     *
     * @return a new map, with variables and properties by their names.
     */
    public static Map<String, String> read()
    {
        final Map<String, String> settings = new HashMap<>(System.getenv());
        for (final String name : System.getProperties().stringPropertyNames())
        {
            if (name.startsWith(PROPERTY_PREFIX))
            {
                settings.put(name, System.getProperty(name, ""));
            }
        }
        return settings;
    }

    /**
     * Returns the name of the property or variable that has a value: the property, if it is set, else the variable.
     *
     * @param settings the settings by name.
     * @param variable the name of the variable, such as {@code TUTTI_JOIN_TIMEOUT}, or a variable without a property,
     *                 such as {@code RANK}.
     * @return the name; that of the variable if neither is set. A blank value counts as not set.
     */
    public static String source(final Map<String, String> settings, final String variable)
    {
        final String property = property(variable);
        return settings.getOrDefault(property, "").isBlank() ? variable : property;
    }

    /**
     * Returns the name of the property that overrides a variable.
     *
     * @param variable the name of the variable.
     * @return the name, such as {@code tutti.join.timeout}; the variable's own if it has no property.
     */
    public static String property(final String variable)
    {
        return !variable.startsWith(VARIABLE_PREFIX) ? variable : PROPERTY_PREFIX +
            variable.substring(VARIABLE_PREFIX.length()).toLowerCase(Locale.ROOT).replace('_', '.');
    }
}
