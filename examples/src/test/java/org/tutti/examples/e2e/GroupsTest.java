/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests concurrent communicators between processes. */
@Execution(ExecutionMode.CONCURRENT)
class GroupsTest
{
    private static final int GROUPS = 5;

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4})
    void shouldComputeCorrectResultsInConcurrentCommunicators(final int ranks) throws Exception
    {
        final long seed = System.nanoTime();
        try (TuttiJob job = TuttiJob.start(ranks, List.of(), GroupsTarget.class, Long.toString(seed), "-1"))
        {
            final int exitCode = job.await(120_000);

            final String output = "seed " + seed + "\n" + job.output();
            assertEquals(0, exitCode, output);
            for (int rank = 0; rank < ranks; rank++)
            {
                assertEquals(GROUPS, output.split("rank " + rank + " is right", -1).length - 1, output);
            }
            assertEquals(List.of(), job.sharedMemory());
        }
    }

    @Test
    void shouldFailInAllCommunicatorsWhenARankDies() throws Exception
    {
        final int ranks = 3;
        final long seed = System.nanoTime();
        try (TuttiJob job = TuttiJob.start(
            ranks, List.of("--grace", "120s"), GroupsTarget.class, Long.toString(seed), "1"))
        {
            final int exitCode = job.await(60_000);

            final String output = "seed " + seed + "\n" + job.output();
            assertEquals(3, exitCode, output);
            for (final int rank : new int[]{0, 2})
            {
                final long raised = output.lines()
                    .filter(line -> line.contains("rank " + rank + " raised: ") && line.contains("failed: rank 1 "))
                    .count();
                final long alone = output.lines().filter(line -> line.contains("rank " + rank + " is alone")).count();
                assertEquals(GROUPS, raised + alone, output);
                assertTrue(raised >= 2, output);
            }
            assertEquals(List.of(), job.remaining(20_000));
            assertEquals(List.of(), job.sharedMemory());
        }
    }
}
