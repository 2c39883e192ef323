/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.verbs;

import java.util.Arrays;
import java.util.Locale;

/**
 * Latency statistics as printed by {@code ib_write_lat}. A latency is half of the time from one message of a rank to
 * the rank's next message.
 *
 * @param minUs     minimum in microseconds.
 * @param maxUs     maximum in microseconds.
 * @param typicalUs median in microseconds.
 * @param averageUs mean in microseconds.
 * @param stdevUs   standard deviation in microseconds.
 * @param p99Us     99th percentile in microseconds.
 * @param p999Us    99.9th percentile in microseconds.
 */
record LatencySummary(
    double minUs, double maxUs, double typicalUs, double averageUs, double stdevUs, double p99Us, double p999Us)
{
    /**
     * Computes the statistics.
     *
     * @param readingsNs clock readings in nanoseconds, at least two.
     * @param messages   number of messages that each rank sends between two clock readings; each latency is the mean
     *                   over them.
     * @return the statistics; messages sent after the last reading do not count.
     */
    static LatencySummary of(final long[] readingsNs, final int messages)
    {
        final double[] us = new double[readingsNs.length - 1];
        for (int i = 0; i < us.length; i++)
        {
            us[i] = (readingsNs[i + 1] - readingsNs[i]) / (2e3 * messages);
        }
        Arrays.sort(us);
        final double average = Arrays.stream(us).average().orElseThrow();
        final double variance =
            Arrays.stream(us).map(value -> (value - average) * (value - average)).average().orElseThrow();
        return new LatencySummary(us[0], us[us.length - 1], at(us, 0.5), average, Math.sqrt(variance),
            at(us, 0.99), at(us, 0.999));
    }

    static String header()
    {
        return " #bytes  #iterations  t_min[usec]  t_max[usec]  t_typical[usec]  t_avg[usec]  t_stdev[usec]" +
            "  99% percentile[usec]  99.9% percentile[usec]";
    }

    String row(final int length, final int iterations)
    {
        return String.format(Locale.ROOT, " %-7d %-12d %-12.2f %-12.2f %-16.2f %-12.2f %-14.2f %-21.2f %.2f",
            length, iterations, minUs, maxUs, typicalUs, averageUs, stdevUs, p99Us, p999Us);
    }

    private static double at(final double[] sorted, final double share)
    {
        return sorted[Math.min(sorted.length - 1, (int)(sorted.length * share))];
    }
}
