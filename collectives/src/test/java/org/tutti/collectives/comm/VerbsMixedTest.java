/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.Map;
import java.util.stream.Stream;

/** Ranks with the names of two hosts: shared memory within a host, an RDMA device between them. */
@Tag("soft-roce")
class VerbsMixedTest
{
    private static final boolean IS_TORTURE = Boolean.getBoolean("tutti.test.torture");
    private static final int CALLS = IS_TORTURE ? 30 : 10;
    /** None in other runs: VerbsEveryAlgorithmTest makes the same calls over the device, MixedTest over both. */
    private static final long[] COUNTS = IS_TORTURE ? new long[] {1, 40_000} : new long[0];

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
        final String hosts = IS_TORTURE ? "aabb" : "aab";
        try (Ranks ranks = MixedCases.ranks(hosts, far, Map.of()))
        {
            MixedCases.checkWays(ranks, hosts, far);
            ranks.run(communicator -> HierarchicalTest.checkAll(communicator, COUNTS));
            MixedCases.callAtRandom(ranks, seed, CALLS);
            MixedCases.sendAndPut(ranks, seed);
            MixedCases.wakeBothWays(ranks);
        }
    }

    /** MixedTest breaks a connection of shared memory in every build. */
    static Stream<Arguments> broken()
    {
        final Stream<Arguments> few = Stream.of(Arguments.of("abab", "verbs"));
        return !IS_TORTURE ? few : Stream.concat(few, Stream.of(Arguments.of("aabb", "shm")));
    }

    @ParameterizedTest
    @MethodSource("broken")
    void shouldNameTheBrokenConnectionAndItsTransport(final String hosts, final String transport)
    {
        try (Ranks ranks = MixedCases.ranks(hosts, "verbs", MixedCases.shortRetrySettings()))
        {
            MixedCases.nameWhatBroke(ranks, transport);
        }
    }
}
