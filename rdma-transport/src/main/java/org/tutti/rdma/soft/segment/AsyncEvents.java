/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.segment;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.WorkCompletion;

/** Asynchronous events of a context, added by the context and its peers: a ring of (type, number). Stateless. */
public final class AsyncEvents
{
    private static final AsyncEventType[] TYPES = AsyncEventType.values();

    private AsyncEvents()
    {
    }

    /**
     * Adds an event and wakes waiting threads. The event is dropped if the ring is full, which happens only if the
     * owner takes no events.
     *
     * @param control segment of the receiving context.
     * @param token   token of the caller's context.
     * @param type    type of the event.
     * @param number  number of the queue pair, completion queue or shared receive queue.
     */
    @SuppressWarnings("EnumOrdinal")
    public static void raise(final long control, final int token, final AsyncEventType type, final int number)
    {
        final long ring = control + ControlLayout.EVENT_RING_OFFSET;
        final long position = CompletionRing.claim(control, ring, token);
        if (position >= 0)
        {
            CompletionRing.putRequest(CompletionRing.slot(control, ring, position), number, type.ordinal(), 0, 0);
            CompletionRing.publish(control, ring, position, token, false);
        }
        CompletionRing.wake(control + ControlLayout.EVENT_WORD_OFFSET);
        CompletionRing.wake(control + ControlLayout.DOORBELL_OFFSET);
    }

    /**
     * The type of an event.
     *
     * @param slot slot of the ring.
     * @return the type, never null.
     */
    public static AsyncEventType type(final long slot)
    {
        return TYPES[(int)SegmentBounds.count(
            UnsafeApi.getInt(slot + WorkCompletion.STATUS_OFFSET), TYPES.length - 1, "the type of an event")];
    }

    /**
     * The object that an event concerns.
     *
     * @param slot slot of the ring.
     * @return number of the queue pair or queue.
     */
    public static int number(final long slot)
    {
        return (int)UnsafeApi.getLong(slot + WorkCompletion.WR_ID_OFFSET);
    }
}
