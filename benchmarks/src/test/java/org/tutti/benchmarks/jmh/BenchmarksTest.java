/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.jmh;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The benchmarks run and do not allocate in the measured code; their times are not checked. */
@Timeout(900)
class BenchmarksTest
{
    private static final boolean IS_TORTURE = Boolean.getBoolean("tutti.test.torture");
    /** Number of types to reduce in torture mode. */
    private static final int ALL_TYPES = 14;
    /** Otherwise a type of each kind: ReducersAllocationTest has all. */
    private static final String[] TYPES = {"int8", "int64", "half", "float"};
    private static final String ALLOCATED_PER_CALL = "gc.alloc.rate.norm";
    /** Passes until calls are compiled: before that, vectors are heap objects. */
    private static final int MOST_PASSES = 20;
    /** Length of a pass: JMH itself allocates some kilobytes in each, and calls may be slow in the test environment. */
    private static final long PASS_MS = 200;
    /** Tolerated bytes per call; an object would need 16 or more. */
    private static final double TOLERATED = 1;

    static Stream<Arguments> benchmarks()
    {
        return Stream.of(Arguments.of("PostBenchmark", 3), Arguments.of("ExchangeBenchmark", 1),
            Arguments.of("ReduceBenchmark", IS_TORTURE ? ALL_TYPES : TYPES.length));
    }

    @ParameterizedTest
    @MethodSource("benchmarks")
    void shouldRunWithoutAllocating(final String name, final int count) throws RunnerException
    {
        final Map<String, Double> least = new TreeMap<>();
        for (int i = 0; i < MOST_PASSES && (i == 0 || Collections.max(least.values()) > TOLERATED); i++)
        {
            final Collection<RunResult> results = pass(name, (i + 1) * PASS_MS);

            assertEquals(count, results.size());
            for (final RunResult result : results)
            {
                assertTrue(result.getPrimaryResult().getScore() > 0);
                least.merge(result.getParams().id(),
                    result.getSecondaryResults().get(ALLOCATED_PER_CALL).getScore(), Math::min);
            }
        }
        least.values().removeIf(bytes -> bytes <= TOLERATED);
        assertEquals(Map.of(), least, "bytes per call");
    }

    /** Runs in this JVM, which keeps compiled code. */
    private static Collection<RunResult> pass(final String name, final long ms) throws RunnerException
    {
        final ChainedOptionsBuilder options = new OptionsBuilder();
        if (!IS_TORTURE)
        {
            options.param("type", TYPES);
        }
        return new Runner(options
            .include("\\." + name + "\\.")
            .param("op", "sum")
            .param("length", "4096")
            .forks(0)
            .warmupIterations(0)
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(ms))
            .addProfiler(GCProfiler.class)
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .build()).run();
    }
}
