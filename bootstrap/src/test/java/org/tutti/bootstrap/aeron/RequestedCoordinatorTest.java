/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.Bootstraps;
import org.tutti.bootstrap.Hosts;
import org.tutti.bootstrap.JobDirectory;

class RequestedCoordinatorTest
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "1 | rank 1 on HOST (pid PID) failed: its process PID ended",
        "-1 | the job was ended: lost the coordinator: its process PID ended"})
    void shouldReportLostCoordinatorAsItsRank(final int rank, final String message) throws Exception
    {
        final String address = "127.0.0.1:" + UdpPorts.free();
        final Process coordinator =
            RankProcesses.start(CoordinatorMain.class, Map.of(), Integer.toString(rank), address);
        try
        {
            RankProcesses.awaitLine(coordinator, "ready");
            final CompletableFuture<Bootstrap> joining = CompletableFuture.supplyAsync(() -> join(1, address));
            try (Bootstrap first = join(0, address); Bootstrap second = joining.get(1, TimeUnit.MINUTES))
            {
                coordinator.destroyForcibly();

                final String expected = message.replace("HOST", Hosts.local())
                    .replace("PID", Long.toString(coordinator.pid()));
                for (final Bootstrap member : List.of(first, second))
                {
                    assertEquals(expected, assertThrows(BootstrapException.class,
                        () -> member.await("never", TIMEOUT_NS)).getMessage());
                }
            }
        }
        finally
        {
            coordinator.destroyForcibly().waitFor();
            JobDirectory.removeStale(JobDirectory.base());
        }
    }

    private static Bootstrap join(final int rank, final String address)
    {
        return Bootstraps.fromEnvironment(Map.of("tutti.rank", Integer.toString(rank), "tutti.size", "2",
            "tutti.coordinator", address, "tutti.secret", CoordinatorMain.SECRET));
    }
}
