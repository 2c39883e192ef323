/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.collectives.Communicator;

import java.util.Collections;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Incompatible ranks on an RDMA device. */
@Tag("soft-roce")
class VerbsConnectTest
{
    /** Each rank gets one error, and the device can be used afterwards. */
    @ParameterizedTest
    @ValueSource(strings = {"verbs", "disni"})
    void shouldNameTheRankWithAnotherVersion(final String transport) throws Exception
    {
        final byte version = 9;
        final Map<String, String> settings = Map.of("TUTTI_TRANSPORT", transport, "TUTTI_SCRATCH", "64K");

        assertEquals("rank 1: a peer sent an endpoint record of version 9, this is version 8: run the same version " +
            "of Tutti on all hosts", ConnectTest.refusal(record ->
            {
                record[6] = version;
                return record;
            }, settings));

        try (Ranks ranks = Ranks.of(Collections.nCopies(2, settings)))
        {
            ranks.run(Communicator::barrier);
        }
    }
}
