/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.options;

import org.tutti.launcher.ByteSize;
import org.tutti.launcher.OptionRules;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Options for a range of sizes, named as in nccl-tests and with the same meaning; defaults depend on the command. */
public final class SizeOptions
{
    @Option(names = { "-b", "--minbytes" }, paramLabel = "SIZE", converter = ByteSize.Converter.class,
        description = "First size of a rank's longest buffer: 512, 4k, 64M, 1G (default: ${DEFAULT-VALUE}).")
    private ByteSize min;

    @Option(names = { "-e", "--maxbytes" }, paramLabel = "SIZE", converter = ByteSize.Converter.class,
        description = "Last size, always included (default: ${DEFAULT-VALUE}).")
    private ByteSize max;

    @Option(names = { "-f", "--stepfactor" }, paramLabel = "N",
        description = "Factor between sizes, at least 2 (default: ${DEFAULT-VALUE}).")
    private int factor;

    /**
     * Creates options with the given defaults.
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
     * Validates the range.
     *
     * @param spec  command specification, for the error.
     * @param least minimum size in bytes that the command supports.
     * @param why   reason for the minimum, appended to it in the error; may be empty.
     */
    public void check(final CommandSpec spec, final long least, final String why)
    {
        OptionRules.require(spec, min() >= least, "-b=" + min(), "must be at least " + least + why);
        OptionRules.require(spec, max() >= min(), "-e=" + max(), "must be at least -b, which is " + min());
        OptionRules.require(spec, factor >= 2, "-f=" + factor, "must be at least 2");
    }

    /**
     * First size.
     *
     * @return size in bytes.
     */
    public long min()
    {
        return min.bytes();
    }

    /**
     * Last size.
     *
     * @return size in bytes.
     */
    public long max()
    {
        return max.bytes();
    }

    /**
     * Factor between sizes.
     *
     * @return factor, at least 2.
     */
    public int factor()
    {
        return factor;
    }
}
