/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.queue;

/**
 * Decides when retries of a request are exhausted. Attempts may be made at any time; only an expired timer counts as a
 * retry. Guarded by the queue pair's posting lock.
 */
public final class RetryTimer
{
    /** Retries without limit. */
    public static final int FOREVER = -1;
    /** Maximum interval between attempts to an unresponsive peer, if the timer is longer or infinite. */
    public static final long MAX_PAUSE_NS = 1_000_000L;

    /** InfiniBand Architecture Specification, volume 1, table 45: RNR timer values in units of 10 µs. */
    private static final int[] RNR_TIMERS =
    {
        65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072,
        4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152
    };

    private int reason;
    private int expiries;
    private long intervalNs;
    private long dueNs;

    /**
     * Decodes the RNR delay, which a receiver requests when it is not ready.
     *
     * @param encoded encoded value, from 0 to 31.
     * @return delay in nanoseconds, from 10 µs to 655.36 ms.
     */
    public static long rnrDelayNs(final int encoded)
    {
        return RNR_TIMERS[encoded & 31] * 10_000L;
    }

    /**
     * Decodes the acknowledge timeout.
     *
     * @param encoded encoded value, from 1 to 31.
     * @return 4.096 µs × 2^encoded, in nanoseconds.
     */
    public static long acknowledgeTimeoutNs(final int encoded)
    {
        return 4096L << encoded;
    }

    /**
     * Whether a request has failed and is to be retried.
     *
     * @return false until the first failure.
     */
    public boolean isRunning()
    {
        return reason != 0;
    }

    /** Resets the timer: the next failure counts as the first. */
    public void reset()
    {
        reason = 0;
    }

    /**
     * Records a failed attempt.
     *
     * @param why        reason, other than 0; a different reason restarts the count.
     * @param nowNs      current time by {@link System#nanoTime()}.
     * @param delayNs    delay before a retry counts, in nanoseconds.
     * @param maxRetries number of retries, or {@link #FOREVER}.
     * @return true if the retries are exhausted.
     */
    public boolean isExhausted(final int why, final long nowNs, final long delayNs, final int maxRetries)
    {
        if (reason != why)
        {
            reason = why;
            expiries = 0;
            intervalNs = delayNs;
            dueNs = nowNs + delayNs;
            return maxRetries == 0;
        }
        if (nowNs - dueNs >= 0)
        {
            expiries++;
            intervalNs = delayNs;
            dueNs = nowNs + delayNs;
            return maxRetries != FOREVER && expiries >= maxRetries;
        }
        return false;
    }

    /**
     * The delay until the next attempt.
     *
     * @param nowNs current time by {@link System#nanoTime()}.
     * @return delay in nanoseconds, greater than 0.
     */
    public long pauseNs(final long nowNs)
    {
        return Math.clamp(dueNs - nowNs, 1, Math.min(intervalNs, MAX_PAUSE_NS));
    }
}
