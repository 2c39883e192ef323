/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.tutti.examples.LightGbmQuickStart;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Trains with LightGBM in processes of their own, as a user would. */
@Execution(ExecutionMode.CONCURRENT)
class LightGbmTest
{
    private static final long TIMEOUT_MS = 300_000;

    @Test
    void shouldBuildTheTreesOfSocketsOnTwoProcesses() throws Exception
    {
        final List<String> words = List.of("lightgbm", "--rows", "20000", "--columns", "20", "--iterations", "10",
            "--sockets", "--target", "0.75");
        try (TuttiJob job = TuttiJob.start(2, List.of("--quiet", "-J" + TuttiJob.FAST_TO_START), words))
        {
            assertEquals(0, job.await(TIMEOUT_MS), job.output());
            assertTrue(job.output().contains("the trees of both networks are equal"), job.output());
            assertTrue(job.output().contains("all ranks have the same trees"), job.output());
        }
    }

    @Test
    void shouldRunTheQuickStart() throws Exception
    {
        try (TuttiJob job = TuttiJob.start(2, List.of("--quiet"), LightGbmQuickStart.class))
        {
            assertEquals(0, job.await(TIMEOUT_MS), job.output());
            assertTrue(job.output().contains("error "), job.output());
        }
    }
}
