/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.ReduceOp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Host and process of a rank.
 *
 * @param rank rank, from 0.
 * @param host name of the rank's host, truncated to {@value #HOST_LENGTH} bytes.
 * @param pid  process id.
 */
record RankInfo(int rank, String host, long pid)
{
    private static final int HOST_LENGTH = 64;
    private static final int WORDS = 1 + HOST_LENGTH / Long.BYTES;

    /**
     * Collects the information of all ranks by a sum over arrays in which each rank fills only its own words.
     *
     * @param communicator communicator of the ranks, all of which call this.
     * @return information of all ranks, indexed by rank.
     */
    static List<RankInfo> gather(final Communicator communicator)
    {
        final long[] words = new long[communicator.size() * WORDS];
        final byte[] name = Environment.hostName().getBytes(StandardCharsets.UTF_8);
        words[communicator.rank() * WORDS] = ProcessHandle.current().pid();
        ByteBuffer.wrap(Arrays.copyOf(name, HOST_LENGTH))
            .asLongBuffer().get(words, communicator.rank() * WORDS + 1, WORDS - 1);

        communicator.allreduce(words, ReduceOp.SUM);

        final List<RankInfo> ranks = new ArrayList<>();
        for (int rank = 0; rank < communicator.size(); rank++)
        {
            final ByteBuffer host = ByteBuffer.allocate(HOST_LENGTH);
            host.asLongBuffer().put(words, rank * WORDS + 1, WORDS - 1);
            ranks.add(new RankInfo(
                rank, new String(host.array(), StandardCharsets.UTF_8).replace("\0", ""), words[rank * WORDS]));
        }
        return ranks;
    }
}
