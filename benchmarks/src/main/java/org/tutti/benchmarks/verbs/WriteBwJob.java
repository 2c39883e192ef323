/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.verbs;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.Locale;

/** The job {@code perf write_bw}. */
@Command(
    name = "write_bw",
    description = "Measures the bandwidth of RDMA writes from rank 0 to rank 1, as ib_write_bw does.",
    mixinStandardHelpOptions = true,
    footer = {
        "",
        "Examples:",
        "  tutti run -np 2 perf write_bw -s 1M -n 1000",
        "  tutti run -np 2 perf write_bw -s 8 -l 16 -b",
    })
public final class WriteBwJob extends WriteJob
{
    private static final long LONG_MESSAGE = 8192;
    private static final int MODERATION = 100;
    private static final int MOST_OUTSTANDING = 16_384;
    private static final double MEBI = 1 << 20;

    @Option(names = { "-t", "--tx-depth" }, paramLabel = "N", defaultValue = "128",
        description = "Maximum outstanding messages (default: ${DEFAULT-VALUE}).")
    private int depth;

    @Option(names = { "-Q", "--cq-mod" }, paramLabel = "N", defaultValue = "0",
        description = "Messages per completion; 0 selects 100 up to 8 KiB, else 1 (default: ${DEFAULT-VALUE}).")
    private int moderation;

    @Option(names = { "-l", "--post_list" }, paramLabel = "N", defaultValue = "1",
        description = "Messages posted together (default: ${DEFAULT-VALUE}).")
    private int chain;

    @Option(names = { "-b", "--bidirectional" }, description = "Rank 1 concurrently writes to rank 0.")
    private boolean bidirectional;

    /** Required by picocli. */
    public WriteBwJob()
    {
        super("64k", 5000);
    }

    @Override
    void measure()
    {
        final int size = length();
        final long messages = roundUp(iterations(), chain);
        try (RankPair pair = RankPair.join(depth, chain, size, inline()))
        {
            final WriteBandwidth bandwidth = new WriteBandwidth(pair, depth, chain, moderation(), size);
            final boolean writes = bidirectional || pair.rank() == 0;
            warmUp(pair, () -> run(bandwidth, writes, roundUp(Math.min(iterations(), depth), chain)));
            final long ns = run(bandwidth, writes, messages);
            final double[] perSecond = pair.exchange(writes ? messages * 1e9 / ns : 0);
            final boolean isRight = (!bidirectional && pair.rank() == 0) || bandwidth.isIncomingRight();
            final double[] wrong = pair.exchange(isRight ? 0 : 1);
            if (wrong[0] + wrong[1] > 0)
            {
                throw new IllegalStateException(
                    "wrong data arrived at rank " + (wrong[0] > 0 ? 0 : 1));
            }
            if (pair.rank() == 0)
            {
                final double rate = perSecond[0] + perSecond[1];
                System.out.println(" #bytes     #iterations    BW average[MiB/sec]   MsgRate[Mpps]");
                System.out.println(String.format(
                    Locale.ROOT, " %-10d %-14d %-21.2f %.6f", size, messages, rate * size / MEBI, rate / 1e6));
            }
        }
    }

    @Override
    void checkMore()
    {
        requireRange("-t", depth, 1, MOST_OUTSTANDING);
        requireRange("-l", chain, 1, depth);
        requireRange("-Q", moderation, 0, depth);
        require(moderation() % chain == 0, "-Q", moderation, "a multiple of -l, which is " + chain);
    }

    private int moderation()
    {
        if (moderation > 0)
        {
            return moderation;
        }
        final int wanted = length() > LONG_MESSAGE ? 1 : MODERATION;
        // A chain generates at most one completion, for its last request.
        final int chains = Math.clamp(wanted / chain, 1, depth / chain);
        return chains * chain;
    }

    private static long run(final WriteBandwidth bandwidth, final boolean writes, final long messages)
    {
        return writes ? bandwidth.run(messages) : 0;
    }

    private static long roundUp(final long value, final int multiple)
    {
        return (value + multiple - 1) / multiple * multiple;
    }
}
