/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni.impl;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCReqNotify;
import org.agrona.UnsafeApi;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.WorkCompletion;
import org.tutti.rdma.spi.Children;

import java.io.IOException;

/**
 * A completion queue, polled by stateful calls. It translates completions back to the users' wr_ids and queue pair
 * numbers. Thread-safe.
 */
final class DisniCompletionQueue implements CompletionQueue
{
    /**
     * Log2 of the largest batch: a stateful call polls a fixed number of completions, so there is one call for each
     * power of two.
     */
    private static final int MAX_BATCH_SHIFT = 4;

    private final DisniContext context;
    private final DisniCompletionChannel channel;
    private final int capacity;
    private final RdmaVerbs verbs;
    private final IbvCompChannel events;
    private final IbvCQ queue;
    private final IbvWC[] completions = new IbvWC[1 << MAX_BATCH_SHIFT];
    private final SVCPollCq[] polls = new SVCPollCq[MAX_BATCH_SHIFT + 1];
    private final SVCReqNotify notifyAny;
    private final SVCReqNotify notifySolicited;
    private final Object waiting = new Object();
    private final CompletionStash stash = new CompletionStash();
    private final Children children = new Children("completion queue", "queue pairs");
    private volatile boolean isClosed;

    DisniCompletionQueue(
        final DisniContext context, final int capacity, final DisniCompletionChannel channel, final int vector)
        throws IOException
    {
        this.context = context;
        this.capacity = capacity;
        this.channel = channel;
        verbs = RdmaVerbs.open();
        events = verbs.createCompChannel(context.verbs());
        try
        {
            queue = verbs.createCQ(context.verbs(), events, capacity, vector);
        }
        catch (final IOException e)
        {
            verbs.destroyCompChannel(events);
            throw e;
        }
        for (int i = 0; i < completions.length; i++)
        {
            completions[i] = new IbvWC();
        }
        for (int shift = 0; shift <= MAX_BATCH_SHIFT; shift++)
        {
            polls[shift] = verbs.pollCQ(queue, completions, 1 << shift);
        }
        notifyAny = verbs.reqNotifyCQ(queue, false);
        notifySolicited = verbs.reqNotifyCQ(queue, true);
        try
        {
            if (channel != null)
            {
                channel.add(this);
            }
        }
        catch (final RdmaException e)
        {
            free();
            throw e;
        }
    }

    DisniContext context()
    {
        return context;
    }

    IbvCQ queue()
    {
        return queue;
    }

    @Override
    public synchronized int poll(final long completionAddress, final int maxEntries)
    {
        if (isClosed)
        {
            return -Errno.EINVAL;
        }
        int count = stash.take(completionAddress, maxEntries);
        try
        {
            while (count < maxEntries)
            {
                final int shift = Math.min(MAX_BATCH_SHIFT, 31 - Integer.numberOfLeadingZeros(maxEntries - count));
                final int polled = polls[shift].execute().getPolls();
                for (int i = 0; i < polled; i++)
                {
                    if (write(completions[i], completionAddress + (long)count * WorkCompletion.SIZE))
                    {
                        count++;
                    }
                }
                if (polled < 1 << shift)
                {
                    break;
                }
            }
        }
        catch (final IOException e)
        {
            return count > 0 ? count : -DisniErrors.errno(e);
        }
        return count;
    }

