/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * What has taken processors from a rank so far: the JVM's compilers, other processes, other ranks and, where this is a
 * virtual machine, its host. What the kernel does not tell counts as nothing.
 */
final class Disturbances
{
    private static final Path STATISTICS = Path.of("/proc/stat");
    /** Of the line of all processors, its name included: proc_stat(5). */
    private static final int STOLEN_FIELD = 8;
    /** USER_HZ, in which Linux tells processes all times, whatever it counts in itself. */
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final Path THREADS = Path.of("/proc/self/task");
    private static final Path OWN_THREAD = Path.of("/proc/thread-self");
    /** Of a thread's schedstat, in nanoseconds: how long it has run, and how long it has waited for a processor. */
    private static final int RUN_FIELD = 0;
    private static final int WAITED_FIELD = 1;
    /** HotSpot's names for them, as far as Linux keeps names. */
    private static final Set<String> COMPILERS = Set.of("C1 CompilerThre", "C2 CompilerThre");
    private static final long PAUSE_MS = 5;
    private static final int MOST_PAUSES = 40;
    private static final int BUSY_SHARE = 5;

    private Disturbances()
    {
    }

    /** Nanoseconds of a processor that compilers took, and that the host took of each. */
    static long takenNs()
    {
        return compiledNs() + stolenNs();
    }

    /**
     * What was taken, and for how long the calling thread has waited for a processor: for a rank that spins, behind
     * whatever else runs there, which may be another rank while Linux has both of them on one processor. Not for more
     * ranks than processors: they hand these over, and wait for them always. The time of a compiler behind
     * which this thread waited is in both sums: rather a row too many timed again than one too few.
     */
    static long lostNs()
    {
        return takenNs() + waitedNs();
    }

    static long waitedNs()
    {
        try
        {
            return field(OWN_THREAD, WAITED_FIELD);
        }
        catch (final IOException unreadable)
        {
            return 0;
        }
    }

    /**
     * Nanoseconds of processors that this JVM's compilers have run. What the JVM itself tells of its compilations
     * ({@link java.lang.management.CompilationMXBean}) it tells when they end, and one may outlast many a row.
     */
    static long compiledNs()
    {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS))
        {
            long sum = 0;
            for (final Path thread : threads)
            {
                sum += compiledNs(thread);
            }
            return sum;
        }
        catch (final IOException unreadable)
        {
            return 0;
        }
    }

    /** That of one thread of this process. */
    private static long compiledNs(final Path thread)
    {
        try
        {
            return COMPILERS.contains(Files.readString(thread.resolve("comm")).strip()) ? field(thread, RUN_FIELD) : 0;
        }
        catch (final IOException ended)
        {
            return 0;
        }
    }

    private static long field(final Path thread, final int index) throws IOException
    {
        return Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ", -1)[index]);
    }

    private static long stolenNs()
    {
        try
        {
            return stolenNs(Files.readString(STATISTICS));
        }
        catch (final IOException unreadable)
        {
            return 0;
        }
    }

    /** By what {@code /proc/stat} says: the mean over the processors. */
    static long stolenNs(final String statistics)
    {
        final String[] fields = statistics.lines().findFirst().orElse("").split(" +", -1);
        final long processors = statistics.lines().filter(line -> line.startsWith("cpu")).count() - 1;
        return fields.length <= STOLEN_FIELD || processors <= 0 ? 0 :
            Long.parseLong(fields[STOLEN_FIELD]) * TICK_NS / processors;
    }

    /**
     * Sleeps for as long as compilers work, and a fifth of a second at most: ranks that wait for each other leave them
     * hardly any of few cores.
     */
    static void leaveCores()
    {
        try
        {
            long before = 0;
            long compiled = compiledNs();
            for (int i = 0; i < MOST_PAUSES && (i == 0 || compiled - before > PAUSE_MS * 1_000_000 / BUSY_SHARE); i++)
            {
                Thread.sleep(PAUSE_MS);
                before = compiled;
                compiled = compiledNs();
            }
        }
        catch (final InterruptedException interrupted)
        {
            Thread.currentThread().interrupt();
        }
    }
}
