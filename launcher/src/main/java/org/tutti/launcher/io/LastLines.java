/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.io;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The last lines that a rank wrote, on whichever stream, for the report of its failure. Fed by both of its pumps. */
public final class LastLines
{
    private static final int LINES = 8;
    private static final int WIDTH = 240;

    private final byte[][] lines = new byte[LINES][WIDTH];
    private final int[] lengths = new int[LINES];
    private long count;

    /** Takes the lines in {@code bytes[from, to)}. */
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

    /** Takes a line of the launcher's own. */
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

    /** The lines, oldest first, each cut to a width that a terminal shows; empty ones are left out. */
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
