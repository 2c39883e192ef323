/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.kernels;

import org.tutti.benchmarks.perf.ByteSize;
import org.tutti.collectives.DataType;
import org.tutti.collectives.reduce.Reducers;
import org.tutti.launcher.JobCommand;
import org.tutti.launcher.OptionRules;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The job {@code kernels}: reductions beside the same loops in C, in one process, by turns, with the same memory. */
@Command(
    name = "kernels",
    description = {
        "Times reductions beside the same in C.",
        "gcc compiles benchmarks/peers/reduce_twin.c with -O3 -march=native; both are called by turns, in one process.",
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
    @Spec
    private CommandSpec spec;

    @Option(names = "--sizes", split = ",", paramLabel = "SIZE", converter = ByteSize.class,
        description = "Bytes of each operand, multiples of 4, separated by commas (default: ${DEFAULT-VALUE}).",
        defaultValue = "16k,64k,1M,64M")
    private List<Long> sizes;

    /** For {@link java.util.ServiceLoader}. */
    public KernelsCommand()
    {
    }

    @Override
    public void check(final int size)
    {
        OptionRules.require(spec, size == 1, "-np " + size, "kernels is one process: give -np 1");
        for (final long each : sizes)
        {
            OptionRules.require(
                spec, each > 0 && each % Float.BYTES == 0, "--sizes " + each, "sizes are multiples of 4");
        }
    }

    @Override
    public Integer call() throws Exception
    {
        final PrintWriter err = spec.commandLine().getErr();
        final Path home = Path.of(System.getProperty("tutti.home", "."));
        if (!Files.exists(home.resolve("benchmarks/peers/reduce_twin.c")))
        {
            err.println("tutti kernels compiles benchmarks/peers/reduce_twin.c, which is not in " + home +
                ": run the script 'tutti' of a clone");
            return 1;
        }
        if (!Reducers.vectorised())
        {
            err.println("this JVM is not one of a rank's options, without vectors: say tutti run -np 1 kernels");
            return 1;
        }
        race(Twin.of(home), spec.commandLine().getOut());
        return 0;
    }

    private void race(final Twin twin, final PrintWriter out) throws Exception
    {
        final List<Race> races = List.of(
            new Race(DataType.FLOAT32, false, twin.loop("float_sum")),
            new Race(DataType.FLOAT32, true, twin.loop("float_sum_last")),
            new Race(DataType.BFLOAT16, false, twin.loop("bfloat16_sum")),
            new Race(DataType.BFLOAT16, true, twin.loop("bfloat16_sum")));
        out.println("# tutti kernels: sums by Java, and by C, gcc -O3 -march=native; by turns, with the same memory");
        out.println("# last: as the last of a collective, which leaves one NaN only; " +
            "ratio: Java's time by C's, its median and quartiles");
        out.println("#     size  type      last  result to     Java         C   ratio");
        out.println("#      (B)                                (GB/s)    (GB/s)");
        try
        {
            for (final Race race : races)
            {
                race.warmUp();
                for (final long size : sizes)
                {
                    out.println(race.row(size, false));
                    out.println(race.row(size, true));
                    out.flush();
                }
            }
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
