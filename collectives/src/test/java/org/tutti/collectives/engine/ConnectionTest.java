/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.junit.jupiter.api.Test;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

import java.time.Duration;
import java.util.List;
import java.util.Map;

class ConnectionTest
{
    /** What a wr_id has room for. */
    private static final long ORDINALS = 1L << 40;

    @Test
    void shouldGoOnWhenOrdinalsWrapInWorkRequestIds()
    {
        try (Ranks ranks = Ranks.of(List.of(Map.of(), Map.of())))
        {
            ranks.mesh(0).connections()[1].startAt(ORDINALS - 100);
            ranks.mesh(1).connections()[0].startAt(3 * ORDINALS - 1);

            ranks.run(communicator ->
            {
                final DataBuffer buffer = communicator.allocate(DataType.INT32, 10_000);
                for (int i = 0; i < 300; i++)
                {
                    communicator.withTimeout(Duration.ofSeconds(20)).barrier();
                    communicator.withTimeout(Duration.ofSeconds(20)).allreduce(buffer, ReduceOp.MAX);
                }
            });
        }
    }
}
