/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.kernels;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.tutti.collectives.DataType;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Checks that the sums in C and Java agree, without timing them. */
class KernelComparisonTest
{
    private static final Path ROOT = Path.of(System.getProperty("tutti.root"));

    private final StringWriter out = new StringWriter();

    @BeforeEach
    void needACompiler() throws InterruptedException
    {
        boolean isThere;
        try
        {
            isThere = new ProcessBuilder("gcc", "--version").redirectOutput(ProcessBuilder.Redirect.DISCARD).start()
                .waitFor() == 0;
        }
        catch (final IOException e)
        {
            isThere = false;
            System.err.println(
                "KernelComparisonTest is skipped: gcc is not installed; run 'apt-get install gcc'");
        }
        assumeTrue(isThere);
    }

    @Test
    void shouldAgreeBitwiseWithC() throws Throwable
    {
        for (final KernelComparison comparison : comparisons())
        {
            comparison.check();
        }
    }

    /** As compiled for processors without these vector instructions. */
    @Test
    @EnabledIfSystemProperty(named = "os.arch", matches = "amd64")
    void shouldAgreeBitwiseWithCWhenVectorsAreDisabled() throws Throwable
    {
        for (final KernelComparison comparison : comparisons("-march=x86-64"))
        {
            comparison.check();
        }
    }

    @Test
    void shouldRejectNativeLoopWhenSumsDiffer() throws Throwable
    {
        final KernelComparison comparison = new KernelComparison(
            DataType.FLOAT16, false, NativeBaseline.of(ROOT).loop("bfloat16_sum").orElseThrow());

        final String said = assertThrows(IllegalStateException.class, comparison::check).getMessage();

        assertTrue(said.matches("sums of FLOAT16 differ: .* and .* are .* by Java and .* by C, element .*"), said);
    }

    @Test
    void shouldSkipTypeWhenCompilerLacksIt() throws Throwable
    {
        final List<KernelComparison> comparisons = comparisons("-U__FLT16_MAX__");

        assertEquals(4, comparisons.size());
        assertTrue(out.toString().startsWith("# no row for FLOAT16: this gcc lacks the type"), out.toString());
        for (final KernelComparison comparison : comparisons)
        {
            comparison.check();
        }
    }

    private List<KernelComparison> comparisons(final String... options) throws IOException
    {
        return KernelsCommand.comparisons(NativeBaseline.of(ROOT, options), new PrintWriter(out, true));
    }
}
