/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.rank;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.stream.Stream;

/**
 * The share of a host's memory and cores that the JVM of each rank gets by default. A JVM takes a quarter of the memory
 * as its heap, and a thread per core for garbage collection, as if it were alone: ranks that share a host together
 * exceed both. Where a control group limits the memory, all heaps together take less of it: the kernel counts the files
 * in {@code /dev/shm} against the limit, and kills a process if the limit is exceeded.
 *
 * @param heapPercent the maximum heap, as a percentage of the memory of the host or container.
 * @param gcThreads   the number of threads for garbage collection.
 */
public record JvmShare(double heapPercent, int gcThreads)
{
    /** The JVM's default, which no rank exceeds. */
    private static final double MAX_PERCENT = 25;
    /** What the heaps of a host's ranks take together at most: the rest is for their buffers, code and threads. */
    static final int HOST_PERCENT = 75;
    /** The same of a memory limit. */
    static final int LIMIT_PERCENT = 50;
    private static final String HEAP = "-XX:MaxRAMPercentage=";
    private static final String GC_THREADS = "-XX:ParallelGCThreads=";

    /**
     * Divides a host.
     *
     * @param ranks        the number of ranks on the host, at least 1.
     * @param cores        the number of cores for them, at least 1.
     * @param totalPercent the maximum of all heaps together, as a percentage of the memory.
     * @return the share of each rank.
     */
    public static JvmShare of(final int ranks, final int cores, final int totalPercent)
    {
        return new JvmShare(Math.min(MAX_PERCENT, (double)totalPercent / ranks), Math.max(1, cores / ranks));
    }

    /**
     * Returns what the heaps of the ranks on this host may take together.
     *
     * @return a percentage of the memory of the host or, if lower, of the limit of this process's control group.
     */
    public static int totalPercent()
    {
        return MemoryLimit.isSet() ? LIMIT_PERCENT : HOST_PERCENT;
    }

    /**
     * Returns the options of a rank's JVM. None if the rank is alone on its host.
     *
     * @param variables the environment of the rank, in addition to that of this process.
     * @param cores     the number of cores for the ranks of this host.
     * @param percent   supplies the maximum of all heaps together, as a percentage of the memory.
     * @return the options, without those that the environment sets: a JVM prefers its command line to these variables.
     */
    static List<String> options(
        final Map<String, String> variables, final int cores, final IntSupplier percent)
    {
        final int ranks = RankVariables.localSize(variables);
        if (ranks == 1)
        {
            return List.of();
        }
        final List<String> chosen = Stream.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS")
            .map(name -> variables.getOrDefault(name, System.getenv().getOrDefault(name, ""))).toList();
        final JvmShare share = of(ranks, cores, percent.getAsInt());
        final List<String> options = new ArrayList<>(List.of(
            HEAP + share.heapPercent, GC_THREADS + share.gcThreads));
        options.removeIf(option ->
        {
            final String name = option.substring(0, option.indexOf('=') + 1);
            return chosen.stream().anyMatch(text -> text.contains(name));
        });
        return options;
    }

    @Override
    public String toString()
    {
        return "heap of at most " + String.format(Locale.ROOT, "%.3g", heapPercent) + " % of the memory, " + gcThreads +
            (gcThreads == 1 ? " GC thread" : " GC threads");
    }
}
