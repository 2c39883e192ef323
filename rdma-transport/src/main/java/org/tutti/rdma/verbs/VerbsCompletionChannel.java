/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.agrona.UnsafeApi;
import org.agrona.collections.Long2ObjectHashMap;
import org.tutti.rdma.CompletionChannel;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.os.FileCalls;
import org.tutti.rdma.os.NativeFunction;
import org.tutti.rdma.os.PollCalls;
import org.tutti.rdma.spi.Children;
import org.tutti.rdma.spi.Parents;

/** A completion channel: {@code struct ibv_comp_channel}; waits on its descriptor. */
final class VerbsCompletionChannel implements CompletionChannel
{
    private static final String VERB = "ibv_create_comp_channel";

    private final VerbsContext context;
    private final Parents parents;
    private final Children children = new Children("completion channel", "completion queues");
    private final long handle;
    private final int fd;
    private final int closeFd;
    /** The queues by native address. */
    private final Long2ObjectHashMap<VerbsCompletionQueue> queues = new Long2ObjectHashMap<>();
    private int waiters;
    private volatile boolean isClosed;

    VerbsCompletionChannel(final VerbsContext context)
    {
        this.context = context;
        parents = Parents.retain(VERB, context.children());
        handle = Libibverbs.CREATE_COMP_CHANNEL.call(context.handle());
        if (handle == 0)
        {
            final int errno = NativeFunction.errno();
            parents.release();
            throw VerbsErrors.of(errno, VERB, "cannot create a completion channel");
        }
        fd = UnsafeApi.getInt(handle + Layout.COMP_CHANNEL_FD);
        closeFd = PollCalls.eventDescriptor();
        final int result = closeFd < 0 ? closeFd : FileCalls.setNonBlocking(fd);
        if (result < 0)
        {
            free();
            throw VerbsErrors.of(-result, VERB, "cannot wait for the channel's descriptor");
        }
    }

    VerbsContext context()
    {
        return context;
    }

    long handle()
    {
        return handle;
    }

    Children children()
    {
        return children;
    }

    synchronized void add(final VerbsCompletionQueue queue)
    {
        queues.put(queue.handle(), queue);
    }

    synchronized void remove(final VerbsCompletionQueue queue)
    {
        queues.remove(queue.handle(), queue);
    }

    @Override
    public CompletionQueue awaitEvent(final long timeoutNs)
    {
        if (!enter())
        {
            return null;
        }
        try
        {
            final long startNs = System.nanoTime();
            while (true)
            {
                final CompletionQueue queue = takeEvent();
                final long leftNs = timeoutNs - (System.nanoTime() - startNs);
                if (queue != null || leftNs <= 0 || isClosed)
                {
                    return queue;
                }
                PollCalls.awaitReadable(fd, closeFd, leftNs);
            }
        }
        finally
        {
            leave();
        }
    }

    /**
     * Takes an event under the lock, so that the event's queue is still in the table: the queue is freed only after the
     * acknowledgement of the event, and removed from the table after that.
     */
    private synchronized CompletionQueue takeEvent()
    {
        while (!isClosed)
        {
            final long event = EventCalls.takeCqEvent(handle);
            if (event == 0)
            {
                return null;
            }
            final VerbsCompletionQueue found = queues.get(event);
            if (found != null && !found.isClosed())
            {
                return found;
            }
        }
        return null;
    }

    private synchronized boolean enter()
    {
        if (isClosed)
        {
            return false;
        }
        waiters++;
        return true;
    }

    private synchronized void leave()
    {
        waiters--;
        notifyAll();
    }

    @Override
    public void close()
    {
        if (children.close("ibv_destroy_comp_channel"))
        {
            isClosed = true;
            PollCalls.signalEvent(closeFd);
            awaitWaiters();
            free();
        }
    }

    private synchronized void awaitWaiters()
    {
        boolean isInterrupted = false;
        while (waiters > 0)
        {
            try
            {
                wait();
            }
            catch (final InterruptedException ex)
            {
                isInterrupted = true;
            }
        }
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void free()
    {
        Libibverbs.DESTROY_COMP_CHANNEL.call(handle);
        if (closeFd >= 0)
        {
            FileCalls.close(closeFd);
        }
        parents.release();
    }
}
