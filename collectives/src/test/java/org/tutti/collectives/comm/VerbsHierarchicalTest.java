/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Map;

/** Ranks with the names of several hosts, on an RDMA device. */
@Tag("soft-roce")
class VerbsHierarchicalTest
{
    private static final long[] COUNTS = {1, 3000, 40_000};

    /** Over verbs, equivalent to {@link VerbsMixedTest} with few ranks per host. */
    @Test
    @Tag("torture")
    void shouldComputeCorrectlyOverVerbs()
    {
        check("verbs");
    }

    @Test
    @Tag("torture")
    void shouldComputeCorrectlyOverDisni()
    {
        check("disni");
    }

    private static void check(final String transport)
    {
        final Map<String, String> settings = Map.of("TUTTI_TRANSPORT", transport, "TUTTI_SCRATCH", "256K");
        try (Ranks ranks = HierarchicalTest.ranks("aabab", settings))
        {
            ranks.run(communicator -> HierarchicalTest.checkAll(communicator, COUNTS));
        }
    }
}
