/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.agrona.UnsafeApi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * The calls of a thread that sleeps for completions. They do not look at errno, because having it captured makes the
 * linker allocate. Stateless; allocates nothing after a thread's first call.
 */
final class EventCalls
{
    private static final int POLLIN = 1;
    private static final int POLLFD_SIZE = 8;
    private static final long NS_PER_S = 1_000_000_000L;

    private static final MethodHandle GET_CQ_EVENT = handle(Libibverbs.lookup(), "ibv_get_cq_event",
        FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle ACK_CQ_EVENTS = handle(Libibverbs.lookup(), "ibv_ack_cq_events",
        FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT));
    private static final MethodHandle PPOLL = handle(Linker.nativeLinker().defaultLookup(), "ppoll",
        FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));

    private EventCalls()
    {
    }

    private static MethodHandle handle(
        final SymbolLookup lookup, final String name, final FunctionDescriptor descriptor)
    {
        return Linker.nativeLinker().downcallHandle(lookup.findOrThrow(name), descriptor);
    }

    /**
     * Takes an event off a channel that does not block, and acknowledges it.
     *
     * @param channel {@code struct ibv_comp_channel *}.
     * @return {@code struct ibv_cq *}, 0 when there is no event.
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

    /**
     * Waits until one of two descriptors is readable, the time is over, or a signal came.
     *
     * @param first     to wait for.
     * @param second    to wait for as well.
     * @param timeoutNs how long, in nanoseconds; negative for ever.
     */
    static void awaitReadable(final int first, final int second, final long timeoutNs)
    {
        final long pollSet = Scratch.address();
        putEntry(pollSet, first);
        putEntry(pollSet + POLLFD_SIZE, second);
        final long timespec = pollSet + 2 * POLLFD_SIZE;
        UnsafeApi.putLong(timespec, timeoutNs / NS_PER_S);
        UnsafeApi.putLong(timespec + 8, timeoutNs % NS_PER_S);
        try
        {
            final int ignored = (int)PPOLL.invokeExact(pollSet, 2L, timeoutNs < 0 ? 0L : timespec, 0L);
        }
        catch (final Throwable t)
        {
            throw new IllegalStateException("cannot call ppoll", t);
        }
    }

    private static void putEntry(final long entry, final int fd)
    {
        UnsafeApi.putInt(entry, fd);
        UnsafeApi.putInt(entry + 4, POLLIN);
    }
}
