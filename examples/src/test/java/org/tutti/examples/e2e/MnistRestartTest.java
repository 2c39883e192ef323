/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.tutti.examples.mnist.MnistRestartTarget;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Training that is started again after a failure continues from its checkpoint, to the same bits. */
@Timeout(240)
@Execution(ExecutionMode.CONCURRENT)
class MnistRestartTest
{
    private static final List<String> FAST = List.of("-q", "-J-XX:+UseSerialGC", "-J" + TuttiJob.FAST_TO_START);
    private static final List<String> SMALL = List.of("--epochs", "2", "--hidden", "16", "--batch", "400");
    private static final Pattern LOSS = Pattern.compile("(?m)^ +2 +(\\S+) +(\\S+) %");

    @TempDir
    private Path directory;

    /** In the middle of the first epoch, which has 20 steps, three steps after a checkpoint. */
    @Test
    void shouldReachTheSameBitsWhenRankIsKilled() throws Exception
    {
        final Path undisturbed = directory.resolve("undisturbed");
        final Path restarted = directory.resolve("restarted");

        final String expected = train(0, undisturbed);
        final String output = train(17, restarted);

        assertTrue(output.lines().anyMatch(line -> line.matches(
            "tutti: rank 1 on .* failed: killed by SIGKILL; restart 1 of 2")), output);
        assertTrue(output.contains("continuing after step 14, 0.70 epochs, from " + restarted + "\n"), output);
        assertEquals(lastEpoch(expected), lastEpoch(output));
        assertTrue(output.contains("the weights of all ranks are bitwise equal\n"), output);
        assertArrayEquals(Files.readAllBytes(undisturbed), Files.readAllBytes(restarted));
        assertFalse(expected.contains("continuing"), expected);
    }

    @Test
    @Tag("torture")
    void shouldTrainNothingWhenCheckpointHasAllEpochsAndGoOnWhenThereAreMore() throws Exception
    {
        final Path file = directory.resolve("state");
        final String whole = run(List.of(), mnist(file, "2"), 0);

        final String again = run(List.of(), mnist(file, "2"), 0);
        assertTrue(again.contains("continuing after step 40, 2.00 epochs, from " + file + "\n"), again);
        assertFalse(LOSS.matcher(again).find(), again);
        assertTrue(LOSS.matcher(whole).find(), whole);

        final String more = run(List.of(), mnist(file, "3"), 0);
        assertTrue(Pattern.compile("(?m)^ +3 +").matcher(more).find(), more);
    }

    @Test
    void shouldReportFileThatIsNoCheckpointOnceAndNotRestart() throws Exception
    {
        final Path file = Files.writeString(directory.resolve("state"), "something else");

        final String output = run(List.of("--max-restarts", "2"), mnist(file, "2"), 2);

        assertEquals(1, output.lines().filter(line -> line.contains("--checkpoint=" + file + " is not a checkpoint " +
            "of mnist: remove it, or give another file (see tutti mnist --help)")).count(), output);
        assertFalse(output.contains("restart"), output);
        assertEquals("something else", Files.readString(file));
    }

    private static List<String> mnist(final Path file, final String epochs)
    {
        return List.of("mnist", "--hidden", "16", "--batch", "400", "--checkpoint", file.toString(), "--epochs",
            epochs);
    }

    private String train(final int lastStep, final Path file) throws Exception
    {
        final List<String> words = new ArrayList<>(List.of(
            "-cp", System.getProperty("java.class.path"), MnistRestartTarget.class.getName(),
            Integer.toString(lastStep), "--checkpoint", file.toString(), "--checkpoint-every", "7"));
        words.addAll(SMALL);
        return run(List.of("--max-restarts", "2"), words, 0);
    }

    private static String run(final List<String> options, final List<String> words, final int code)
        throws IOException, InterruptedException
    {
        final List<String> all = new ArrayList<>(FAST);
        all.addAll(options);
        try (TuttiJob job = TuttiJob.start(2, all, words))
        {
            assertEquals(code, job.await(FaultJobs.LIMIT_MS), job.output());
            assertEquals(List.of(), job.remaining(FaultJobs.LIMIT_MS), job.output());
            assertEquals(List.of(), job.sharedMemory());
            return job.output();
        }
    }

    private static String lastEpoch(final String output)
    {
        final Matcher loss = LOSS.matcher(output);
        assertTrue(loss.find(), output);
        return loss.group(1) + " " + loss.group(2);
    }
}
