/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.stream;

import org.agrona.UnsafeApi;
import org.tutti.rdma.soft.queue.RetryTimer;
import org.tutti.rdma.soft.segment.QueuePairEntry;

/**
 * The time limits of a queue pair: how long a request waits for the connection, and a message of the peer for a
 * receive. Guarded by the posting lock, except {@link #isRunning} and {@link #setRefused}.
 */
final class WaitTimers
{
    private static final int RNR_RETRY_FOREVER = 7;
    /**
     * Time limit of a connection, as a multiple of the time in which a packet and its repetitions must be acknowledged:
     * threads of both processes must run several times, which a loaded host delays.
     */
    private static final long CONNECT_FACTOR = 32;
    /** Minimum time that a connection may take, however short the acknowledge timeout is. */
    private static final long MIN_CONNECT_NS = 2_000_000_000L;

    private final WireQueuePair queuePair;
    private volatile boolean isRefused;
    private boolean isConnecting;
    private long connectingSinceNs;
    private boolean isPaused;
    private long pausedSinceNs;

    WaitTimers(final WireQueuePair queuePair)
    {
        this.queuePair = queuePair;
    }

    /** Stops all timers. */
    void reset()
    {
        isConnecting = false;
        isPaused = false;
        isRefused = false;
    }

    /** Whether a timer runs. A snapshot. */
    boolean isRunning()
    {
        return isConnecting || isPaused;
    }

    /** Whether a request waits for the connection. */
    boolean isConnecting()
    {
        return isConnecting;
    }

    /** Starts to wait for the connection; false if that had begun before. */
    boolean startConnecting()
    {
        if (isConnecting)
        {
            return false;
        }
        isConnecting = true;
        connectingSinceNs = System.nanoTime();
        return true;
    }

    void stopConnecting()
    {
        isConnecting = false;
    }

    /**
     * Notes how the last attempt to connect failed.
     *
     * @param isRefusedNow whether the peer's host refused the connection or cannot be reached: it is not only slow.
     */
    void setRefused(final boolean isRefusedNow)
    {
        isRefused = isRefusedNow;
    }

    /** Whether a request has waited for the connection for too long. */
    boolean isConnectingTooLong()
    {
        final int timeout = queuePair.attributes().timeout();
        return timeout != 0 && System.nanoTime() - connectingSinceNs >
            connectLimitNs(timeout, queuePair.attributes().retryCount(), isRefused);
    }

    /**
     * The time for which a request waits for the connection.
     *
     * @param timeout    exponent of the acknowledge timeout, from 1.
     * @param retryCount number of retries.
     * @param isRefused  whether the peer's host refused the last attempt.
     * @return time in nanoseconds.
     */
    static long connectLimitNs(final int timeout, final int retryCount, final boolean isRefused)
    {
        final long retriesNs = (retryCount + 1L) * RetryTimer.acknowledgeTimeoutNs(timeout);
        return Math.max(MIN_CONNECT_NS, isRefused ? retriesNs : CONNECT_FACTOR * retriesNs);
    }

    /** Whether a message of the peer waits for a receive. */
    boolean isPaused()
    {
        return isPaused;
    }

    /** Notes whether a message of the peer waits for a receive; true if that begins now. */
    boolean pause(final boolean isNow)
    {
        final boolean isBeginning = isNow && !isPaused;
        if (isBeginning)
        {
            pausedSinceNs = System.nanoTime();
        }
        isPaused = isNow;
        return isBeginning;
    }

    /** Whether a message of the peer has waited for a receive for too long. The queue pair is in RTS. */
    boolean isPausedTooLong()
    {
        final int retries = queuePair.attributes().rnrRetry();
        if (retries == RNR_RETRY_FOREVER)
        {
            return false;
        }
        final long delayNs =
            RetryTimer.rnrDelayNs(UnsafeApi.getInt(queuePair.entry() + QueuePairEntry.MIN_RNR_TIMER_OFFSET));
        return retries == 0 || System.nanoTime() - pausedSinceNs > retries * delayNs;
    }
}
