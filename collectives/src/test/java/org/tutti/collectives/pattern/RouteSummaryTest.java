/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

class RouteSummaryTest
{
    /** {@code devices} has a letter for each rank's device. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "0 | aa       | rank 0 reaches rank 1 via a",
        "0 | aabb     | rank 0 reaches rank 1 via a, ranks 2-3 via b",
        "0 | abababb  | rank 0 reaches ranks 1, 3, 5-6 via b, ranks 2, 4 via a",
        "2 | aaaab    | rank 2 reaches ranks 0-1, 3 via a, rank 4 via b"})
    void shouldListRanksByDevice(final int self, final String devices, final String text)
    {
        assertEquals(text, RouteSummary.text(self, devices.length(), rank -> devices.substring(rank, rank + 1)));
    }
}
