/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.rma;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.Window;
import org.tutti.collectives.comm.Ranks;

import java.util.Collections;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests that ranks report each other's calls when they disagree on creating or closing a window. */
@Timeout(60)
class WindowMismatchTest
{
    private static final Map<String, String> HALF_A_MINUTE = Map.of("TUTTI_TIMEOUT", "30s");

    @Test
    void shouldReportMismatchWhenWindowsDiffer()
    {
        try (Ranks ranks = Ranks.of(Collections.nCopies(3, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
                communicator.window(communicator.allocate(DataType.INT32, 1), communicator.rank() == 1 ? 3 : 4));
            requireAll(thrown, "window(int32, 3 signals) #0", "window(int32, 4 signals) #0");
        }
        try (Ranks ranks = Ranks.of(Collections.nCopies(2, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator -> communicator.window(
                communicator.allocate(communicator.rank() == 0 ? DataType.INT32 : DataType.FLOAT64, 1), 1));
            requireAll(thrown, "window(int32, 1 signal) #0", "window(double, 1 signal) #0");
        }
        try (Ranks ranks = Ranks.of(Collections.nCopies(2, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                if (communicator.rank() == 0)
                {
                    communicator.window(communicator.allocate(DataType.INT32, 1));
                }
                else
                {
                    communicator.dup();
                }
            });
            requireAll(thrown, "window(int32, 8 signals) #0", "dup #0");
        }
    }

    @Test
    void shouldReportMismatchWhenOneRankClosesWindow()
    {
        try (Ranks ranks = Ranks.of(Collections.nCopies(2, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                communicator.barrier();
                final Window window = communicator.window(communicator.allocate(DataType.INT32, 1));
                if (communicator.rank() == 0)
                {
                    window.close();
                }
                communicator.allreduce(new int[1], ReduceOp.SUM);
            });
            final Throwable seen = thrown.get(1);
            assertInstanceOf(CollectiveException.class, seen);
            assertTrue(thrown.stream().anyMatch(each -> each.getMessage().contains("close of window #1") &&
                each.getMessage().contains("allreduce(1 × int32, sum)")), thrown::toString);
        }
    }

    private static void requireAll(final List<Throwable> thrown, final String... parts)
    {
        assertFalse(thrown.contains(null));
        for (final String part : parts)
        {
            assertTrue(thrown.stream().anyMatch(each -> each.getMessage().contains("ranks disagree") &&
                each.getMessage().contains(part)), () -> part + ": " + thrown);
        }
    }
}
