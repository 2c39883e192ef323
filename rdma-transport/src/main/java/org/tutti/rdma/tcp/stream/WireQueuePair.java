/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.stream;

import org.tutti.rdma.soft.queue.LocalQueuePair;
import org.tutti.rdma.soft.segment.SpinLock;

/** A queue pair whose guard only threads of this process acquire. The guard is reentrant. */
public final class WireQueuePair extends LocalQueuePair
{
    private final SpinLock lock = new SpinLock();
    private volatile Thread holder;
    private int depth;

    /**
     * Describes a queue pair that is being created.
     *
     * @param control address of the control segment.
     * @param token   token of its context.
     * @param index   index of its entry in the control segment.
     * @param domain  number of its protection domain.
     */
    public WireQueuePair(final long control, final int token, final int index, final int domain)
    {
        super(control, token, index, domain);
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck")
    public boolean acquireGuard(final long deadlineNs)
    {
        final Thread caller = Thread.currentThread();
        if (holder == caller)
        {
            depth++;
            return true;
        }
        if (!lock.tryLock())
        {
            final long startNs = System.nanoTime();
            do
            {
                if (System.nanoTime() - startNs > deadlineNs)
                {
                    return false;
                }
                Thread.yield();
            }
            while (!lock.tryLock());
        }
        holder = caller;
        return true;
    }

    @Override
    public void releaseGuard()
    {
        if (depth > 0)
        {
            depth--;
            return;
        }
        holder = null;
        lock.unlock();
    }

    @Override
    protected String guardHolder()
    {
        return "thread " + holder;
    }
}
