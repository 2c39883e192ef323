/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

/** Tests processes with a low limit of open files. */
class OpenFilesTest
{
    private static String output(final int limit, final int rank, final int size) throws Exception
    {
        final Map<String, String> environment = new HashMap<>(Map.of(
            "RANK", Integer.toString(rank), "WORLD_SIZE", Integer.toString(size), "MASTER_ADDR", "127.0.0.1",
            "MASTER_PORT", Integer.toString(UdpPorts.free()), "TUTTI_SECRET", "a secret"));
        return RankProcesses.output(RankProcesses.start(
            List.of("sh", "-c", "ulimit -n " + limit + "; exec \"$@\"", "sh"),
            System.getProperty("java.class.path"), RankMain.class, environment, "barrier"));
    }

    @Test
    void shouldReportLimitWhenRankNeedsMoreOpenFiles() throws Exception
    {
        final String output = output(36, 1, 2);

        assertTrue(output.matches("error: rank 1 needs 32 more open files, but the limit is 36 \\(ulimit -n\\) and " +
            "\\d+ are open: set 'ulimit -n \\d+' or more before the start\n"), output);
    }

    @Test
    void shouldReportLimitWhenCoordinatorNeedsMoreOpenFiles() throws Exception
    {
        final String output = output(96, 0, 1000);

        assertTrue(output.matches("error: the coordinator of job 'job-\\d+' with 1000 ranks needs 1012 more open " +
            "files, but the limit is 96 \\(ulimit -n\\) and \\d+ are open: set 'ulimit -n \\d+' or more before " +
            "the start\n"), output);
    }
}
