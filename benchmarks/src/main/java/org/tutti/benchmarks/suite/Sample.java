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
 * @param round      index of the round, from 1.
 * @param peer       label of the peer.
 * @param distanceNs nanoseconds from core to core, the greater of before and after; 0 where there is one core.
 * @param timesUs    microseconds by size in bytes.
 */
record Sample(int round, String peer, int distanceNs, SortedMap<Long, Double> timesUs)
{
    /** How much farther than the nearest a run may be to count: between far and near lies a factor of four. */
    private static final double NEAR = 1.5;

    /** Those that had their processors about as near to each other as any run had. */
    static List<Sample> near(final List<Sample> all)
    {
        final int least = all.stream().mapToInt(Sample::distanceNs).min().orElse(0);
        return all.stream().filter(sample -> sample.distanceNs <= NEAR * least).toList();
    }

    /** How many runs a peer has among these. */
    static long count(final List<Sample> of, final String peer)
    {
        return of.stream().filter(sample -> sample.peer.equals(peer)).count();
    }
}
