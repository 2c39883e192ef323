/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.stream;

import org.agrona.UnsafeApi;
import org.tutti.rdma.SendWorkRequest;
import org.tutti.rdma.soft.queue.DeferredSends;
import org.tutti.rdma.tcp.wire.AtomicRequest;
import org.tutti.rdma.tcp.wire.Fpdu;

/**
 * The responses of a peer: checks each against the request whose response is due, and finds the place of its data. Used
 * by one thread at a time; allocates nothing.
 */
final class ReceivedResponses
{
    private final WireQueuePair queuePair;
    private final DeferredSends requests;
    private final DueResponses due;
    private final ScatterList sink = new ScatterList();
    /** Number of bytes of the due response that are placed. */
    private long received;
    private int atomicMsn;

    /**
     * Creates the responses of a requester.
     *
     * @param queuePair queue pair.
     * @param requests  requests in flight.
     * @param due       responses that are due, which the caller removes.
     */
    ReceivedResponses(final WireQueuePair queuePair, final DeferredSends requests, final DueResponses due)
    {
        this.queuePair = queuePair;
        this.requests = requests;
        this.due = due;
    }

    /** Prepares for a new connection. */
    void reset()
    {
        received = 0;
        atomicMsn = 1;
    }

    void free()
    {
        sink.free();
    }

    /**
     * Checks a segment of a read response.
     *
     * @param frame   address of the frame.
     * @param payload length of the payload in bytes.
     * @return the place of the payload, or null if it is not the response that is due.
     */
    ScatterList beginRead(final long frame, final int payload)
    {
        if (due.kind() == DueResponses.NONE || due.kind() == DueResponses.ATOMIC)
        {
            return null;
        }
        if (due.kind() == DueResponses.EMPTY_READ)
        {
            sink.setRange(0, 0, 0);
            return payload == 0 && Fpdu.isLast(frame) && Fpdu.stag(frame) == 0 ? sink : null;
        }
        final long wr = requests.request(due.ordinal() - 1);
        final long length = LocalChecks.length(wr);
        final long list = UnsafeApi.getLong(wr + SendWorkRequest.SG_LIST_OFFSET);
        final int count = UnsafeApi.getInt(wr + SendWorkRequest.NUM_SGE_OFFSET);
        if (Fpdu.stag(frame) != RequestFrames.sinkKey(wr) ||
            Fpdu.taggedOffset(frame) != RequestFrames.sinkOffset(wr) + received ||
            payload > length - received || Fpdu.isLast(frame) != (received + payload == length) ||
            !isCovered(list, count, received + payload))
        {
            return null;
        }
        sink.set(list, count, received);
        return sink;
    }

    private boolean isCovered(final long list, final int count, final long length)
    {
        return ScatterList.check(queuePair.control(), queuePair.domain(), list, count, length) == ScatterList.FITS;
    }

    /** Finishes a segment of a read response, whose payload is placed. */
    void endRead(final int payload, final boolean isLast)
    {
        received = isLast ? 0 : received + payload;
    }

    /** Places the response to an atomic; false if it is not the one that is due. */
    boolean placeAtomic(final long frame, final int payload)
    {
        if (due.kind() != DueResponses.ATOMIC || payload != AtomicRequest.RESPONSE_SIZE ||
            Fpdu.msn(frame) != atomicMsn || !Fpdu.isLast(frame) || Fpdu.messageOffset(frame) != 0 ||
            Fpdu.getInt(frame + Fpdu.UNTAGGED_HEADER) != (int)due.ordinal())
        {
            return false;
        }
        atomicMsn++;
        final long wr = requests.request(due.ordinal() - 1);
        final long list = UnsafeApi.getLong(wr + SendWorkRequest.SG_LIST_OFFSET);
        final int count = UnsafeApi.getInt(wr + SendWorkRequest.NUM_SGE_OFFSET);
        if (!isCovered(list, count, Long.BYTES))
        {
            return false;
        }
        sink.set(list, count);
        sink.putLong(Fpdu.getLong(frame + Fpdu.UNTAGGED_HEADER + Integer.BYTES));
        return true;
    }
}
