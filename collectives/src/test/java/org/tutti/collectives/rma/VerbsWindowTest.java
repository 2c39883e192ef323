/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.rma;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tutti.collectives.comm.Ranks;
import org.tutti.collectives.device.QueueSizes;

import java.util.Collections;
import java.util.Map;

/** Tests windows on an RDMA device: puts and gets, signals ordered after data, and queues that do not overflow. */
@Tag("soft-roce")
class VerbsWindowTest
{
    @Test
    void shouldPutGetAndSignalOverVerbs()
    {
        putGetAndSignal("verbs");
    }

    /** Windows post the same requests over both; DisniContractTest executes these in every build. */
    @Test
    @Tag("torture")
    void shouldPutGetAndSignalOverDisni()
    {
        putGetAndSignal("disni");
    }

    private static void putGetAndSignal(final String transport)
    {
        final Map<String, String> settings = Map.of("TUTTI_TRANSPORT", transport, "TUTTI_SCRATCH", "64K");
        try (Ranks ranks = Ranks.of(Collections.nCopies(3, settings)))
        {
            ranks.run(communicator ->
            {
                WindowCases.putIntoAll(communicator, 1_000);
                WindowCases.getFromAll(communicator, 1_000);
            });
        }
        try (Ranks ranks = Ranks.of(Collections.nCopies(2, settings)))
        {
            ranks.run(communicator ->
            {
                WindowCases.passBackAndForth(communicator, 1, 60);
                // Many packets: the signal must not be visible before the last of them.
                WindowCases.passBackAndForth(communicator, 100_003, 20);
                WindowCases.startMany(communicator, 4 * QueueSizes.SEND_DEPTH + 7);
                WindowCases.callFromManyThreads(communicator, 8);
            });
        }
    }
}
