/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

/** Ranks of several hosts, as far as they know, on an RDMA device. */
@Tag("soft-roce")
class VerbsHierarchicalTest
{
    private static final long[] COUNTS = {1, 3000, 40_000};

    @ParameterizedTest
    @ValueSource(strings = {"verbs", "disni"})
    void shouldBeRightOnAnRdmaDevice(final String transport)
    {
        final Map<String, String> settings = Map.of("TUTTI_TRANSPORT", transport, "TUTTI_SCRATCH", "256K");
        try (Ranks ranks = HierarchicalTest.ranks("aabab", settings))
        {
            ranks.run(communicator -> HierarchicalTest.checkAll(communicator, COUNTS));
        }
    }
}
