/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The times of a job's startup steps, relative to the start of this process, which is known to within 10 ms. */
final class StartupTimes
{
    private record StepTime(String step, long atNs)
    {
    }

    /** Field 22 of proc_pid_stat(5), counted from the field after the command's name. */
    private static final int START_TIME_FIELD = 22 - 3;
    private static final double TICKS_PER_SECOND = 100;
    private static final double NS_PER_SECOND = 1e9;

    private final List<StepTime> marks = new ArrayList<>();
    private final long mainNs;
    private int started;

    /** @param mainNs the time when this process reached main, by {@link System#nanoTime()}. */
    StartupTimes(final long mainNs)
    {
        this.mainNs = mainNs;
        marks.add(new StepTime("main reached", mainNs));
    }

    /** Records the completion of a step. */
    void mark(final String step)
    {
        marks.add(new StepTime(step, System.nanoTime()));
    }

    /** Records that the job is started again. */
    void restarted()
    {
        started = 0;
        mark("job restarted");
    }

    /** Records that one more rank was started. */
    void markStarted(final int size)
    {
        if (++started == size)
        {
            mark("all ranks started");
        }
    }

    @Override
    public String toString()
    {
        final long startNs = Math.min(System.nanoTime() - ageNs(), mainNs);
        final StringBuilder text = new StringBuilder();
        for (final StepTime mark : marks)
        {
            text.append(String.format("%ntutti: %7.1f ms  %s", (mark.atNs - startNs) / 1e6, mark.step));
        }
        return text.substring(System.lineSeparator().length());
    }

    /**
     * Returns the age of this process in nanoseconds, 0 if unknown. Java's own value drifts with the wall clock.
     */
    private static long ageNs()
    {
        try
        {
            final String stat = Files.readString(Path.of("/proc/self/stat"));
            final String uptime = Files.readString(Path.of("/proc/uptime"));
            final long startTicks =
                Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[START_TIME_FIELD]);
            final double uptimeS = Double.parseDouble(uptime.substring(0, uptime.indexOf(' ')));
            return (long)((uptimeS - startTicks / TICKS_PER_SECOND) * NS_PER_SECOND);
        }
        catch (final IOException ex)
        {
            return 0;
        }
    }
}
