/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

class RoutesTest
{
    /** A letter for each rank's way. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "0 | aa       | rank 0 reaches rank 1 by a",
        "0 | aabb     | rank 0 reaches rank 1 by a, ranks 2-3 by b",
        "0 | abababb  | rank 0 reaches ranks 1, 3, 5-6 by b, ranks 2, 4 by a",
        "2 | aaaab    | rank 2 reaches ranks 0-1, 3 by a, rank 4 by b"})
    void shouldNameTheRanksOfEachWay(final int self, final String ways, final String text)
    {
        assertEquals(text, Routes.text(self, ways.length(), rank -> ways.substring(rank, rank + 1)));
    }
}
