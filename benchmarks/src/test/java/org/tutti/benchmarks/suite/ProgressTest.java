/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ProgressTest
{
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Test
    void shouldShowProgressAndRemainingTime()
    {
        assertEquals("[------------------------] 0/40 allreduce", Progress.line(0, 40, "allreduce", 0));
        assertEquals("[######------------------] 10/40 allreduce, about 60 s left",
            Progress.line(10, 40, "allreduce", Duration.ofSeconds(20).toNanos()));
        assertEquals("[############------------] 20/40 x, about 10 min left",
            Progress.line(20, 40, "x", Duration.ofMinutes(10).toNanos()));
        assertEquals("[############------------] 1/2 x, about 2 h left",
            Progress.line(1, 2, "x", Duration.ofMinutes(130).toNanos()));
    }

    @Test
    void shouldWriteLinePerRunWithoutTerminal()
    {
        run(false);

        assertEquals(2, text().lines().count());
        assertFalse(text().contains("\r") || text().contains("\033"), text());
    }

    @Test
    void shouldOverwriteOneLineOnTerminal()
    {
        run(true);

        assertFalse(text().contains("\n"), text());
        assertTrue(text().endsWith("\r\033[K"), text());
    }

    @Test
    void shouldAddRepeatedRuns()
    {
        final Progress progress = progress(false);
        progress.add(2);
        progress.begin("x");

        assertTrue(text().contains("0/4"), text());
    }

    private void run(final boolean isTerminal)
    {
        final Progress progress = progress(isTerminal);
        for (int i = 0; i < 2; i++)
        {
            progress.begin("x");
            progress.end(Duration.ofSeconds(1));
        }
        progress.clear();
    }

    private Progress progress(final boolean isTerminal)
    {
        return new Progress(new PrintStream(out, false, StandardCharsets.UTF_8), isTerminal, 2);
    }

    private String text()
    {
        return out.toString(StandardCharsets.UTF_8);
    }
}
