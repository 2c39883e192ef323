/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.launcher.io.UsageException;

class RankSelectionTest
{
    private static final int SIZE = 40;

    @Property
    void shouldContainRanksAndRangesInAnyOrder(
        @ForAll @Size(min = 1, max = 8) final List<@IntRange(max = SIZE - 1) Integer> firsts,
        @ForAll @IntRange(max = 5) final int more)
    {
        final BitSet expected = new BitSet();
        final String list = firsts.stream().map(first ->
        {
            final int last = Math.min(SIZE - 1, first + more);
            expected.set(first, last + 1);
            return more == 0 ? first.toString() : first + "-" + last;
        }).collect(Collectors.joining(","));

        assertEquals(expected, RankSelection.parse("--show", list, SIZE));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "4   | 4          | there is no rank 4 in a job of 4 ranks: give ranks from 0 to 3, such as 0 or 0-3",
        "4   | 0-2,3-5    | there is no rank 5 in a job of 4 ranks: give ranks from 0 to 3, such as 0 or 0-3",
        "4   | 999999999  | there is no rank 999999999 in a job of 4 ranks: give ranks from 0 to 3, such as 0 or 0-3",
        "1   | 1          | there is no rank 1 in a job of 1 rank: give 0",
        "4   | 2-1        | the range 2-1 is empty: give ranks from 0 to 3, such as 0 or 0-3",
        "4   | 0,,1       | '' is not a rank or a range of ranks: give ranks from 0 to 3, such as 0 or 0-3",
        "4   | -1         | '-1' is not a rank or a range of ranks: give ranks from 0 to 3, such as 0 or 0-3",
        "4   | 1-         | '1-' is not a rank or a range of ranks: give ranks from 0 to 3, such as 0 or 0-3",
        "4   | all        | 'all' is not a rank or a range of ranks: give ranks from 0 to 3, such as 0 or 0-3",
        "4   | 9999999999 | '9999999999' is not a rank or a range of ranks: give ranks from 0 to 3, such as 0 or 0-3"})
    void shouldReportInvalidList(final int size, final String list, final String problem)
    {
        final UsageException error =
            assertThrows(UsageException.class, () -> RankSelection.parse("--show", list, size));

        assertEquals("invalid --show '" + list + "': " + problem, error.getMessage());
    }
}