    /** Translates a completion for the user; returns false if its endpoint is no longer in use. */
    private boolean write(final IbvWC completion, final long address)
    {
        final long id = completion.getWr_id();
        final DisniQueuePair queuePair = context.queuePairs().find(WorkRequestId.index(id));
        if (queuePair == null || queuePair.attempt() != WorkRequestId.attempt(id))
        {
            return false;
        }
        final boolean isSuccess = completion.getStatus() == 0;
        final int status = isSuccess ? 0 : queuePair.failed(id, completion.getStatus());
        UnsafeApi.putLong(address + WorkCompletion.WR_ID_OFFSET, queuePair.complete(id));
        UnsafeApi.putInt(address + WorkCompletion.STATUS_OFFSET, status);
        UnsafeApi.putInt(address + WorkCompletion.QP_NUM_OFFSET, queuePair.qpNum());
        UnsafeApi.putInt(address + WorkCompletion.OPCODE_OFFSET, completion.getOpcode());
        // In a failed completion, DiSNI leaves these fields as an earlier completion set them.
        UnsafeApi.putInt(address + WorkCompletion.VENDOR_ERR_OFFSET, isSuccess ? completion.getVendor_err() : 0);
        UnsafeApi.putInt(address + WorkCompletion.BYTE_LEN_OFFSET, isSuccess ? completion.getByte_len() : 0);
        UnsafeApi.putInt(address + WorkCompletion.IMM_DATA_OFFSET, isSuccess ? completion.getImm_data() : 0);
        UnsafeApi.putInt(address + WorkCompletion.WC_FLAGS_OFFSET, isSuccess ? completion.getWc_flags() : 0);
        UnsafeApi.putInt(address + WorkCompletion.SRC_QP_OFFSET, 0);
        UnsafeApi.putLong(address + WorkCompletion.WC_FLAGS_OFFSET + Integer.BYTES, 0);
        return true;
    }

    /**
     * Drops the completions of endpoints that are no longer in use and stashes the others for the next poll. This keeps
     * a queue that is not polled from overrunning while queue pairs fail or are reset.
     */
    synchronized void purge()
    {
        while (!isClosed && stash.free() > 0)
        {
            try
            {
                final int polled = polls[0].execute().getPolls();
                if (polled == 0)
                {
                    return;
                }
                if (write(completions[0], stash.next()))
                {
                    stash.add();
                }
            }
            catch (final IOException e)
            {
                // The next poll fails too and reports it.
                return;
            }
        }
    }

    @Override
    public synchronized void requestNotify(final boolean solicitedOnly)
    {
        if (isClosed || channel == null)
        {
            throw new RdmaException(Errno.EINVAL, "ibv_req_notify_cq",
                isClosed ? "the completion queue is closed" : "the completion queue has no channel");
        }
        try
        {
            (solicitedOnly ? notifySolicited : notifyAny).execute();
        }
        catch (final IOException e)
        {
            throw DisniErrors.of("ibv_req_notify_cq", "the completion queue", e);
        }
    }

    /**
     * Waits for an event.
     *
     * @param timeoutMs maximum time to wait, in milliseconds; 0 polls.
     * @return true if an event arrived.
     */
    boolean awaitEvent(final int timeoutMs)
    {
        synchronized (waiting)
        {
            try
            {
                if (isClosed || !verbs.getCqEvent(events, queue, timeoutMs))
                {
                    return false;
                }
                verbs.ackCqEvents(queue, 1);
                return true;
            }
            catch (final IOException e)
            {
                throw DisniErrors.of("ibv_get_cq_event", "the completion channel", e);
            }
        }
    }

    @Override
    public int capacity()
    {
        return capacity;
    }

    @Override
    public void resize(final int newCapacity)
    {
        throw new RdmaException(Errno.EOPNOTSUPP, "ibv_resize_cq", "DiSNI cannot resize a completion queue from " +
            capacity + " to " + newCapacity + "; create a new one, or use the transport verbs");
    }

    Children children()
    {
        return children;
    }

    @Override
    public void close()
    {
        if (!children.close("ibv_destroy_cq"))
        {
            return;
        }
        synchronized (this)
        {
            isClosed = true;
        }
        if (channel != null)
        {
            channel.remove(this);
        }
        synchronized (waiting)
        {
            free();
        }
        context.children().release();
    }

    private void free()
    {
        try
        {
            for (final SVCPollCq poll : polls)
            {
                poll.free();
            }
            verbs.destroyCQ(queue);
            verbs.destroyCompChannel(events);
        }
        catch (final IOException e)
        {
            throw DisniErrors.of("ibv_destroy_cq", "the completion queue", e);
        }
    }
}
