/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest
{
    @Test
    void shouldReadWhatIsWritten()
    {
        final Map<String, Object> written = Json.object(
            "text", "a \"quote\", a \\ and a\nline", "number", -1.5e-7, "count", 3.0, "yes", true, "no", false,
            "nothing", null, "list", Arrays.asList(1.0, "two", null, List.of()), "object", Json.object("in", Map.of()));

        assertEquals(written, JsonReader.read(Json.write(written)));
    }

    @Test
    void shouldReadEscapesAndBlanks()
    {
        assertEquals(List.of("é\t/", 0.0, 12.0), JsonReader.read(" [ \"\\u00e9\\t\\/\" ,\n0 , 12 ] "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[1,]", "{\"a\":}", "{\"a\" 1}", "\"open", "01", "+1", "nul", "[1] 2", "\"\\x\"",
        "{a: 1}", "1.e3", "\"\u0001\""})
    void shouldSayWhereATextIsNoJson(final String text)
    {
        final String message =
            assertThrows(IllegalArgumentException.class, () -> JsonReader.read(text)).getMessage();

        assertTrue(message.matches("(?s)JSON: expected .+ at character \\d+, (not \".+\"|where it ends)"), message);
    }
}
