/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.agrona.UnsafeApi;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.os.NativeFunction;
import org.tutti.rdma.spi.Children;
import org.tutti.rdma.spi.Parents;

import java.lang.foreign.MemorySegment;

/** A completion queue: {@code struct ibv_cq}. */
final class VerbsCompletionQueue implements CompletionQueue
{
    private static final String CREATE_CQ = "ibv_create_cq";
    private static final String RESIZE_CQ = "ibv_resize_cq";
    private static final String NOTIFY_CQ = "ibv_req_notify_cq";
    /** The errno of a function that a driver does not implement. */
    private static final int ENOSYS = 38;

    private final VerbsContext context;
    private final VerbsCompletionChannel channel;
    private final Parents parents;
    private final Children children = new Children("completion queue", "queue pairs");
    private final Gate gate = new Gate();
    private final MemorySegment pollCq;
    private final MemorySegment requestNotify;
    private final long handle;
    private volatile boolean isOverrun;

    VerbsCompletionQueue(
        final VerbsContext context, final int capacity, final VerbsCompletionChannel channel, final int vector)
    {
        this.context = context;
        this.channel = channel;
        pollCq = context.pollCq();
        requestNotify = context.requestNotify();
        parents = channel == null ? Parents.retain(CREATE_CQ, context.children()) :
            Parents.retain(CREATE_CQ, context.children(), channel.children());
        handle = Libibverbs.CREATE_CQ.call(
            context.handle(), capacity, 0, channel == null ? 0 : channel.handle(), vector);
        if (handle == 0)
        {
            final int errno = NativeFunction.errno();
            parents.release();
            throw VerbsErrors.of(errno, CREATE_CQ, "cannot create a completion queue for " + capacity +
                " completions; " + context.device() + " has " + context.limits().maxCompletionQueues + " of up to " +
                context.limits().maxCqe);
        }
        context.elements().add(handle, this);
        if (channel != null)
        {
            channel.add(this);
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

    boolean isClosed()
    {
        return gate.isClosed();
    }

    /** Called on an overrun event: completions were lost, so polling fails once it has returned those that are left. */
    void overrun()
    {
        isOverrun = true;
    }

    @Override
    public int poll(final long completionAddress, final int maxEntries)
    {
        if (!gate.enter())
        {
            return -Errno.EINVAL;
        }
        final int count;
        try
        {
            count = DataPath.pollCq(pollCq, handle, maxEntries, completionAddress);
        }
        finally
        {
            gate.exit();
        }
        return count > 0 ? count : resultOfEmptyPoll(count);
    }

    private int resultOfEmptyPoll(final int result)
    {
        if (isOverrun)
        {
            return -Errno.ENOMEM;
        }
        // Drivers return different numbers if they cannot read the queue.
        return result == 0 ? 0 : -Errno.EINVAL;
    }

    @Override
    public void requestNotify(final boolean solicitedOnly)
    {
        if (channel == null)
        {
            throw VerbsErrors.invalid(NOTIFY_CQ, "the completion queue has no channel; give createCompletionQueue one");
        }
        if (!gate.enter())
        {
            throw VerbsErrors.invalid(NOTIFY_CQ, "the completion queue is closed");
        }
        final int result;
        try
        {
            result = DataPath.requestNotify(requestNotify, handle, solicitedOnly ? 1 : 0);
        }
        finally
        {
            gate.exit();
        }
        if (result != 0)
        {
            throw VerbsErrors.of(Math.abs(result), NOTIFY_CQ, "cannot arm the completion queue");
        }
    }

    @Override
    public int capacity()
    {
        if (!gate.enterRarely())
        {
            return 0;
        }
        try
        {
            return UnsafeApi.getInt(handle + Layout.CQ_CQE);
        }
        finally
        {
            gate.exit();
        }
    }

    @Override
    public void resize(final int newCapacity)
    {
        VerbsErrors.checkRange(RESIZE_CQ, "cqe", newCapacity, 1, context.limits().maxCqe);
        if (!gate.enterRarely())
        {
            throw VerbsErrors.invalid(RESIZE_CQ, "the completion queue is closed");
        }
        final long result;
        final int errno;
        try
        {
            result = Libibverbs.RESIZE_CQ.call(handle, newCapacity);
            errno = result == -1 ? NativeFunction.errno() : (int)Math.abs(result);
        }
        finally
        {
            gate.exit();
        }
        if (result != 0)
        {
            throw new RdmaException(errno == ENOSYS ? Errno.EOPNOTSUPP : errno, RESIZE_CQ, "cannot resize to " +
                newCapacity + " completions" + (errno == Errno.EINVAL ? "; the queue may contain more than that" : ""));
        }
    }

    @Override
    public void close()
    {
        if (children.close("ibv_destroy_cq"))
        {
            gate.close();
            final long result = Libibverbs.DESTROY_CQ.call(handle);
            context.elements().remove(handle, this);
            if (channel != null)
            {
                channel.remove(this);
            }
            parents.release();
            VerbsErrors.check(result, "ibv_destroy_cq", "cannot free the completion queue");
        }
    }
}
