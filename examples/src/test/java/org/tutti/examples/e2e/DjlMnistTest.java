/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tutti.examples.DjlQuickStart;

import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Trains with DJL and PyTorch in processes of their own, as a user would. */
class DjlMnistTest
{
    private static final long TIMEOUT_MS = 300_000;

    @Test
    void shouldTrainOnTwoProcesses() throws Exception
    {
        final String output = run("--epochs", "1", "--target", "85");
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
            run("--target", "97", "--wire", wire);
        }
    }

    @Test
    @Tag("torture")
    void shouldCompareWithIndependentTrainings() throws Exception
    {
        final String output = run("--scaling", "3");
        assertTrue(output.contains("median ratio "), output);
    }

    private static String run(final String... options) throws Exception
    {
        final List<String> words = Stream.concat(Stream.of("djl-mnist"), Stream.of(options)).toList();
        try (TuttiJob job = TuttiJob.start(2, List.of("--quiet"), words))
        {
            assertEquals(0, job.await(TIMEOUT_MS), job.output());
            return job.output();
        }
    }
}
