/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

import org.junit.jupiter.api.Test;

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
              "name": "a\\"b\\\\c\\u000a",
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
}
