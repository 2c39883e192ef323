/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.segment;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.WorkCompletion;

/** Asynchronous events of a context, added by itself and by its peers: a ring of (type, number). Stateless. */
public final class AsyncEvents
{
    private static final AsyncEventType[] TYPES = AsyncEventType.values();

    private AsyncEvents()
    {
    }

    /**
     * Adds an event and wakes those that wait for it. When the owner took none for long the ring is full, and it is
     * dropped.
     *
     * @param control segment of the context that it is for.
     * @param token   token of the context that the caller runs in.
     * @param type    type of the event.
     * @param number  number of the queue pair or completion queue.
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
     * @return never null.
     */
    public static AsyncEventType type(final long slot)
    {
        return TYPES[(int)SegmentBounds.count(
            UnsafeApi.getInt(slot + WorkCompletion.STATUS_OFFSET), TYPES.length - 1, "the type of an event")];
    }

    /**
     * The object that an event is about.
     *
     * @param slot slot of the ring.
     * @return the number of the queue pair or the queue.
     */
    public static int number(final long slot)
    {
        return (int)UnsafeApi.getLong(slot + WorkCompletion.WR_ID_OFFSET);
    }
}
