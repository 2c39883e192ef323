/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.rank;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The share of a host's memory and cores that the JVM of each rank gets by default. A JVM takes a quarter of the memory
 * as its heap, and a thread per core for garbage collection, as if it were alone: ranks that share a host together
 * exceed both.
 *
 * @param heapPercent the maximum heap, as a percentage of the memory of the host or container.
 * @param gcThreads   the number of threads for garbage collection.
 */
public record JvmShare(double heapPercent, int gcThreads)
{
    /** The JVM's default, which no rank exceeds. */
    private static final double MAX_PERCENT = 25;
    /** What the ranks of a host have together at most: the rest is for their buffers, code and threads. */
    private static final double TOTAL_PERCENT = 75;
    private static final String HEAP = "-XX:MaxRAMPercentage=";
    private static final String GC_THREADS = "-XX:ParallelGCThreads=";

    /**
     * Divides a host.
     *
     * @param ranks the number of ranks on the host, at least 1.
     * @param cores the number of cores for them, at least 1.
     * @return the share of each rank.
     */
    public static JvmShare of(final int ranks, final int cores)
    {
        return new JvmShare(Math.min(MAX_PERCENT, TOTAL_PERCENT / ranks), Math.max(1, cores / ranks));
    }

    /**
     * Returns the options of a rank's JVM. None if the rank is alone on its host.
     *
     * @param variables the environment of the rank, in addition to that of this process.
     * @param cores     the number of cores for the ranks of this host.
     * @return the options, without those that the environment sets: a JVM prefers its command line to these variables.
     */
    static List<String> options(final Map<String, String> variables, final int cores)
    {
        final int ranks = RankVariables.localSize(variables);
        if (ranks == 1)
        {
            return List.of();
        }
        final List<String> chosen = Stream.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS")
            .map(name -> variables.getOrDefault(name, System.getenv().getOrDefault(name, ""))).toList();
        final JvmShare share = of(ranks, cores);
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
