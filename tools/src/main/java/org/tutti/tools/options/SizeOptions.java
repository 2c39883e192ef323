/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.options;

import org.tutti.launcher.ByteSize;
import org.tutti.launcher.OptionRules;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options for a range of sizes: nccl-tests' letters with nccl-tests' meanings; each command has its defaults. */
public final class SizeOptions
{
    @Option(names = { "-b", "--minbytes" }, paramLabel = "SIZE", converter = ByteSize.Converter.class,
        description = "First size of the longest buffer of a rank: 512, 4k, 64M, 1G (default: ${DEFAULT-VALUE}).")
    private ByteSize min;

    @Option(names = { "-e", "--maxbytes" }, paramLabel = "SIZE", converter = ByteSize.Converter.class,
        description = "Last size, included even when the steps pass over it (default: ${DEFAULT-VALUE}).")
    private ByteSize max;

    @Option(names = { "-f", "--stepfactor" }, paramLabel = "N",
        description = "Factor from one size to the next, at least 2 (default: ${DEFAULT-VALUE}).")
    private int factor;

    /**
     * Sets the defaults.
     *
     * @param min    first size, such as {@code 8}.
     * @param max    last size, such as {@code 64M}.
     * @param factor factor from one size to the next.
     */
    public SizeOptions(final String min, final String max, final int factor)
    {
        this.min = ByteSize.of(min);
        this.max = ByteSize.of(max);
        this.factor = factor;
    }

    /**
     * Refuses what is no range.
     *
     * @param spec  command specification of the command, for the error.
     * @param least size in bytes that the command can do.
     * @param why   reason, printed after the number; may be empty.
     */
    public void check(final CommandSpec spec, final long least, final String why)
    {
        OptionRules.require(spec, min() >= least, "-b=" + min(), "must be at least " + least + why);
        OptionRules.require(spec, max() >= min(), "-e=" + max(), "must be at least -b, which is " + min());
        OptionRules.require(spec, factor >= 2, "-f=" + factor, "must be at least 2");
    }

    /**
     * The first size.
     *
     * @return bytes.
     */
    public long min()
    {
        return min.bytes();
    }

    /**
     * The last size.
     *
     * @return bytes.
     */
    public long max()
    {
        return max.bytes();
    }

    /**
     * From one size to the next.
     *
     * @return at least 2.
     */
    public int factor()
    {
        return factor;
    }
}
