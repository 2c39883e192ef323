/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.peer;

import org.agrona.UnsafeApi;
import org.tutti.rdma.os.FileCalls;
import org.tutti.rdma.os.PollCalls;
import org.tutti.rdma.soft.segment.CompletionRing;
import org.tutti.rdma.soft.segment.ControlLayout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Detects within milliseconds, by pidfds, the death of processes that queue pairs are connected to; where the kernel or
 * a namespace denies pidfds, polls their file locks ten times per second.
 */
final class PeerWatcher extends Thread
{
    private static final int PERIOD_MS = 100;
    private static final int MAX_POLLED = 4096;

    private final long doorbell;
    private final List<PeerContext> peers = new ArrayList<>();
    /**
     * Wakes the watcher when peers are added or removed; negative if no descriptor was free: such changes then take
     * effect in the next period.
     */
    private final int wakeup = PollCalls.eventDescriptor();
    private boolean isStopped;

    /**
     * Creates a watcher without peers.
     *
     * @param control segment of the context whose progress thread is woken when a peer dies.
     * @param index   index of the context.
     */
    PeerWatcher(final long control, final int index)
    {
        super("tutti-shm-watcher-" + index);
        setDaemon(true);
        doorbell = control + ControlLayout.DOORBELL_OFFSET;
    }

    synchronized void watch(final PeerContext peer)
    {
        peers.add(peer);
        peer.openProcess();
        PollCalls.signalEvent(wakeup);
    }

    /**
     * Stops watching a peer; after this returns, the peer can be unmapped.
     *
     * @param peer the watched peer.
     */
    synchronized void forget(final PeerContext peer)
    {
        peers.remove(peer);
        PollCalls.signalEvent(wakeup);
    }

    @Override
    public void run()
    {
        final long pollSet = UnsafeApi.allocateMemory(8L * MAX_POLLED);
        try
        {
            boolean isRunning = true;
            while (isRunning)
            {
                isRunning = watch(pollSet);
            }
        }
        finally
        {
            UnsafeApi.freeMemory(pollSet);
            FileCalls.close(wakeup);
        }
    }

    /**
     * Waits until a process exits, the set of peers changes or the period ends, then checks the peers; false to stop.
     */
    private boolean watch(final long pollSet)
    {
        try
        {
            final int count;
            final boolean isPeriodic;
            synchronized (this)
            {
                if (isStopped)
                {
                    return false;
                }
                count = fill(pollSet);
                isPeriodic = wakeup < 0 || count < livePeers() + 1;
            }
            PollCalls.poll(pollSet, count, isPeriodic ? PERIOD_MS : 10 * PERIOD_MS);
            if (PollCalls.isReady(pollSet, 0))
            {
                PollCalls.drainEvent(wakeup);
            }
            if (checkPeers())
            {
                CompletionRing.wake(doorbell);
            }
        }
        catch (final InternalError e)
        {
            // The segment of this context or of a peer was truncated: threads that post or poll get the error.
            LockSupport.parkNanos(PERIOD_MS * 1_000_000L);
        }
        return true;
    }

    private int fill(final long pollSet)
    {
        PollCalls.putEntry(pollSet, 0, wakeup);
        int count = 1;
        for (final PeerContext peer : peers)
        {
            if (peer.processDescriptor() >= 0 && !peer.isGone() && count < MAX_POLLED)
            {
                PollCalls.putEntry(pollSet, count++, peer.processDescriptor());
            }
        }
        return count;
    }

    private int livePeers()
    {
        int count = 0;
        for (final PeerContext peer : peers)
        {
            count += peer.isGone() ? 0 : 1;
        }
        return count;
    }

    private synchronized boolean checkPeers()
    {
        boolean isOneDead = false;
        for (final PeerContext peer : peers)
        {
            isOneDead |= !peer.isGone() && peer.checkDead();
        }
        return isOneDead;
    }

    void shutdown()
    {
        synchronized (this)
        {
            isStopped = true;
            PollCalls.signalEvent(wakeup);
        }
        boolean isInterrupted = false;
        while (isAlive())
        {
            try
            {
                join();
            }
            catch (final InterruptedException e)
            {
                isInterrupted = true;
            }
        }
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }
}
