/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Map;

/** Ranks of several hosts, as far as they know, on an RDMA device. */
@Tag("soft-roce")
class VerbsHierarchicalTest
{
    private static final long[] COUNTS = {1, 3000, 40_000};

    /** Over verbs it does the same as {@link VerbsMixedTest}, where few ranks are of a host. */
    @Test
    @Tag("torture")
    void shouldBeRightOverVerbs()
    {
        check("verbs");
    }

    @Test
    void shouldBeRightOverDisni()
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
