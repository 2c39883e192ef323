/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.tutti.examples.DjlQuickStart;

import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Trains with DJL and PyTorch in processes of their own, as a user would. */
@Execution(ExecutionMode.CONCURRENT)
class DjlMnistTest
{
    private static final long TIMEOUT_MS = 300_000;
    /** See docs/integrations/djl.md: without these, steps take up to four times as long. */
    private static final List<String> ALLOCATOR = List.of("-x", "MALLOC_ARENA_MAX=1",
        "-x", "MALLOC_MMAP_THRESHOLD_=4294967296", "-x", "MALLOC_TRIM_THRESHOLD_=17179869184",
        "-x", "MALLOC_TOP_PAD_=268435456");

    @Test
    void shouldTrainOnTwoProcesses() throws Exception
    {
        final String output = run(TuttiJob.FAST_TO_START, "--epochs", "1", "--target", "85");
        assertTrue(output.contains("the weights of all ranks are bitwise equal"), output);
    }

    @Test
    void shouldRunTheQuickStart() throws Exception
    {
        try (TuttiJob job = TuttiJob.start(2, List.of("--quiet"), DjlQuickStart.class))
        {
            assertEquals(0, job.await(TIMEOUT_MS), job.output());
            assertTrue(job.output().contains("loss "), job.output());
        }
    }

    @Test
    @Tag("torture")
    void shouldRecognizeNearlyAllDigitsWithEachWireType() throws Exception
    {
        for (final String wire : List.of("FLOAT32", "BFLOAT16", "FLOAT16"))
        {
            run(TuttiJob.BOTH_COMPILERS, "--target", "97", "--wire", wire);
        }
    }

    @Test
    @Tag("torture")
    void shouldCompareWithIndependentTrainings() throws Exception
    {
        final String output = run(TuttiJob.BOTH_COMPILERS, "--scaling", "3");
        assertTrue(output.contains("median ratio "), output);
    }

    private static String run(final String compilers, final String... options) throws Exception
    {
        final List<String> words = Stream.concat(Stream.of("djl-mnist"), Stream.of(options)).toList();
        try (TuttiJob job = TuttiJob.start(
            2, Stream.concat(Stream.of("--quiet", "-J" + compilers), ALLOCATOR.stream()).toList(), words))
        {
            assertEquals(0, job.await(TIMEOUT_MS), job.output());
            return job.output();
        }
    }
}
