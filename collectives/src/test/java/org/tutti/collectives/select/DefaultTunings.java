/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select;

import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.Collective;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** What other packages' tests must know of the table of defaults: they test what it says, whatever that is. */
public final class DefaultTunings
{
    private DefaultTunings()
    {
    }

    /** All windows that calls can get. */
    public static Set<Integer> windows()
    {
        return Algorithms.all().stream().flatMap((algorithm) -> Defaults.tuningsOf(algorithm).stream())
            .map(Tuning::window).collect(Collectors.toSet());
    }

    /** All lengths, in bytes, at which calls of a collective get another algorithm by default. */
    public static long[] boundaries(final Collective collective)
    {
        return lengths(Defaults.RULES.stream().filter((rule) -> rule.collective() == collective).map(Rule::range),
            LongStream.empty());
    }

    /** All lengths, in bytes, at which an algorithm gets another segment or window, or one segment becomes two. */
    public static long[] boundaries(final Algorithm algorithm)
    {
        final List<Tuning> tunings = Defaults.tuningsOf(algorithm);
        return lengths(
            tunings.stream().map(Tuning::range), tunings.stream().mapToLong(Tuning::segmentBytes));
    }

    private static long[] lengths(final Stream<ByteRange> ranges, final LongStream others)
    {
        return LongStream.concat(
            ranges.flatMapToLong((range) -> LongStream.of(range.min(), range.max())), others)
            .filter((bytes) -> bytes > 1 && bytes < Long.MAX_VALUE).sorted().distinct().toArray();
    }
}
