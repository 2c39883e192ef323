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

/** Reads and writes JSON objects (RFC 8259) as maps. Stateless. */
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
     * Creates an object.
     *
     * @param namesAndValues alternating names and values; infinite numbers and NaN, which JSON lacks, become null.
     * @return map in the order given.
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
     * @param object map of names to maps, collections, strings, numbers, booleans and null.
     * @return indented text with a final line end.
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
     * @param text text of one object.
     * @return map of names to maps, lists, strings, {@link Number}, booleans and null.
     * @throws IllegalArgumentException if the text is no object; the message has the position.
     */
    public static Map<String, Object> read(final String text)
    {
        try
        {
            return FORMAT.mapFrom(text);
        }
        catch (final IOException e)
        {
            throw new IllegalArgumentException("not a JSON object: " + e.getMessage(), e);
        }
    }
}
