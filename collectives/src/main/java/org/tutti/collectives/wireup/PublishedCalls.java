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
 * Publishes the calls of a rank for ranks without a connection to it: the bootstrap stores a copy of the rank's {@link
 * ControlBlock}. Published at most once per call, when the call has waited for more than a second or creates or closes
 * an object on all ranks, and once more when the communicator is closed. Neither writing nor reading blocks on the
 * coordinator. Thread-safe.
 */
public final class PublishedCalls
{
    private static final String KEY = "calls/";
    /** Queries go to the coordinator, so they are limited to a few per second. */
    private static final long QUERY_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final Bootstrap bootstrap;
    private final ControlBlock own;
    private final Reading[] readings;
    private BootstrapRequest publishing = BootstrapRequest.answered(null);
    private long published = Long.MIN_VALUE;

    /** The last known control block of a peer, and the pending query. */
    private static final class Reading
    {
        private ControlBlock latest;
        private BootstrapRequest request;
        private long queriedNs;
    }

    PublishedCalls(final Bootstrap bootstrap, final ControlBlock own)
    {
        this.bootstrap = bootstrap;
        this.own = own;
        readings = new Reading[bootstrap.size()];
    }

    /**
     * Publishes this rank's calls, unless they were published since its last call began, or the previous put is
     * pending.
     */
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
     * Returns what a peer has published, as of the last answer. Queries again a few times per second.
     *
     * @return control block, or null if the peer has published nothing so far, or the bootstrap has failed.
     */
    public synchronized ControlBlock latest(final int peer)
    {
        final Reading reading = reading(peer);
        try
        {
            if (isAnswered(reading) && System.nanoTime() - reading.queriedNs >= QUERY_INTERVAL_NS)
            {
                query(peer, reading);
            }
        }
        catch (final BootstrapException e)
        {
            // The failure of the job is reported elsewhere.
            return null;
        }
        return reading.latest;
    }

    /** Returns whether a peer has published that it has closed its communicator, as of the last answer. */
    public boolean hasClosed(final int peer)
    {
        final ControlBlock block = latest(peer);
        return block != null && block.closed() >= 0;
    }

    /**
     * Reads what peers have published, all concurrently.
     *
     * @param peers     peers to poll.
     * @param blocks    destination of the answers, by rank.
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
                    query(peer, reading(peer));
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
            // The job has failed; return what is known.
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
            readings[peer].queriedNs = System.nanoTime() - QUERY_INTERVAL_NS;
        }
        return readings[peer];
    }

    private void query(final int peer, final Reading reading)
    {
        reading.queriedNs = System.nanoTime();
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

    /** Removes what this rank has published, when all ranks have closed. */
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
            // The job has ended, and its store with it.
        }
    }
}
