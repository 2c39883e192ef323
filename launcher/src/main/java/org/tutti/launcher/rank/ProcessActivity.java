/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.rank;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.tutti.bootstrap.ProcessIdentity;
import org.tutti.bootstrap.ProcessState;

/**
 * Classifies the activity of a local process by the CPU time that its threads use between two samples. A sample is
 * costly, as it reads a file per thread: only for processes that other ranks wait for.
 */
final class ProcessActivity
{
    /**
     * Name prefixes of the JVM threads that run while all others are paused; the kernel truncates names to 15
     * characters.
     */
    private static final List<String> COLLECTORS =
        List.of("VM Thread", "GC Thread", "G1 ", "ZWorker", "ZDriver", "ZDirector", "Shenandoah");
    /** A process that uses less than this share of one core's time is idle, such as a rank that waits for others. */
    private static final double RUNNING_SHARE = 0.1;
    private static final double TICKS_PER_NS = 1e-7;
    /** Fields of proc_pid_stat(5), counted from the state. */
    private static final int USER_TIME = 11;
    private static final int SYSTEM_TIME = 12;

    private final ProcessIdentity process;
    private final Map<String, Long> ticks;
    private final long sampledNs = System.nanoTime();

    /**
     * Takes the first sample.
     *
     * @param process a process of this host.
     */
    ProcessActivity(final ProcessIdentity process)
    {
        this.process = process;
        ticks = ticksByThread(process.pid());
    }

    /**
     * Takes the second sample, preferably some tenths of a second after the first.
     *
     * @return the state of the process between the samples.
     */
    ProcessState state()
    {
        if (!process.isAlive())
        {
            return ProcessState.GONE;
        }
        if (process.isStopped())
        {
            return ProcessState.STOPPED;
        }
        long all = 0;
        long ofCollectors = 0;
        for (final Map.Entry<String, Long> thread : ticksByThread(process.pid()).entrySet())
        {
            final long used = thread.getValue() - ticks.getOrDefault(thread.getKey(), 0L);
            all += used;
            ofCollectors += isCollector(thread.getKey()) ? used : 0;
        }
        final boolean isRunning = all >= RUNNING_SHARE * TICKS_PER_NS * (System.nanoTime() - sampledNs);
        return !isRunning ? ProcessState.IDLE :
            2 * ofCollectors >= all ? ProcessState.COLLECTING : ProcessState.RUNNING;
    }

    private static boolean isCollector(final String thread)
    {
        final String name = thread.substring(thread.indexOf(' ') + 1);
        return COLLECTORS.stream().anyMatch(name::startsWith);
    }

    /** Returns the CPU time of each thread in ticks, by thread id and name. */
    private static Map<String, Long> ticksByThread(final long pid)
    {
        final Map<String, Long> result = new HashMap<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task")))
        {
            for (final Path thread : threads)
            {
                add(result, thread);
            }
        }
        catch (final IOException | DirectoryIteratorException ex)
        {
            // The process has ended, or access is denied: returns the threads read so far.
            return result;
        }
        return result;
    }

    private static void add(final Map<String, Long> result, final Path thread)
    {
        try
        {
            final String stat = Files.readString(thread.resolve("stat"));
            final int end = stat.lastIndexOf(')');
            final String[] fields = stat.substring(end + 2).split(" ", -1);
            result.put(thread.getFileName() + " " + stat.substring(stat.indexOf('(') + 1, end),
                Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[SYSTEM_TIME]));
        }
        catch (final IOException ex)
        {
            // The thread has ended in the meantime.
            return;
        }
    }
}
