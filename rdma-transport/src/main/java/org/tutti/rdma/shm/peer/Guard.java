/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.peer;

import org.agrona.UnsafeApi;
import org.tutti.rdma.soft.segment.Receives;
import org.tutti.rdma.soft.segment.SharedAtomics;

import static org.tutti.rdma.soft.segment.QueuePairEntry.GUARD_OFFSET;

/**
 * A lock word of a queue pair, held by its executor: a peer that delivers to it, or the owner that changes its state.
 * It contains the token of the holding context, so that the guard of a killed process can be taken over. Not reentrant.
 */
@SuppressWarnings("ThreadPriorityCheck")
public final class Guard
{
    private static final int SPINS = 200;
    private static final int YIELDS_BETWEEN_CHECKS = 1000;

    private Guard()
    {
    }

    /**
     * Acquires the guard; takes it over from a dead holder and repairs the state that the holder left.
     *
     * @param peers      peers of the caller.
     * @param control    segment of the queue pair's owner.
     * @param entry      entry of the queue pair.
     * @param deadlineNs maximum time to wait, in nanoseconds.
     * @return false if a holder that may be alive did not release it in time.
     */
    public static boolean acquire(
        final Peers peers, final long control, final long entry, final long deadlineNs)
    {
        return SharedAtomics.compareAndSetInt(entry + GUARD_OFFSET, 0, peers.token()) ||
            acquireContended(peers, control, entry, deadlineNs);
    }

    /**
     * Releases the guard, unless a peer considered this context dead and took over the guard.
     *
     * @param peers peers of the caller, which acquired the guard.
     * @param entry entry of the queue pair.
     */
    public static void release(final Peers peers, final long entry)
    {
        SharedAtomics.compareAndSetInt(entry + GUARD_OFFSET, peers.token(), 0);
    }

    private static boolean acquireContended(
        final Peers peers, final long control, final long entry, final long deadlineNs)
    {
        final long deadline = System.nanoTime() + deadlineNs;
        for (long attempt = 1; ; attempt++)
        {
            final int holder = UnsafeApi.getIntVolatile(null, entry + GUARD_OFFSET);
            if (holder == 0)
            {
                if (SharedAtomics.compareAndSetInt(entry + GUARD_OFFSET, 0, peers.token()))
                {
                    return true;
                }
            }
            else if (attempt % YIELDS_BETWEEN_CHECKS == 0)
            {
                if (peers.isDead(holder) &&
                    SharedAtomics.compareAndSetInt(entry + GUARD_OFFSET, holder, peers.token()))
                {
                    Receives.recover(control, entry);
                    return true;
                }
                if (System.nanoTime() - deadline > 0)
                {
                    return false;
                }
            }
            if (attempt < SPINS)
            {
                Thread.onSpinWait();
            }
            else
            {
                Thread.yield();
            }
        }
    }
}
