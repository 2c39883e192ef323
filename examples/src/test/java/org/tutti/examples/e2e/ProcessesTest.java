/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Compares collectives between processes with a sequential reference. */
@Execution(ExecutionMode.CONCURRENT)
class ProcessesTest
{
    private static final int CHECKED = 12 * ProcessesTarget.TYPES.size();

    static List<Integer> sizes()
    {
        return Boolean.getBoolean("tutti.test.torture") ? List.of(1, 2, 3, 4, 5, 8) : List.of(3);
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldAgreeWithReference(final int ranks) throws Exception
    {
        try (TuttiJob job = TuttiJob.start(ranks, List.of(), ProcessesTarget.class))
        {
            final int exitCode = job.await(600_000);

            final String output = job.output();
            assertEquals(0, exitCode, output);
            for (int rank = 0; rank < ranks; rank++)
            {
                assertTrue(output.contains("rank " + rank + " checked " + CHECKED), output);
            }
            assertEquals(List.of(), job.sharedMemory());
        }
    }
}
