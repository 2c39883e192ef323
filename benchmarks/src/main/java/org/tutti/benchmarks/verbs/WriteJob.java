/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.verbs;

import org.tutti.launcher.ByteSize;
import org.tutti.launcher.JobCommand;
import org.tutti.launcher.OptionRules;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Base of {@code perf write_lat} and {@code perf write_bw}: options named as in perftest, with the same meaning. */
abstract class WriteJob implements JobCommand
{
    private static final int RANKS = 2;
    private static final long LONGEST = 1L << 30;
    private static final int MANY = 100_000_000;
    private static final int MOST_INLINE = 4096;

    @Spec
    private CommandSpec spec;

    @Option(names = { "-I", "--inline_size" }, paramLabel = "BYTES", defaultValue = "220",
        description = "Maximum length of inline messages, limited by the device (default: ${DEFAULT-VALUE}).")
    private int inline;

    @Option(names = { "-w", "--warmup" }, paramLabel = "SECONDS", defaultValue = "2",
        description = "Duration of the untimed warm-up, in which the JVM compiles the code " +
            "(default: ${DEFAULT-VALUE}).")
    private int warmup;

    @Option(names = { "-s", "--size" }, paramLabel = "SIZE", converter = ByteSize.Converter.class,
        description = "Message size in bytes: 8, 4k, 1M (default: ${DEFAULT-VALUE}).")
    private ByteSize length;

    @Option(names = { "-n", "--iters" }, paramLabel = "N",
        description = "Number of messages per writing rank (default: ${DEFAULT-VALUE}).")
    private int iterations;

    /** Sets the defaults of the subclass. */
    WriteJob(final String length, final int iterations)
    {
        this.length = ByteSize.of(length);
        this.iterations = iterations;
    }

    @Override
    public final Integer call()
    {
        check(RANKS);
        measure();
        return 0;
    }

    @Override
    public final void check(final int size)
    {
        require(size == RANKS, "-np", size, "2: the sender and the receiver");
        requireRange("-s", length.bytes(), 1, LONGEST);
        requireRange("-n", iterations, 2, MANY);
        requireRange("-I", inline, 0, MOST_INLINE);
        requireRange("-w", warmup, 0, 3600);
        checkMore();
    }

    /** Measures on both ranks together; rank 0 prints. */
    abstract void measure();

    /** Validates the options of the subclass. */
    abstract void checkMore();

    /** Message length in bytes. */
    final int length()
    {
        return (int)length.bytes();
    }

    /** Number of messages. */
    final int iterations()
    {
        return iterations;
    }

    final int inline()
    {
        return inline;
    }

    /**
     * Repeats an action on both ranks until the warm-up time has passed on rank 0.
     *
     * @param pair   pair of the ranks.
     * @param action action that takes a fraction of a second.
     */
    final void warmUp(final RankPair pair, final Runnable action)
    {
        final long start = System.nanoTime();
        while (pair.exchange((System.nanoTime() - start) / 1e9)[0] < warmup)
        {
            action.run();
        }
    }

    final void requireRange(final String option, final long value, final long least, final long most)
    {
        require(value >= least && value <= most, option, value, "from " + least + " to " + most);
    }

    final void require(final boolean condition, final String option, final Object value, final String range)
    {
        OptionRules.require(spec, condition, option + "=" + value, "must be " + range);
    }
}
