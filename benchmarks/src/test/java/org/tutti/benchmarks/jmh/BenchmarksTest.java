/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.jmh;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

import java.util.Collection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The benchmarks run; what they measure here says nothing. */
@Timeout(60)
class BenchmarksTest
{
    @ParameterizedTest
    @CsvSource({ "PostBenchmark, 3", "ExchangeBenchmark, 1", "ReduceBenchmark, 14" })
    void shouldRun(final String name, final int count) throws RunnerException
    {
        final Collection<RunResult> results = new Runner(new OptionsBuilder()
            .include("\\." + name + "\\.")
            .param("op", "sum")
            .param("length", "4096")
            .forks(0)
            .warmupIterations(0)
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(10))
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .build()).run();

        assertEquals(count, results.size());
        assertTrue(results.stream().allMatch(result -> result.getPrimaryResult().getScore() > 0));
    }
}
