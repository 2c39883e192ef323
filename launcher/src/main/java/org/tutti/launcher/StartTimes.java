/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** When each part of a job's start was done, counted from the start of this process (known to 10 ms). */
final class StartTimes
{
    private record Mark(String part, long atNs)
    {
    }

    private final List<Mark> marks = new ArrayList<>();
    private final long mainNs;
    private int started;

    /** @param mainNs when this process reached main, by {@link System#nanoTime()}. */
    StartTimes(final long mainNs)
    {
        this.mainNs = mainNs;
        marks.add(new Mark("main reached", mainNs));
    }

    /** Notes that a part is done. */
    void mark(final String part)
    {
        marks.add(new Mark(part, System.nanoTime()));
    }

    /** Notes that one more rank was started. */
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
        final long nowNs = System.nanoTime();
        final Instant now = Instant.now();
        final long ageNs = Duration.between(ProcessHandle.current().info().startInstant().orElse(now), now).toNanos();
        final long startNs = Math.min(nowNs - ageNs, mainNs);
        final StringBuilder text = new StringBuilder();
        for (final Mark mark : marks)
        {
            text.append(String.format("%ntutti: %7.1f ms  %s", (mark.atNs - startNs) / 1e6, mark.part));
        }
        return text.substring(System.lineSeparator().length());
    }
}
