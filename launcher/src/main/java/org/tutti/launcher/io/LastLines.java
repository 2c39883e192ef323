/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.io;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The last lines that a rank wrote to stdout and stderr, for its failure report. Thread-safe. */
public final class LastLines
{
    private static final int LINES = 8;
    private static final int WIDTH = 240;

    private final byte[][] lines = new byte[LINES][WIDTH];
    private final int[] lengths = new int[LINES];
    private long count;

    /**
     * Adds lines.
     *
     * @param bytes the array that contains the lines.
     * @param from  the index of the first byte.
     * @param to    the index after the last byte.
     */
    public synchronized void add(final byte[] bytes, final int from, final int to)
    {
        int start = from;
        for (int i = from; i < to; i++)
        {
            if (bytes[i] == '\n')
            {
                addLine(bytes, start, i);
                start = i + 1;
            }
        }
        if (start < to)
        {
            addLine(bytes, start, to);
        }
    }

    /**
     * Adds a line of the launcher.
     *
     * @param line the line, without its newline.
     */
    public void add(final String line)
    {
        final byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        add(bytes, 0, bytes.length);
    }

    private void addLine(final byte[] bytes, final int from, final int to)
    {
        if (from == to)
        {
            return;
        }
        final int slot = (int)(count++ % LINES);
        lengths[slot] = Math.min(WIDTH, to - from);
        System.arraycopy(bytes, from, lines[slot], 0, lengths[slot]);
    }

    /**
     * Returns the last lines, without empty ones.
     *
     * @return the lines, oldest first, each truncated to 240 bytes.
     */
    public synchronized List<String> lines()
    {
        final List<String> result = new ArrayList<>();
        for (long i = Math.max(0, count - LINES); i < count; i++)
        {
            final int slot = (int)(i % LINES);
            result.add(new String(lines[slot], 0, lengths[slot], StandardCharsets.UTF_8));
        }
        return result;
    }
}
