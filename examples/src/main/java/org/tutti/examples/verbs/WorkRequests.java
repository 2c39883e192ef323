/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Errno;
import org.tutti.rdma.MemoryRegion;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.ReceiveWorkRequest;
import org.tutti.rdma.ScatterGatherEntry;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendWorkRequest;
import org.tutti.rdma.SharedReceiveQueue;
import org.tutti.rdma.WorkCompletion;

/**
 * One request of each kind and one completion, in native memory, where adapters read and write them. The classes of
 * verbs are views of that memory: nothing is allocated to send a message. For one thread.
 * <p>
 * A request may be changed as soon as it is posted; the <em>data</em> belongs to the adapter until the completion.
 */
final class WorkRequests
{
    /** The {@code wr_id} of all sends; receives count from 0. */
    static final long SEND_ID = -1;

    private static final int SEND_OFFSET = 0;
    private static final int RECEIVE_OFFSET = SEND_OFFSET + SendWorkRequest.SIZE;
    private static final int SEND_ENTRY_OFFSET = RECEIVE_OFFSET + ReceiveWorkRequest.SIZE;
    private static final int RECEIVE_ENTRY_OFFSET = SEND_ENTRY_OFFSET + ScatterGatherEntry.SIZE;
    private static final int COMPLETION_OFFSET = RECEIVE_ENTRY_OFFSET + ScatterGatherEntry.SIZE;
    private static final int SIZE = COMPLETION_OFFSET + WorkCompletion.SIZE;
    private static final int SPINS = 1_000;

    private final UnsafeBuffer memory = new UnsafeBuffer(BufferUtil.allocateDirectAligned(SIZE, Long.BYTES));
    private final SendWorkRequest send = new SendWorkRequest().wrap(memory, SEND_OFFSET);
    private final ReceiveWorkRequest receive = new ReceiveWorkRequest().wrap(memory, RECEIVE_OFFSET);
    private final ScatterGatherEntry entry = new ScatterGatherEntry();
    private final WorkCompletion completion = new WorkCompletion().wrap(memory, COMPLETION_OFFSET);
    private final long timeoutNs;

    /**
     * Nothing is asked for yet.
     *
     * @param timeoutNs maximum time to wait for a completion, in nanoseconds.
     */
    WorkRequests(final long timeoutNs)
    {
        this.timeoutNs = timeoutNs;
    }

    /**
     * A send request over part of a region, signaled: it will make a completion. Set what else the opcode needs, then
     * {@link #post} it.
     *
     * @param opcode one of {@code SendOpcode}.
     * @param offset offset of the local data in the region.
     * @param length length of the local data, in bytes.
     */
    SendWorkRequest send(final int opcode, final MemoryRegion region, final long offset, final int length)
    {
        entry.wrap(memory, SEND_ENTRY_OFFSET).set(region.address() + offset, length, region.lkey());
        return send.clear().wrId(SEND_ID).opcode(opcode).sendFlags(SendFlags.SIGNALED)
            .sgList(memory.addressOffset() + SEND_ENTRY_OFFSET, 1);
    }

    /** Posts the send request. */
    void post(final QueuePair qp)
    {
        check("ibv_post_send", qp.postSend(send.nativeAddress()));
    }

    /** Posts a receive request: the next message goes to this part of the region. */
    void postReceive(
        final QueuePair qp, final long wrId, final MemoryRegion region, final long offset, final int length)
    {
        check("ibv_post_recv", qp.postReceive(receive(wrId, region, offset, length)));
    }

    /** The same, for the next message of any queue pair that shares the queue. */
    void postReceive(
        final SharedReceiveQueue srq, final long wrId, final MemoryRegion region, final long offset, final int length)
    {
        check("ibv_post_srq_recv", srq.postReceive(receive(wrId, region, offset, length)));
    }

    /**
     * Takes the next completion off a queue, if there is one.
     *
     * @return valid until the next call, or null.
     * @throws RdmaException if the request failed: nothing but its id and status can be relied on then.
     */
    WorkCompletion poll(final CompletionQueue cq)
    {
        final int polled = cq.poll(memory.addressOffset() + COMPLETION_OFFSET, 1);
        if (polled < 0)
        {
            check("ibv_poll_cq", -polled);
        }
        // The status first: of a failed request, the rest of the completion means nothing.
        if (polled > 0 && !completion.isSuccess())
        {
            throw new RdmaException(Errno.EINVAL, "ibv_poll_cq", "request " + completion.wrId() + " of QP " +
                completion.qpNum() + " failed: " + completion.status() + ", " + completion.status().text());
        }
        return polled == 0 ? null : completion;
    }

    /**
     * Waits for the next completion.
     *
     * @return valid until the next call.
     */
    WorkCompletion await(final CompletionQueue cq)
    {
        final long start = System.nanoTime();
        for (int i = 1;; i++)
        {
            final WorkCompletion next = poll(cq);
            if (next != null)
            {
                return next;
            }
            pause(i, start);
        }
    }

    /**
     * What to do between two looks at something that another side will change.
     *
     * @param looks   number of looks so far.
     * @param startNs time of the first by {@link System#nanoTime}.
     * @throws RdmaException when the time is over.
     */
    @SuppressWarnings("ThreadPriorityCheck") // To yield is a courtesy here, nothing relies on it.
    void pause(final int looks, final long startNs)
    {
        Thread.onSpinWait();
        if (looks % SPINS == 0)
        {
            // Both sides may have to share a core.
            Thread.yield();
            if (Thread.currentThread().isInterrupted())
            {
                throw new ExampleException("the other side has failed");
            }
            if (System.nanoTime() - startNs > timeoutNs)
            {
                throw new RdmaException(Errno.ETIMEDOUT, "ibv_poll_cq", "nothing from the other side in " +
                    timeoutNs / 1_000_000_000 + " s: is it still running? --timeout waits longer");
            }
        }
    }

    private long receive(final long wrId, final MemoryRegion region, final long offset, final int length)
    {
        entry.wrap(memory, RECEIVE_ENTRY_OFFSET).set(region.address() + offset, length, region.lkey());
        receive.clear().wrId(wrId);
        if (length > 0)
        {
            receive.sgList(memory.addressOffset() + RECEIVE_ENTRY_OFFSET, 1);
        }
        return receive.nativeAddress();
    }

    private static void check(final String verb, final int errno)
    {
        if (errno != 0)
        {
            throw new RdmaException(errno, verb, "refused: the queue is full, or the queue pair cannot do this now");
        }
    }
}
