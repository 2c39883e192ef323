/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.wireup;

import org.agrona.concurrent.UnsafeBuffer;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.BootstrapRequest;
import org.tutti.collectives.endpoint.ControlBlock;
import org.tutti.collectives.util.Backoff;

import java.util.concurrent.TimeUnit;

/**
 * Where a rank that waits for long says what it calls, for those it has no connection with: the bootstrap carries a
 * copy of its {@link ControlBlock} to ranks that ask. It is written once a call at most, and never while all is well.
 * Neither writing nor reading waits for the coordinator. Thread-safe.
 */
public final class CallBoard
{
    private static final String KEY = "calls/";
    /** The board is far away: it is asked a few times a second. */
    private static final long ASK_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final Bootstrap bootstrap;
    private final ControlBlock own;
    private final Reading[] readings;
    private BootstrapRequest publishing = BootstrapRequest.answered(null);
    private long published = Long.MIN_VALUE;

    /** What is known of a peer, and the request that asks for more. */
    private static final class Reading
    {
        private ControlBlock latest;
        private BootstrapRequest request;
        private long askedNs;
    }

    CallBoard(final Bootstrap bootstrap, final ControlBlock own)
    {
        this.bootstrap = bootstrap;
        this.own = own;
        readings = new Reading[bootstrap.size()];
    }

    /** Publishes what this rank calls, unless it has since it began its last call, or has yet to be answered. */
    public synchronized void publish()
    {
        if (published != own.entered() && bootstrap.size() > 1 && publishing.test())
        {
            publishing = bootstrap.putAsync(KEY + bootstrap.rank(), own.copy());
            published = own.entered();
        }
    }

    /** Publishes that this rank makes no more calls. */
    synchronized void publishEnd()
    {
        published = Long.MIN_VALUE;
        if (bootstrap.size() > 1)
        {
            bootstrap.putAsync(KEY + bootstrap.rank(), own.copy());
            published = own.entered();
        }
    }

    /**
     * What a peer has published, as of the last answer. Asks again a few times a second.
     *
     * @return null if it has published nothing so far, or the bootstrap does not work any more.
     */
    public synchronized ControlBlock latest(final int peer)
    {
        final Reading reading = reading(peer);
        try
        {
            if (isAnswered(reading) && System.nanoTime() - reading.askedNs >= ASK_INTERVAL_NS)
            {
                ask(peer, reading);
            }
        }
        catch (final BootstrapException e)
        {
            // The job failed: that is reported where it is seen.
            return null;
        }
        return reading.latest;
    }

    /**
     * Reads what peers have published, all at once.
     *
     * @param peers     peers to poll.
     * @param blocks    get the answers, by rank.
     * @param timeoutNs maximum time to wait for answers, in nanoseconds.
     */
    public void read(final int[] peers, final ControlBlock[] blocks, final long timeoutNs)
    {
        final long startNs = System.nanoTime();
        try
        {
            synchronized (this)
            {
                for (final int peer : peers)
                {
                    ask(peer, reading(peer));
                }
            }
            for (final int peer : peers)
            {
                while (!isAnswered(peer) && System.nanoTime() - startNs < timeoutNs)
                {
                    Backoff.sleep(PAUSE_NS);
                }
            }
        }
        catch (final BootstrapException e)
        {
            // The job failed: what is known is all there is.
        }
        synchronized (this)
        {
            for (final int peer : peers)
            {
                blocks[peer] = reading(peer).latest;
            }
        }
    }

    private Reading reading(final int peer)
    {
        if (readings[peer] == null)
        {
            readings[peer] = new Reading();
            readings[peer].askedNs = System.nanoTime() - ASK_INTERVAL_NS;
        }
        return readings[peer];
    }

    private void ask(final int peer, final Reading reading)
    {
        reading.askedNs = System.nanoTime();
        reading.request = bootstrap.getAsync(KEY + peer);
    }

    private synchronized boolean isAnswered(final int peer)
    {
        return isAnswered(reading(peer));
    }

    private static boolean isAnswered(final Reading reading)
    {
        if (reading.request != null && reading.request.test())
        {
            final byte[] bytes = reading.request.value();
            reading.request = null;
            if (bytes != null && bytes.length >= ControlBlock.EXPOSURES_OFFSET)
            {
                reading.latest = new ControlBlock(new UnsafeBuffer(bytes));
            }
        }
        return reading.request == null;
    }

    /** Removes what this rank has published, when all have closed. */
    public synchronized void clear()
    {
        try
        {
            if (published != Long.MIN_VALUE)
            {
                bootstrap.take(KEY + bootstrap.rank());
            }
        }
        catch (final BootstrapException e)
        {
            // The job has ended, and the board with it.
        }
    }
}
