/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.UnsafeApi;

import static org.tutti.rdma.shm.QueuePairEntry.GUARD_OFFSET;

/**
 * The word of a queue pair that whoever executes on it holds: a peer that delivers to it, or the owner that changes its
 * state. It holds the token of the context, so that what a killed process held can be taken from it. Not reentrant.
 */
@SuppressWarnings("ThreadPriorityCheck")
final class Guard
{
    private static final int SPINS = 200;
    private static final int YIELDS_BETWEEN_CHECKS = 1000;

    private Guard()
    {
    }

    /**
     * Takes the guard, from a holder that is known to be dead if need be, and puts right what it left.
     *
     * @param context    of the caller.
     * @param control    segment of the queue pair's owner.
     * @param entry      of the queue pair.
     * @param deadlineNs how long to wait, in nanoseconds.
     * @return false when a holder that may be alive did not let go in time.
     */
    static boolean acquire(
        final ShmContext context, final long control, final long entry, final long deadlineNs)
    {
        return SharedAtomics.compareAndSetInt(entry + GUARD_OFFSET, 0, context.token()) ||
            acquireContended(context, control, entry, deadlineNs);
    }

    /**
     * Lets go, unless somebody took this context for dead and has the guard now.
     *
     * @param context of the caller, who acquired it.
     * @param entry   of the queue pair.
     */
    static void release(final ShmContext context, final long entry)
    {
        SharedAtomics.compareAndSetInt(entry + GUARD_OFFSET, context.token(), 0);
    }

    private static boolean acquireContended(
        final ShmContext context, final long control, final long entry, final long deadlineNs)
    {
        final long deadline = System.nanoTime() + deadlineNs;
        for (long attempt = 1; ; attempt++)
        {
            final int holder = UnsafeApi.getIntVolatile(null, entry + GUARD_OFFSET);
            if (holder == 0)
            {
                if (SharedAtomics.compareAndSetInt(entry + GUARD_OFFSET, 0, context.token()))
                {
                    return true;
                }
            }
            else if (attempt % YIELDS_BETWEEN_CHECKS == 0)
            {
                if (context.isDead(holder) &&
                    SharedAtomics.compareAndSetInt(entry + GUARD_OFFSET, holder, context.token()))
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
