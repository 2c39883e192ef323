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
 * What a process of this host does, by the processor time that its threads use between two samples. For processes that
 * others wait for: a sample reads a file of each thread.
 */
final class ProcessActivity
{
    /** Names of the JVM's threads that are at work while all others are paused, cut to 15 characters by the kernel. */
    private static final List<String> COLLECTORS =
        List.of("VM Thread", "GC Thread", "G1 ", "ZWorker", "ZDriver", "ZDirector", "Shenandoah");
    /** Of a processor's time; a rank that waits for others uses less between its calls. */
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
     * Takes the second sample, best some tenths of a second after the first.
     *
     * @return what the process has done in between.
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

    /** By number and name of the thread. */
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
            // It has ended, or may not be looked at: what was read counts.
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
            // A thread that has ended meanwhile.
            return;
        }
    }
}
