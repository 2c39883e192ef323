/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.reduce.Reducers;
import org.tutti.tools.options.SizeSweep;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

import static org.junit.jupiter.api.Assertions.assertEquals;

class PerfReportTest
{
    private final Locale locale = Locale.getDefault();

    @BeforeEach
    void setLocaleWithOtherDigits()
    {
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    }

    @AfterEach
    void restoreLocale()
    {
        Locale.setDefault(locale);
    }

    @Test
    void shouldPrintHeader()
    {
        assertEquals(
            """
            # tutti perf allreduce, Tutti 0.1, commit abc
            # minBytes 8 maxBytes 4096 step: 4(factor) warmup iters: by size iters: 20 validation: 1
            # time: mean of back-to-back iterations after a barrier, maximum over ranks
            # no warm-up, each row timed once
            # jvm: a JVM; reduction kernels: %s
            # host: a CPU, 16 cores, an OS
            #
            # Using transport shm/shm0
            #  Rank  0 Pid     11 on          a
            #  Rank  1 Pid     12 on          b
            #
            """.formatted(Reducers.vectorised() ? "Vector API" : "plain loops"),
            header(new SizeSweep(8, 4096, 0, 4), 20, -1, true));
    }

    @Test
    void shouldPrintNonDefaultOptionsInHeader()
    {
        assertEquals("# minBytes 8 maxBytes 4096 step: 512(bytes) warmup iters: 0 iters: by size validation: 0",
            header(new SizeSweep(8, 4096, 512, 4), 0, 0, false).lines().toList().get(1));
    }

    private static String header(
        final SizeSweep sizes, final int iterations, final int warmup, final boolean check)
    {
        final PerfConfig config = new PerfConfig(
            Operation.ALLREDUCE, sizes, List.of(DataType.FLOAT32), List.of(ReduceOp.SUM), 0, iterations, warmup,
            WarmUp.NONE, check, PerfConfig.Average.MAX, null, null, false,
            Mode.BLOCKING, 0, 64, 1, CountsRule.EVEN, MemoryKind.ALLOCATED);
        final Environment environment = new Environment("0.1", "abc", "a JVM", "an OS", "a", "a CPU", 16, 0);
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new PerfReport(config, environment, List.of(new RankInfo(0, "a", 11), new RankInfo(1, "b", 12)), "shm/shm0")
            .printHeader(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
