/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** Random programs of tagged sends and receives. */
@Timeout(120)
class MessageProgramTest
{
    private static final int PROGRAMS = 8;

    @ParameterizedTest
    @CsvSource({"2, 1", "3, 1", "4, 1", "2, 0", "4, 0"})
    void shouldDeliverEachMessageToTheReceiveThatMatchesIt(final int size, final String direct)
    {
        final long seed = ThreadLocalRandom.current().nextLong();
        System.out.println("seed " + seed);
        try (Ranks ranks = new Ranks(size, Map.of("TUTTI_DIRECT", direct)))
        {
            ranks.run(communicator ->
            {
                for (int i = 0; i < PROGRAMS; i++)
                {
                    new MessageProgram(communicator, seed + i).run();
                }
            });
        }
    }
}
