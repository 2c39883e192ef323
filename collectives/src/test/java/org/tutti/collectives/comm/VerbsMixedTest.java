/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Map;

/** Ranks with the names of two hosts: shared memory within a host, an RDMA device between them. */
@Tag("soft-roce")
class VerbsMixedTest
{
    private static final int CALLS = 30;

    @Test
    void shouldUseSharedMemoryWithinAHostAndTheDeviceBetweenHosts()
    {
        checkEverything("verbs");
    }

    @Test
    @Tag("torture")
    void shouldUseSharedMemoryWithinAHostAndDisniBetweenHosts()
    {
        checkEverything("disni");
    }

    private static void checkEverything(final String far)
    {
        final long seed = Long.getLong("tutti.test.seed", System.nanoTime());
        System.out.println("seed " + seed);
        final String hosts = "aabb";
        try (Ranks ranks = MixedCases.ranks(hosts, far, Map.of()))
        {
            MixedCases.checkWays(ranks, hosts, far);
            ranks.run(communicator -> HierarchicalTest.checkAll(communicator, new long[] {1, 40_000}));
            MixedCases.callAtRandom(ranks, seed, CALLS);
            MixedCases.sendAndPut(ranks, seed);
            MixedCases.wakeBothWays(ranks);
        }
    }

    @ParameterizedTest
    @CsvSource({"aabb, shm", "abab, verbs"})
    void shouldNameTheBrokenConnectionAndItsTransport(final String hosts, final String transport)
    {
        try (Ranks ranks = MixedCases.ranks(hosts, "verbs", MixedCases.shortRetrySettings()))
        {
            MixedCases.nameWhatBroke(ranks, transport);
        }
    }
}
