/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select;

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
        return Defaults.TUNINGS.stream().map(Tuning::window).collect(Collectors.toSet());
    }

    /** All lengths, in bytes, at which algorithm, segment or window change, or one segment becomes two. */
    public static long[] boundaries()
    {
        final Stream<ByteRange> ranges = Stream.concat(
            Defaults.RULES.stream().map(Rule::range), Defaults.TUNINGS.stream().map(Tuning::range));
        return LongStream.concat(
            ranges.flatMapToLong((range) -> LongStream.of(range.min(), range.max())),
            Defaults.TUNINGS.stream().mapToLong(Tuning::segmentBytes))
            .filter((bytes) -> bytes > 1 && bytes < Long.MAX_VALUE).sorted().distinct().toArray();
    }
}
