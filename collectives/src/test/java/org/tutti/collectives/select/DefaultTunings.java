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

/** Gives tests of other packages access to the table of defaults, so that they cover its current values. */
public final class DefaultTunings
{
    private DefaultTunings()
    {
    }

    /** Returns all windows that calls can use. */
    public static Set<Integer> windows()
    {
        return Stream.concat(Stream.of(LinkTunings.WINDOW),
            Algorithms.all().stream().flatMap((algorithm) -> tuningsOf(algorithm).stream())
            .map(Tuning::window)).collect(Collectors.toSet());
    }

    /** Returns all lengths in bytes at which the default algorithm of a collective changes. */
    public static long[] boundaries(final Collective collective)
    {
        return lengths(Defaults.RULES.stream().filter((rule) -> rule.collective() == collective).map(Rule::range),
            LongStream.empty());
    }

    /**
     * Returns all lengths in bytes at which the segment or window of an algorithm changes, or one segment becomes two.
     */
    public static long[] boundaries(final Algorithm algorithm)
    {
        final List<Tuning> tunings = tuningsOf(algorithm);
        return lengths(
            tunings.stream().map(Tuning::range), tunings.stream().mapToLong(Tuning::segmentBytes));
    }

    private static List<Tuning> tuningsOf(final Algorithm algorithm)
    {
        final List<Tuning> tunings =
            Defaults.TUNINGS.stream().filter((tuning) -> tuning.algorithm().equals(algorithm)).toList();
        return tunings.isEmpty() ? List.of(Defaults.untuned(algorithm)) : tunings;
    }

    private static long[] lengths(final Stream<ByteRange> ranges, final LongStream others)
    {
        return LongStream.concat(
            ranges.flatMapToLong((range) -> LongStream.of(range.min(), range.max())), others)
            .filter((bytes) -> bytes > 1 && bytes < Long.MAX_VALUE).sorted().distinct().toArray();
    }
}
