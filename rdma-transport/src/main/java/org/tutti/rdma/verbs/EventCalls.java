/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.agrona.UnsafeApi;
import org.tutti.rdma.os.Scratch;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * The calls of a thread that sleeps until a completion arrives. They ignore errno, because capturing it makes the
 * linker allocate. Stateless; allocates nothing after a thread's first call.
 */
final class EventCalls
{
    private static final MethodHandle GET_CQ_EVENT = handle(
        "ibv_get_cq_event", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle ACK_CQ_EVENTS = handle(
        "ibv_ack_cq_events", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT));

    private EventCalls()
    {
    }

    private static MethodHandle handle(final String name, final FunctionDescriptor descriptor)
    {
        return Linker.nativeLinker().downcallHandle(Libibverbs.lookup().findOrThrow(name), descriptor);
    }

    /**
     * Takes an event from a non-blocking channel and acknowledges it.
     *
     * @param channel {@code struct ibv_comp_channel *}.
     * @return {@code struct ibv_cq *}, 0 if there is no event.
     */
    static long takeCqEvent(final long channel)
    {
        final long out = Scratch.address();
        try
        {
            if ((int)GET_CQ_EVENT.invokeExact(channel, out, out + Long.BYTES) != 0)
            {
                return 0;
            }
            final long queue = UnsafeApi.getLong(out);
            ACK_CQ_EVENTS.invokeExact(queue, 1);
            return queue;
        }
        catch (final Throwable t)
        {
            throw new IllegalStateException("cannot call ibv_get_cq_event", t);
        }
    }
}
