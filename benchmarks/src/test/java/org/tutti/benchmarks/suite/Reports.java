/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import org.tutti.benchmarks.perf.Operation;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Made-up results. */
final class Reports
{
    static final Case CASE = Case.of(Operation.ALLREDUCE, false, 2, "none", Wire.SHM, "-n 100");
    static final Conditions CONDITIONS = new Conditions("2026-11-22", "abc1234", "A \"JVM\" 25, <fast>",
        "A & B, 2 cores, 24 GiB, Linux");

    private Reports()
    {
    }

    /** A case with three rounds of each peer. */
    static CaseResult result(final Case of)
    {
        final List<Sample> samples = new ArrayList<>();
        final String[] peers = {"Tutti", "Open MPI v4.1.4", "MPICH 4.0.2", "roofline"};
        for (int round = 1; round <= 3; round++)
        {
            for (int i = 0; i < peers.length; i++)
            {
                final TreeMap<Long, Double> times = new TreeMap<>();
                for (long size = of.hasSizes() ? of.first(4) : 0; size <= 1 << 20; size *= 4)
                {
                    // Multiples of 0.001, which all files keep.
                    times.put(size,
                        Math.round((200 + i * 100 + size * (1 + i) / 8.0) * (1 + 0.05 * round)) / 1000.0);
                    if (size == 0)
                    {
                        break;
                    }
                }
                samples.add(new Sample(round, peers[i], 57 + round, times));
            }
        }
        return CaseResult.of(of, CONDITIONS, samples);
    }

    static SuiteReport report(final String missing)
    {
        return new SuiteReport("./tutti bench allreduce barrier", List.of(result(CASE),
            result(Case.of(Operation.BROADCAST, false, 4, "none", Wire.SHM, "")),
            result(Case.of(Operation.BARRIER, false, 2, "core", Wire.SHM, ""))), missing);
    }
}
