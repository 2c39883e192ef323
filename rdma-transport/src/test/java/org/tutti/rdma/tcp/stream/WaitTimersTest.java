/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

class WaitTimersTest
{
    /** The exponents are the default of ranks, one of ranks that should fail early, and the maximum. */
    @ParameterizedTest
    @CsvSource({"14, 7, false, 17179", "14, 7, true, 2000", "18, 7, true, 8589", "8, 1, false, 2000",
        "8, 1, true, 2000", "31, 7, false, 2251799813"})
    void shouldGiveConnectionsMoreTimeThanPacketsUnlessRefused(
        final int timeout, final int retryCount, final boolean isRefused, final long limitMs)
    {
        assertEquals(limitMs, WaitTimers.connectLimitNs(timeout, retryCount, isRefused) / 1_000_000);
    }
}
