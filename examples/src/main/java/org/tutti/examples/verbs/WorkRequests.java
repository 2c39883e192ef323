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
 * One request of each kind and one completion, in native memory that adapters can access. The verbs classes are views
 * of that memory: sending a message does not allocate. Used by one thread.
 * <p>
 * A request may be changed as soon as it is posted; the <em>data</em> must not change until the completion.
 */
final class WorkRequests
{
    /** The {@code wr_id} of all sends; those of receives count from 0. */
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
     * Allocates the requests.
     *
     * @param timeoutNs timeout of a completion in nanoseconds.
     */
    WorkRequests(final long timeoutNs)
    {
        this.timeoutNs = timeoutNs;
    }

    /**
     * Prepares a signaled send request for part of a region. Set what else the opcode needs, then {@link #post} it.
     *
     * @param opcode opcode from {@code SendOpcode}.
     * @param offset offset of the local data in the region.
     * @param length length of the local data in bytes.
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

    /** Posts a receive request: the next message is stored in this part of the region. */
    void postReceive(
        final QueuePair qp, final long wrId, final MemoryRegion region, final long offset, final int length)
    {
        check("ibv_post_recv", qp.postReceive(receive(wrId, region, offset, length)));
    }

    /** Posts a receive request to a shared queue, for the next message of any of its queue pairs. */
    void postReceive(
        final SharedReceiveQueue srq, final long wrId, final MemoryRegion region, final long offset, final int length)
    {
        check("ibv_post_srq_recv", srq.postReceive(receive(wrId, region, offset, length)));
    }

    /**
     * Polls a completion queue.
     *
     * @return completion valid until the next call, or null if there is none.
     * @throws RdmaException if the request failed; only its id and status are then valid.
     */
    WorkCompletion poll(final CompletionQueue cq)
    {
        final int polled = cq.poll(memory.addressOffset() + COMPLETION_OFFSET, 1);
        if (polled < 0)
        {
            check("ibv_poll_cq", -polled);
        }
        // Checks the status first: if the request failed, the other fields are invalid.
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
     * @return completion valid until the next call.
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
     * Pauses between two checks for a change by the other side.
     *
     * @param polls   number of checks so far.
     * @param startNs time of the first check by {@link System#nanoTime}.
     * @throws RdmaException on timeout.
     */
    @SuppressWarnings("ThreadPriorityCheck") // Correctness does not depend on the yield.
    void pause(final int polls, final long startNs)
    {
        Thread.onSpinWait();
        if (polls % SPINS == 0)
        {
            // Both sides may share a core.
            Thread.yield();
            if (Thread.currentThread().isInterrupted())
            {
                throw new ExampleException("the other side has failed");
            }
            if (System.nanoTime() - startNs > timeoutNs)
            {
                throw new RdmaException(Errno.ETIMEDOUT, "ibv_poll_cq", "no completion within " +
                    timeoutNs / 1_000_000_000 + " s: check that the other side is running, or increase --timeout");
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
            throw new RdmaException(errno, verb, "rejected: the queue is full or the queue pair is in the wrong state");
        }
    }
}
