/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.transport;

/**
 * Decides when a request that could not be executed is given up. It may be tried at any time; only a timer that expires
 * counts as a retry. Used under the queue pair's posting lock.
 */
final class RetryTimer
{
    /** Retries without end. */
    static final int FOREVER = -1;
    /** How soon a silent peer is asked again, where the timer itself is longer or endless. */
    static final long MAX_PAUSE_NS = 1_000_000L;

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
     * The delay that a receiver which is not ready asks for.
     *
     * @param encoded encoded value, from 0 to 31.
     * @return in nanoseconds, from 10 µs to 655.36 ms.
     */
    static long rnrDelayNs(final int encoded)
    {
        return RNR_TIMERS[encoded & 31] * 10_000L;
    }

    /**
     * The time in which an answer must come.
     *
     * @param encoded encoded value, from 1 to 31.
     * @return 4.096 µs × 2^encoded, in nanoseconds.
     */
    static long acknowledgeTimeoutNs(final int encoded)
    {
        return 4096L << encoded;
    }

    /**
     * Whether a request was attempted and is to be tried again.
     *
     * @return false until the first failure.
     */
    boolean isRunning()
    {
        return reason != 0;
    }

    /** Forgets: the next failure is a first one. */
    void reset()
    {
        reason = 0;
    }

    /**
     * Notes that an attempt failed.
     *
     * @param why        a number other than 0; a new one starts afresh.
     * @param nowNs      current time by {@link System#nanoTime()}.
     * @param delayNs    delay before a retry counts, in nanoseconds.
     * @param maxRetries number of retries, or {@link #FOREVER}.
     * @return true when the request has to be given up.
     */
    boolean isExhausted(final int why, final long nowNs, final long delayNs, final int maxRetries)
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
     * When it is worth trying again.
     *
     * @param nowNs current time by {@link System#nanoTime()}.
     * @return in nanoseconds from now, more than 0.
     */
    long pauseNs(final long nowNs)
    {
        return Math.clamp(dueNs - nowNs, 1, Math.min(intervalNs, MAX_PAUSE_NS));
    }
}
