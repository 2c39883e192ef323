/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tutti.collectives.PersistentRequest;

import java.util.List;
import java.util.Map;
import java.util.Random;

/** All calls with all algorithms that do not access peers' memory, on an RDMA device. */
@Tag("soft-roce")
class VerbsEveryAlgorithmTest
{
    private static final int ROUNDS = 2;
    /**
     * In every build, VerbsMixedTest sends short messages over the device, and EveryAlgorithmTest makes all calls, in
     * place and not.
     */
    private static final boolean IS_WHOLE = Boolean.getBoolean("tutti.test.torture");

    @Test
    void shouldComputeCorrectlyWithEveryAlgorithmOverVerbs()
    {
        check("verbs", "aab");
    }

    @Test
    @Tag("torture")
    void shouldComputeCorrectlyWithEveryAlgorithmOverDisni()
    {
        check("disni", "aabb");
    }

    private static void check(final String transport, final String hosts)
    {
        final Map<String, String> settings = AllAlgorithms.settings(transport);
        try (Ranks ranks = HierarchicalTest.ranks(hosts, settings))
        {
            AllAlgorithms.check(ranks, settings, IS_WHOLE);
        }
    }

    @Test
    @Tag("torture")
    void shouldExecutePersistentCallsAndGroupsOverVerbs()
    {
        executePersistentCallsAndGroups("verbs");
    }

    /** Over disni, by which the other tests of every build make few calls. */
    @Test
    void shouldExecutePersistentCallsAndGroupsOverDisni()
    {
        executePersistentCallsAndGroups("disni");
    }

    /** Uses the default algorithms. */
    private static void executePersistentCallsAndGroups(final String transport)
    {
        final long seed = Long.getLong("tutti.test.seed", System.nanoTime());
        System.out.println("seed " + seed);
        final Map<String, String> settings = Map.of("TUTTI_TRANSPORT", transport, "TUTTI_SCRATCH", "64K");
        try (Ranks ranks = HierarchicalTest.ranks("aab", settings))
        {
            ranks.run(communicator ->
            {
                final List<RequestCase> cases = RequestCase.all(communicator, 1);
                final List<PersistentRequest> requests = cases.stream().map(RequestCase::init).toList();
                for (int round = 0; round < ROUNDS; round++)
                {
                    final long salt = round;
                    cases.forEach(aCase -> aCase.fill(salt));
                    requests.forEach(PersistentRequest::start);
                    requests.reversed().forEach(PersistentRequest::await);
                    cases.forEach(RequestCase::requireSameAsBlocking);
                }
                requests.forEach(PersistentRequest::close);
                cases.forEach(RequestCase::close);
                GroupTest.checkRandomGroup(
                    communicator, new Random(seed), new Random(seed + communicator.rank()));
            });
        }
    }

    @Test
    @Tag("torture")
    void shouldProduceTheSameBitsOverAllTransportsWhenReproducible()
    {
        requireSameBits("aaa", "aba", "aab");
    }

    @Test
    @Tag("torture")
    void shouldProduceTheSameBitsOfFourRanksOverAllTransportsWhenReproducible()
    {
        requireSameBits("aaaa", "abab", "aabb");
    }

    private static void requireSameBits(final String shm, final String verbs, final String mixed)
    {
        final long seed = Long.getLong("tutti.test.seed", System.nanoTime());
        ReproducibleCases.requireSameBits(List.of(
            job(shm, "shm", "4M"), job(verbs, "verbs", "64K"), job(mixed, "shm+verbs", "256K")), seed);
    }

    /** The size of scratch memory does not affect the bits. */
    private static ReproducibleCases.Job job(final String hosts, final String transport, final String scratch)
    {
        return new ReproducibleCases.Job(
            hosts, Map.of("TUTTI_TRANSPORT", transport, "TUTTI_SCRATCH", scratch, "TUTTI_REPRODUCIBLE", "1"));
    }
}
