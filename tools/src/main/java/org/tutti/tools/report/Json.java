/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.core.util.Separators.Spacing;
import com.fasterxml.jackson.jr.ob.JSON;

/** Objects of JSON (RFC 8259) as maps. Stateless. */
public final class Json
{
    private static final DefaultIndenter LINES = new DefaultIndenter("  ", "\n");
    private static final JSON FORMAT = JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES).with(
        new DefaultPrettyPrinter(Separators.createDefaultInstance()
            .withObjectFieldValueSpacing(Spacing.AFTER).withObjectEmptySeparator("").withArrayEmptySeparator(""))
            .withObjectIndenter(LINES).withArrayIndenter(LINES));

    private Json()
    {
    }

    /**
     * Makes an object.
     *
     * @param namesAndValues alternating; numbers that JSON does not have, infinite ones and NaN, become null.
     * @return in the order given.
     */
    public static Map<String, Object> object(final Object... namesAndValues)
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2)
        {
            final Object value = namesAndValues[i + 1];
            map.put((String)namesAndValues[i], value instanceof Double d && !Double.isFinite(d) ? null : value);
        }
        return map;
    }

    /**
     * Writes an object.
     *
     * @param object maps, collections, strings, numbers, booleans and null, by name.
     * @return indented, and with an end of line.
     */
    public static String write(final Map<String, Object> object)
    {
        try
        {
            return FORMAT.asString(object) + "\n";
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads an object.
     *
     * @param text one object.
     * @return maps, lists, strings, {@link Number}, booleans and null, by name.
     * @throws IllegalArgumentException if it is none; the message says where.
     */
    public static Map<String, Object> read(final String text)
    {
        try
        {
            return FORMAT.mapFrom(text);
        }
        catch (final IOException e)
        {
            throw new IllegalArgumentException("no JSON object: " + e.getMessage(), e);
        }
    }
}
