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
 * Processor time taken from this rank so far: by the JVM's compilers, other processes, other ranks and, in a virtual
 * machine, the host. What the kernel does not report counts as 0.
 */
final class ProcessorTimeLoss
{
    private static final Path STATISTICS = Path.of("/proc/stat");
    /** Index of the steal time in the first line of /proc/stat, whose field 0 is the name: proc_stat(5). */
    private static final int STOLEN_FIELD = 8;
    /** Period of USER_HZ, the unit of times in /proc, independent of the kernel's own HZ. */
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final Path THREADS = Path.of("/proc/self/task");
    private static final Path OWN_THREAD = Path.of("/proc/thread-self");
    /** Index of the run time in a thread's schedstat, in nanoseconds; the next field is the run-queue wait. */
    private static final int RUN_FIELD = 0;
    private static final int WAITED_FIELD = 1;
    /** Names of HotSpot's compiler threads, truncated to 15 characters as Linux does. */
    private static final Set<String> COMPILERS = Set.of("C1 CompilerThre", "C2 CompilerThre");
    private static final long PAUSE_MS = 5;
    private static final int MOST_PAUSES = 40;
    private static final int BUSY_SHARE = 5;

    private ProcessorTimeLoss()
    {
    }

    /** Processor nanoseconds that the compilers took, plus the mean steal time of a processor. */
    static long takenNs()
    {
        return compiledNs() + stolenNs();
    }

    /**
     * As {@link #takenNs}, plus the time that the calling thread was ready to run but waited for a processor, for
     * example while Linux ran another rank on the same processor. Not to be used with more ranks than processors: such
     * ranks always wait for each other. Compiler time that delayed this thread counts twice: repeating a row without
     * need is better than keeping a disturbed one.
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
     * Processor nanoseconds used by the JVM's compilers. {@link java.lang.management.CompilationMXBean} reports a
     * compilation only when it ends, and a compilation may outlast many rows.
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

    /** Run time of a thread of this process in nanoseconds if it is a compiler thread, else 0. */
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

    /** Mean steal time of a processor in nanoseconds, computed from the text of {@code /proc/stat}. */
    static long stolenNs(final String statistics)
    {
        final String[] fields = statistics.lines().findFirst().orElse("").split(" +", -1);
        final long processors = statistics.lines().filter(line -> line.startsWith("cpu")).count() - 1;
        return fields.length <= STOLEN_FIELD || processors <= 0 ? 0 :
            Long.parseLong(fields[STOLEN_FIELD]) * TICK_NS / processors;
    }

    /**
     * Sleeps while compilers run, for at most 200 ms: ranks that spin on few cores leave the compilers hardly any time.
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
