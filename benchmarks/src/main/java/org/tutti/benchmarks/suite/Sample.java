/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.util.List;
import java.util.SortedMap;

/**
 * One run of one peer.
 *
 * @param round        index of the round, from 1.
 * @param peer         label of the peer.
 * @param coreToCoreNs core-to-core latency in nanoseconds, the greater of those measured before and after the run; 0 if
 *                     there is only one core.
 * @param timesUs      microseconds by row, as in {@link PeerOutput}.
 */
record Sample(int round, String peer, int coreToCoreNs, SortedMap<Long, Double> timesUs)
{
    /**
     * Maximum ratio of a counted run's core-to-core latency to the lowest of all runs. The latencies of near and of far
     * cores differ by a factor of four.
     */
    private static final double NEAR = 1.5;

    /** The runs whose core-to-core latency is near the lowest of all runs. */
    static List<Sample> near(final List<Sample> all)
    {
        final int least = all.stream().mapToInt(Sample::coreToCoreNs).min().orElse(0);
        return all.stream().filter(sample -> sample.coreToCoreNs <= NEAR * least).toList();
    }

    /** Number of runs of a peer. */
    static long count(final List<Sample> of, final String peer)
    {
        return of.stream().filter(sample -> sample.peer.equals(peer)).count();
    }
}
