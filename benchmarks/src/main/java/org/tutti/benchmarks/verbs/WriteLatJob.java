/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.verbs;

import picocli.CommandLine.Command;

/** The job {@code perf write_lat}. */
@Command(
    name = "write_lat",
    description = "Measures the latency of RDMA writes between two ranks, as ib_write_lat does.",
    mixinStandardHelpOptions = true,
    footer = {
        "",
        "Examples:",
        "  tutti run -np 2 perf write_lat",
        "  tutti run -np 2 perf write_lat -s 4k -n 10000",
    })
public final class WriteLatJob extends WriteJob
{
    private static final int WARM_UP_READINGS = 1000;

    /** Required by picocli. */
    public WriteLatJob()
    {
        super("2", 1000);
    }

    @Override
    void measure()
    {
        try (RankPair pair = RankPair.join(1, 1, length(), inline()))
        {
            final WriteLatency latency = new WriteLatency(pair, length());
            warmUp(pair, () -> latency.run(WARM_UP_READINGS, 1));
            // The time of reading the clock is measured after the warm-up, when most code has been compiled.
            final int messages = (int)pair.exchange(WriteLatency.messagesPerReading())[0];
            final long[] readingsNs = latency.run(Math.max(2, iterations() / messages), messages);
            if (pair.rank() == 0)
            {
                if (messages > 1)
                {
                    System.out.println(
                        "# reading the clock of this host is slow: times are means over " + messages + " messages.");
                }
                System.out.println(LatencySummary.header());
                System.out.println(LatencySummary.of(readingsNs, messages).row(length(), iterations()));
            }
        }
    }

    @Override
    void checkMore()
    {
        // No further options.
    }
}
