/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni.impl;

import org.agrona.BitUtil;
import org.agrona.UnsafeApi;
import org.tutti.rdma.Errno;
import org.tutti.rdma.ReceiveWorkRequest;

/**
 * One of the two queues of a queue pair: the users' wr_ids, the number of outstanding requests, and the requests that
 * wait for a connection. Posting requires the lock of the queue pair; polling completes requests in one thread at a
 * time.
 */
abstract class WorkQueue
{
    private final boolean isReceive;
    private final int max;
    private final int mask;
    private final long[] wrIds;
    private final Backlog backlog;
    private long posted;
    private volatile long completed;
    private volatile long bad;

    WorkQueue(final boolean isReceive, final int max, final Backlog backlog)
    {
        this.isReceive = isReceive;
        this.max = max;
        this.backlog = backlog;
        final int capacity = BitUtil.findNextPositivePowerOfTwo(Math.max(1, max));
        mask = capacity - 1;
        wrIds = new long[capacity];
    }

    /**
     * Posts a chain.
     *
     * @param first   address of the first request.
     * @param call    the call that posts, or null without a connection.
     * @param isKept  whether to keep copies, in case the connection is not established.
     * @param index   index of the queue pair.
     * @param attempt attempt number of the call's endpoint.
     * @return 0, or the errno of the rejected request, which {@link #bad} returns.
     */
    final int post(final long first, final PostCall call, final boolean isKept, final int index, final int attempt)
    {
        long request = first;
        long batch = first;
        int errno = 0;
        while (request != 0)
        {
            errno = posted - completed == max ? Errno.ENOMEM : check(request);
            if (errno != 0)
            {
                break;
            }
            final long position = posted++;
            wrIds[(int)position & mask] = UnsafeApi.getLong(request + ReceiveWorkRequest.WR_ID_OFFSET);
            if (isKept || call == null)
            {
                backlog.add(request, position);
            }
            final long next = UnsafeApi.getLong(request + ReceiveWorkRequest.NEXT_OFFSET);
            if (call != null)
            {
                prepare(call.add(request, WorkRequestId.of(isReceive, attempt, index, position)));
                if (call.isFull())
                {
                    errno = execute(call);
                    if (errno != 0)
                    {
                        bad = batch;
                        return errno;
                    }
                    batch = next;
                }
            }
            request = next;
        }
        if (call != null && call.count() > 0)
        {
            final int executed = execute(call);
            if (executed != 0)
            {
                bad = batch;
                return executed;
            }
        }
        bad = request;
        return errno;
    }

    /** Posts a batch. The device should not reject checked requests; if it does, none of the batch counts as posted. */
    private int execute(final PostCall call)
    {
        final int count = call.count();
        final int errno = call.post();
        if (errno != 0)
        {
            posted -= count;
        }
        return errno;
    }

    /**
     * Posts the kept copies.
     *
     * @param call    the call that posts.
     * @param index   index of the queue pair.
     * @param attempt attempt number of the call's endpoint.
     * @return false if the device rejected a copy, although the request had passed all checks.
     */
    final boolean replay(final PostCall call, final int index, final int attempt)
    {
        int errno = 0;
        for (int i = 0; i < backlog.count(); i++)
        {
            prepare(call.add(backlog.request(i),
                WorkRequestId.of(isReceive, attempt, index, backlog.position(i))));
            if (call.isFull())
            {
                errno |= call.post();
            }
        }
        if (call.count() > 0)
        {
            errno |= call.post();
        }
        return errno == 0;
    }

    /** Drops the kept copies, because the connection is established. */
    final void forget()
    {
        backlog.clear();
    }

    /** Whether requests are outstanding: posted, with neither their own nor a later completion polled yet. */
    final boolean hasOutstanding()
    {
        return posted != completed;
    }

    /** Discards all requests. */
    final void reset()
    {
        backlog.clear();
        completed = posted;
        bad = 0;
    }

    /**
     * Completes a request and all requests before it.
     *
     * @param position position of the request, from its {@link WorkRequestId}.
     * @return wr_id of the user.
     */
    final long complete(final int position)
    {
        final long done = completed;
        final long full = done + ((position - done) & WorkRequestId.POSITION_MASK);
        // Read first: a posting thread may reuse the slot as soon as the request counts as completed.
        final long wrId = wrIds[(int)full & mask];
        completed = full + 1;
        return wrId;
    }

    /**
     * Records the request of a chain that is rejected because of the queue pair's state, for {@link #bad}.
     *
     * @param request first request of the chain.
     */
    final void refuse(final long request)
    {
        bad = request;
    }

    final long bad()
    {
        return bad;
    }

    /** Checks whether a request can be posted: 0, or an errno. */
    abstract int check(long request);

    /** Prepares the copy of a request for posting. */
    abstract void prepare(long copy);
}
