/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes maps, collections, strings, numbers, booleans and null as JSON (RFC 8259), for commands and jobs. */
public final class Json
{
    private static final String INDENT = "  ";

    private Json()
    {
    }

    /**
     * Makes an object.
     *
     * @param namesAndValues alternating.
     * @return in the order given.
     */
    public static Map<String, Object> object(final Object... namesAndValues)
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2)
        {
            map.put((String)namesAndValues[i], namesAndValues[i + 1]);
        }
        return map;
    }

    /**
     * Writes a value.
     *
     * @param value and what is in it.
     * @return indented, and with an end of line.
     */
    public static String write(final Object value)
    {
        final StringBuilder text = new StringBuilder();
        write(text, value, "\n");
        return text.append('\n').toString();
    }

    private static void write(final StringBuilder text, final Object value, final String newline)
    {
        switch (value)
        {
            case Map<?, ?> map ->
            {
                text.append('{');
                String separator = newline + INDENT;
                for (final Map.Entry<?, ?> entry : map.entrySet())
                {
                    text.append(separator);
                    quote(text, entry.getKey().toString());
                    text.append(": ");
                    write(text, entry.getValue(), newline + INDENT);
                    separator = "," + newline + INDENT;
                }
                text.append(map.isEmpty() ? "}" : newline + "}");
            }
            case Collection<?> collection ->
            {
                text.append('[');
                String separator = newline + INDENT;
                for (final Object element : collection)
                {
                    text.append(separator);
                    write(text, element, newline + INDENT);
                    separator = "," + newline + INDENT;
                }
                text.append(collection.isEmpty() ? "]" : newline + "]");
            }
            case Double number -> text.append(Double.isFinite(number) ? number.toString() : "null");
            case Number number -> text.append(number);
            case Boolean bool -> text.append(bool);
            case null -> text.append("null");
            default -> quote(text, value.toString());
        }
    }

    private static void quote(final StringBuilder text, final String string)
    {
        text.append('"');
        for (int i = 0; i < string.length(); i++)
        {
            final char c = string.charAt(i);
            if (c == '"' || c == '\\')
            {
                text.append('\\').append(c);
            }
            else if (c < ' ')
            {
                text.append(String.format("\\u%04x", (int)c));
            }
            else
            {
                text.append(c);
            }
        }
        text.append('"');
    }
}
