/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest
{
    @Test
    void shouldWriteNestedValuesAndEscapeStrings()
    {
        final String text = Json.write(Json.object(
            "name", "a\"b\\c\n", "number", 1.5, "whole", 3L, "none", null, "nan", Double.NaN, "yes", true,
            "list", List.of(1, "x"), "empty", List.of(), "map", Json.object()));

        assertEquals(
            """
            {
              "name": "a\\"b\\\\c\\n",
              "number": 1.5,
              "whole": 3,
              "none": null,
              "nan": null,
              "yes": true,
              "list": [
                1,
                "x"
              ],
              "empty": [],
              "map": {}
            }
            """, text);
    }

    @Test
    void shouldReadWrittenText()
    {
        final Map<String, Object> written = Json.object(
            "text", "a \"quote\", a \\ and a\nline", "number", -1.5e-7, "count", 3, "yes", true, "no", false,
            "nothing", null, "list", Arrays.asList(1.5, "two", null, List.of()), "object", Json.object("in", Map.of()));

        assertEquals(written, Json.read(Json.write(written)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[1]", "{\"a\":}", "{\"a\" 1}", "{\"a\": \"open", "{\"a\": 01}", "{a: 1}"})
    void shouldRejectTextThatIsNotAnObject(final String text)
    {
        final String message = assertThrows(IllegalArgumentException.class, () -> Json.read(text)).getMessage();

        assertTrue(message.startsWith("not a JSON object: "), message);
    }
}
