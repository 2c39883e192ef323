/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.ReduceOp;
import org.tutti.launcher.JobCommand;
import org.tutti.launcher.OptionRules;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.util.Locale;

/**
 * Computes pi as the area under 4 / (1 + x * x) from 0 to 1: each rank sums some strips, and an allreduce adds up the
 * sums.
 */
@Command(name = "pi", mixinStandardHelpOptions = true, description = "Computes pi by numerical integration.")
public final class PiJob implements JobCommand
{
    @Spec
    private CommandSpec spec;

    private long samples;

    /** Required by {@link java.util.ServiceLoader}. */
    public PiJob()
    {
    }

    @Option(names = "--samples", paramLabel = "N", defaultValue = "100000000",
        description = "Number of strips that the area is cut into (default: ${DEFAULT-VALUE}).")
    void samples(final long value)
    {
        OptionRules.require(spec, value >= 1, "--samples=" + value, "must be at least 1");
        samples = value;
    }

    @Override
    public Integer call()
    {
        try (Communicator world = Communicator.world())
        {
            final long start = System.nanoTime();
            final double[] pi = {strips(world.rank(), world.size(), samples)};
            world.allreduce(pi, ReduceOp.SUM);
            final double seconds = (System.nanoTime() - start) / 1e9;

            if (world.rank() == 0)
            {
                System.out.printf(Locale.ROOT, "pi is %.15f, error %.1e: %d strips on %d ranks in %.2f s%n",
                    pi[0], Math.abs(pi[0] - Math.PI), samples, world.size(), seconds);
            }
        }
        return 0;
    }

    /**
     * Sums the area of a rank's strips: every size-th one, so that numbers of strips differ by at most one.
     *
     * @param rank    rank, from 0.
     * @param size    number of ranks.
     * @param samples number of strips.
     * @return area of the rank's strips; the areas of all ranks add up to pi.
     */
    static double strips(final int rank, final int size, final long samples)
    {
        final double width = 1.0 / samples;
        double sum = 0;
        for (long i = rank; i < samples; i += size)
        {
            final double x = (i + 0.5) * width;
            sum += 4 / (1 + x * x);
        }
        return sum * width;
    }
}
