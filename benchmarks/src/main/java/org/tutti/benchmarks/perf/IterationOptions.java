/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.launcher.OptionRules;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Options for numbers of iterations, named as in nccl-tests and with the same meaning. */
public final class IterationOptions
{
    private static final int BY_SIZE = -1;

    @Option(names = { "-n", "--iters" }, paramLabel = "N", defaultValue = "0",
        description = "Timed iterations; 0 chooses by size, 10000 for small ones (default: ${DEFAULT-VALUE}).")
    private int timed;

    @Option(names = { "-w", "--warmup_iters" }, paramLabel = "N", defaultValue = "-1",
        description = "Untimed iterations before each row; -1 chooses by size (default: ${DEFAULT-VALUE}).")
    private int untimed;

    /** Required by picocli. */
    public IterationOptions()
    {
    }

    /**
     * Checks the values.
     *
     * @param spec command specification, for the error.
     */
    public void check(final CommandSpec spec)
    {
        OptionRules.require(spec, timed >= 0, "-n=" + timed, "must be at least 0");
        OptionRules.require(spec, untimed >= BY_SIZE, "-w=" + untimed, "must be at least -1");
    }

    /**
     * Number of timed iterations.
     *
     * @return number of iterations, or 0 to choose it by size.
     */
    public int timed()
    {
        return timed;
    }

    /**
     * Number of untimed iterations before each row.
     *
     * @return number of iterations, or -1 to choose it by size.
     */
    public int untimed()
    {
        return untimed;
    }

    /**
     * Whether both numbers of iterations are chosen by size.
     *
     * @return true if neither option sets a number.
     */
    public boolean areBySize()
    {
        return timed == 0 && untimed == BY_SIZE;
    }
}
