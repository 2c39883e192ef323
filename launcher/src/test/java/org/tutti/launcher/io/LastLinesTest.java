/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.List;

import org.junit.jupiter.api.Test;

class LastLinesTest
{
    @Test
    void shouldKeepLastNonEmptyLines()
    {
        final LastLines lines = new LastLines();
        final byte[] text = "a\n\nb\n".repeat(20).concat("x".repeat(1000)).getBytes(StandardCharsets.UTF_8);
        lines.add(text, 0, text.length);

        assertEquals(List.of("b", "a", "b", "a", "b", "a", "b", "x".repeat(240)), lines.lines());
    }
}
