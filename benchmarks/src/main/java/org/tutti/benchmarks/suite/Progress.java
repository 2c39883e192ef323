/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.io.PrintStream;
import java.time.Duration;

/**
 * Shows the progress of the suite: a bar in one line on a terminal, else a line for each run. Not thread-safe.
 */
final class Progress
{
    private static final int WIDTH = 24;
    private static final String CLEAR = "\r\033[K";

    private final PrintStream out;
    private final boolean isTerminal;
    private int total;
    private int done;
    private long spentNs;

    /**
     * Creates the display of a run.
     *
     * @param isTerminal whether a line can be overwritten.
     * @param total      number of runs.
     */
    Progress(final PrintStream out, final boolean isTerminal, final int total)
    {
        this.out = out;
        this.isTerminal = isTerminal;
        this.total = total;
    }

    /** Called when a run starts. */
    void begin(final String what)
    {
        final String text = line(done, total, what, spentNs);
        if (isTerminal)
        {
            out.print(CLEAR + text);
        }
        else
        {
            out.println(text);
        }
        out.flush();
    }

    /** Called when a run has ended. */
    void end(final Duration took)
    {
        done++;
        total = Math.max(total, done);
        spentNs += took.toNanos();
    }

    /** Adds a number of runs, which may be negative, to the total. */
    void add(final int runs)
    {
        total += runs;
    }

    /** Clears the line for other output. */
    void clear()
    {
        if (isTerminal)
        {
            out.print(CLEAR);
            out.flush();
        }
    }

    static String line(final int done, final int total, final String what, final long spentNs)
    {
        final int full = total == 0 ? WIDTH : Math.min(WIDTH, WIDTH * done / total);
        return "[" + "#".repeat(full) + "-".repeat(WIDTH - full) + "] " + done + "/" + total + " " + what +
            (done == 0 ? "" : ", " + left(Duration.ofNanos(spentNs / done * (total - done))));
    }

    private static String left(final Duration left)
    {
        final long seconds = left.toSeconds();
        return "about " + (seconds < 90 ? seconds + " s" : seconds < 5400 ? (seconds + 30) / 60 + " min" :
            (seconds + 1800) / 3600 + " h") + " left";
    }
}
