/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.kernels;

import org.tutti.collectives.DataType;
import org.tutti.collectives.reduce.Reducers;
import org.tutti.launcher.ByteSize;
import org.tutti.launcher.JobCommand;
import org.tutti.launcher.OptionRules;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The job {@code kernels}: times reduction kernels against the same loops in C, alternately, in one process and on the
 * same memory.
 */
@Command(
    name = "kernels",
    description = {
        "Times reduction kernels against the same loops in C.",
        "gcc compiles benchmarks/peers/reduce_baseline.c with -O3 -march=native. Both run alternately in one " +
        "process, on the same memory.",
    },
    mixinStandardHelpOptions = true,
    footer = {
        "",
        "Examples:",
        "  tutti run -np 1 kernels",
        "  tutti run -np 1 kernels --sizes 4k,64M",
    })
public final class KernelsCommand implements JobCommand
{
    private static final List<Sum> SUMS = List.of(
        new Sum(DataType.FLOAT32, false, "float_sum"),
        new Sum(DataType.FLOAT32, true, "float_sum_last"),
        new Sum(DataType.BFLOAT16, false, "bfloat16_sum"),
        new Sum(DataType.BFLOAT16, true, "bfloat16_sum"),
        new Sum(DataType.FLOAT16, false, "float16_sum"),
        new Sum(DataType.FLOAT16, true, "float16_sum"));

    @Spec
    private CommandSpec spec;

    @Option(names = "--sizes", split = ",", paramLabel = "SIZE", converter = ByteSize.Converter.class,
        description = "Bytes of each operand, multiples of 4, separated by commas (default: ${DEFAULT-VALUE}).",
        defaultValue = "16k,64k,1M,64M")
    private List<ByteSize> sizes;

    /** A reduction, and the name of the equivalent C function. */
    private record Sum(DataType type, boolean isLast, String loop)
    {
    }

    /** Required by {@link java.util.ServiceLoader}. */
    public KernelsCommand()
    {
    }

    @Override
    public void check(final int size)
    {
        OptionRules.require(spec, size == 1, "-np " + size, "kernels runs in one process: give -np 1");
        for (final ByteSize each : sizes)
        {
            OptionRules.require(spec, each.bytes() > 0 && each.bytes() % Float.BYTES == 0, "--sizes " + each,
                "must be a positive multiple of 4");
        }
    }

    @Override
    public Integer call() throws Exception
    {
        final PrintWriter err = spec.commandLine().getErr();
        final Path home = Path.of(System.getProperty("tutti.home", "."));
        if (!Files.exists(home.resolve("benchmarks/peers/reduce_baseline.c")))
        {
            err.println("benchmarks/peers/reduce_baseline.c is not in " + home +
                ": run the script 'tutti' of a source checkout");
            return 1;
        }
        if (!Reducers.vectorised())
        {
            err.println("the Vector API is not enabled in this JVM: use tutti run -np 1 kernels");
            return 1;
        }
        compare(NativeBaseline.of(home), spec.commandLine().getOut());
        return 0;
    }

    /** Creates a comparison for each sum that has a native baseline; for each other sum, prints why there is none. */
    static List<KernelComparison> comparisons(final NativeBaseline baseline, final PrintWriter out)
    {
        final List<KernelComparison> comparisons = new ArrayList<>();
        for (final Sum sum : SUMS)
        {
            baseline.loop(sum.loop()).ifPresentOrElse(
                loop -> comparisons.add(new KernelComparison(sum.type(), sum.isLast(), loop)),
                () -> out.println("# no row for " + sum.type() + (sum.isLast() ? " as last reduction" : "") +
                    ": this gcc lacks the type for " + sum.loop() +
                    "; it needs gcc 12 on x86-64, gcc 7 on ARM"));
        }
        return comparisons;
    }

    private void compare(final NativeBaseline baseline, final PrintWriter out) throws Exception
    {
        out.println("# tutti kernels: sums in Java and in C (gcc -O3 -march=native), alternating, on the same memory");
        out.println("# last: last reduction of a collective, which makes all NaNs canonical; " +
            "ratio: Java's time over C's, median and quartiles");
        out.println("#     size  type      last  result to     Java         C   ratio");
        out.println("#      (B)                                (GB/s)    (GB/s)");
        try
        {
            final List<KernelComparison> comparisons = comparisons(baseline, out);
            for (final KernelComparison comparison : comparisons)
            {
                comparison.warmUp();
                for (final ByteSize size : sizes)
                {
                    out.println(comparison.row(size.bytes(), false));
                    out.println(comparison.row(size.bytes(), true));
                    out.flush();
                }
            }
            // The check follows all measurements, because the NaNs in its operands influence how the JIT compiler
            // compiles.
            for (final KernelComparison comparison : comparisons)
            {
                comparison.check();
            }
            out.println("# Java and C agree bitwise on " +
                KernelComparison.CHECKED + " elements of each type");
        }
        catch (final Exception | Error e)
        {
            throw e;
        }
        catch (final Throwable e)
        {
            throw new IllegalStateException(e);
        }
    }
}
