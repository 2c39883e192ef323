/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads parameters as LightGBM does, which has several names for most of them. */
final class ParameterNames
{
    private static final Pattern PARAMETER = Pattern.compile("\"(\\w+)\": \\[([^\\]]*)\\]");
    private static final Pattern ALIAS = Pattern.compile("\"(\\w+)\"");
    /** The order in which LightGBM chooses between aliases of one parameter. */
    private static final Comparator<String> PRECEDENCE =
        Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

    private final Map<String, String> mainNames = new HashMap<>();

    /**
     * Reads the names.
     *
     * @param json LightGBM's parameters, each with a list of aliases.
     */
    ParameterNames(final String json)
    {
        final Matcher parameters = PARAMETER.matcher(json);
        while (parameters.find())
        {
            final Matcher aliases = ALIAS.matcher(parameters.group(2));
            while (aliases.find())
            {
                mainNames.put(aliases.group(1), parameters.group(1));
            }
        }
    }

    /**
     * Returns the values of parameters. If a parameter is given several times, its first value counts; values by the
     * main name take precedence over those by aliases.
     *
     * @param parameters parameters in LightGBM's format.
     * @return values by main name; an unknown name is kept.
     */
    SortedMap<String, String> values(final String parameters)
    {
        final Map<String, String> given = new LinkedHashMap<>();
        for (final String word : parameters.strip().split("\\s+", -1))
        {
            final int equals = word.indexOf('=');
            given.putIfAbsent(unquote(equals < 0 ? word : word.substring(0, equals)),
                equals < 0 ? "" : unquote(word.substring(equals + 1)));
        }
        given.remove("");
        final SortedMap<String, String> values = new TreeMap<>();
        given.forEach((name, value) ->
        {
            if (!mainNames.containsKey(name))
            {
                values.put(name, value);
            }
        });
        given.keySet().stream().sorted(PRECEDENCE)
            .forEach(name -> values.putIfAbsent(mainNames.getOrDefault(name, name), given.get(name)));
        return values;
    }

    private static String unquote(final String text)
    {
        return text.replaceAll("^['\"]+|['\"]+$", "");
    }
}
