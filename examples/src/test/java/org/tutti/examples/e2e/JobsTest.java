/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Runs the jobs that Tutti includes. */
@Execution(ExecutionMode.CONCURRENT)
class JobsTest
{
    private static final Pattern LOSS = Pattern.compile("(?m)^ +1 +([0-9.]+) +[0-9.]+ %");
    private static final long TIMEOUT_MS = 60_000;
    private static final String SMALL_EPOCH = "mnist --epochs 1 --hidden 16 --batch 400";
    private static final boolean IS_TORTURE = Boolean.getBoolean("tutti.test.torture");

    @TempDir
    private Path directory;

    private record Result(int code, String output)
    {
    }

    @Test
    void shouldPrintHelloOnEveryRank() throws Exception
    {
        final Result result = run(3, "hello");

        assertEquals(0, result.code(), result.output());
        for (int rank = 0; rank < 3; rank++)
        {
            assertTrue(result.output().contains("hello from rank " + rank + " of 3 on "), result.output());
        }
        assertTrue(result.output().contains("the ranks sum up to 3\n"), result.output());
    }

    @Test
    void shouldComputePi() throws Exception
    {
        final Result result = run(2, "pi --samples 1000000");

        assertEquals(0, result.code(), result.output());
        assertTrue(result.output().contains("pi is 3.1415926535"), result.output());
    }

    @Test
    void shouldMeasureAndCheckAllreduce() throws Exception
    {
        // BenchRunTest warms up in every build, until compilation ceases.
        final Result result =
            run(2, "perf allreduce -e 4k -n 2" + (IS_TORTURE ? "" : " -w 1"), "-J-Dtutti.perf.timings=1");

        assertEquals(0, result.code(), result.output());
        assertEquals(List.of(8, 32, 128, 512, 2048, 4096),
            result.output().lines().filter(line -> !line.startsWith("#"))
                .map(line -> Integer.valueOf(line.strip().split(" ", 2)[0])).toList(), result.output());
        assertTrue(result.output().contains("# Out of bounds values : 0 OK\n"), result.output());
        assertTrue(result.output().contains("# Avg bus bandwidth    : "), result.output());
    }

    /** Each program over one transport; torture runs both over both. */
    static Stream<String> writes()
    {
        final Stream<String> few =
            Stream.of("perf write_lat -s 8 -n 100 -w 0", "--transport tcp perf write_bw -s 8 -n 1000 -w 0 -l 8 -b");
        return !IS_TORTURE ? few : Stream.concat(few,
            Stream.of("perf write_bw -s 8 -n 1000 -w 0 -l 8 -b", "--transport tcp perf write_lat -s 8 -n 100 -w 0"));
    }

    @ParameterizedTest
    @MethodSource("writes")
    void shouldMeasureWrites(final String words) throws Exception
    {
        final Result result = run(2, words);

        assertEquals(0, result.code(), result.output());
        final List<String> lines = result.output().lines().filter(line -> !line.startsWith("#")).toList();
        assertEquals(2, lines.size(), result.output());
        assertTrue(lines.getFirst().startsWith(" #bytes"), result.output());
        assertTrue(lines.getLast().startsWith(" 8 "), result.output());
    }

    @Test
    void shouldTrainAlikeOnAnyNumberOfRanks() throws Exception
    {
        final double alone = lossOfOneEpoch(1);

        assertEquals(alone, lossOfOneEpoch(2), 1e-3 * alone);
        if (IS_TORTURE)
        {
            assertEquals(alone, lossOfOneEpoch(4), 1e-3 * alone);
        }
    }

    @Test
    void shouldFailWhenAccuracyIsBelowTarget() throws Exception
    {
        final Result result = run(2, SMALL_EPOCH + " --target 100");

        assertEquals(1, result.code(), result.output());
        assertTrue(result.output().contains("is below --target=100.00 %"), result.output());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "perf                         | missing operation: use perf allreduce, broadcast, barrier, reduce, allgather,",
        "perf broadcast -r 4          | -r=4: must be a rank from 0 to 3",
        "mnist --data /nowhere        | /nowhere/train-images-idx3-ubyte does not exist"})
    void shouldReportInvalidOptionOnceAndNotStartRanks(final String words, final String error) throws Exception
    {
        // The launcher creates this first, before the job's directory.
        final Path output = directory.resolve("output");

        final Result result = run(4, words, "--output-dir", output.toString());

        assertEquals(2, result.code(), result.output());
        assertTrue(result.output().contains(error), result.output());
        assertEquals(1, result.output().lines().count(), result.output());
        assertFalse(Files.exists(output));
    }

    private static double lossOfOneEpoch(final int ranks) throws Exception
    {
        // As users run it, with both compilers.
        final Result result = run(ranks, SMALL_EPOCH, "-J" + TuttiJob.BOTH_COMPILERS);
        assertEquals(0, result.code(), result.output());
        assertTrue(result.output().contains("the weights of all ranks are bitwise equal"), result.output());
        final Matcher loss = LOSS.matcher(result.output());
        assertTrue(loss.find(), result.output());
        return Double.parseDouble(loss.group(1));
    }

    private static Result run(final int ranks, final String words, final String... options) throws Exception
    {
        final List<String> all = new ArrayList<>(List.of("--quiet", "-J" + TuttiJob.FAST_TO_START));
        all.addAll(List.of(options));
        try (TuttiJob job = TuttiJob.start(ranks, all, List.of(words.split(" ", -1))))
        {
            final int code = job.await(TIMEOUT_MS);
            return new Result(code, job.output());
        }
    }
}
