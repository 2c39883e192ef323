/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Runs jobs as users start them, on the device of an emulated host. */
@Tag("soft-roce")
class OneHostVerbsTest
{
    private static final long TIMEOUT_MS = 600_000;
    private static final long END_MS = 180_000;

    @Test
    @Tag("torture")
    void shouldMeasureAndCheck() throws Exception
    {
        measureAndCheck(2, "verbs", "32", "128k");
    }

    @ParameterizedTest
    @CsvSource({"2, 32, 128k", "4, 16, 4k"})
    @Tag("torture")
    void shouldMeasureAndCheckWithDisni(final int ranks, final String least, final String most) throws Exception
    {
        measureAndCheck(ranks, "disni", least, most);
    }

    @Test
    @Tag("torture")
    void shouldAgreeWithReference() throws Exception
    {
        final String output = succeed(2, "verbs", List.of(
            "-cp", System.getProperty("java.class.path"), ProcessesTarget.class.getName(), "9", "1500"));

        for (int rank = 0; rank < 2; rank++)
        {
            assertTrue(output.contains("rank " + rank + " checked " + 2 * ProcessesTarget.TYPES.size() + "\n"), output);
        }
    }

    @Test
    @Tag("torture")
    void shouldNameKilledRankThatIsTheTargetOfPuts() throws Exception
    {
        try (TuttiJob job = TuttiJob.startScript(List.of("-q", "-np", "2", "--transport", "verbs", "--tag",
            "--grace", "60s", "-J" + TuttiJob.FAST_TO_START,
            "-cp", System.getProperty("java.class.path"), PutTarget.class.getName())))
        {
            WindowsTest.requireNameOfKilledTarget(job, TIMEOUT_MS, END_MS);
        }
    }

    private static void measureAndCheck(
        final int ranks, final String transport, final String least, final String most) throws Exception
    {
        final String output = succeed(ranks, transport, List.of(
            "perf", "allreduce", "--check", "-b", least, "-e", most, "-f", "16", "-n", "5", "-w", "1"));

        assertTrue(output.contains("# Using transport " + transport + "/rxe0\n"), output);
        assertTrue(output.contains("# Out of bounds values : 0 OK\n"), output);
    }

    private static String succeed(final int ranks, final String transport, final List<String> words) throws Exception
    {
        final List<String> all = new ArrayList<>(List.of(
            "-q", "-np", Integer.toString(ranks), "--transport", transport, "-J" + TuttiJob.FAST_TO_START));
        all.addAll(words);
        try (TuttiJob job = TuttiJob.startScript(all))
        {
            final int code = job.await(TIMEOUT_MS);
            final String output = job.output();
            assertEquals(0, code, output);
            assertEquals(List.of(), job.remaining(TIMEOUT_MS), output);
            assertEquals(List.of(), job.sharedMemory(), output);
            return output;
        }
    }
}
