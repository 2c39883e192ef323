/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AsyncEvent;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.Errno;
import org.tutti.rdma.os.FileCalls;
import org.tutti.rdma.os.NativeFunction;
import org.tutti.rdma.os.PollCalls;

import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * Reads the asynchronous events of a context as they arrive and queues them for readers. Acknowledges each event
 * immediately, so that destroying its object does not block. Thread-safe.
 */
final class AsyncEventThread
{
    /** Maximum number of queued events; when more arrive, the oldest are dropped. */
    private static final int CAPACITY = 1024;
    private static final AsyncEventType[] TYPES = AsyncEventType.values();

    private final long context;
    private final int asyncFd;
    private final int stopFd;
    private final EventObjects elements;
    private final Deque<AsyncEvent> events = new ArrayDeque<>();
    private final Thread thread;
    private boolean isStopped;

    /**
     * Starts the thread.
     *
     * @param name     name of the device.
     * @param context  {@code struct ibv_context *}.
     * @param elements objects that events can concern.
     */
    AsyncEventThread(final String name, final long context, final EventObjects elements)
    {
        this.context = context;
        this.elements = elements;
        asyncFd = UnsafeApi.getInt(context + Layout.CONTEXT_ASYNC_FD);
        final int errno = FileCalls.setNonBlocking(asyncFd);
        stopFd = PollCalls.eventDescriptor();
        if (errno < 0 || stopFd < 0)
        {
            if (stopFd >= 0)
            {
                FileCalls.close(stopFd);
            }
            throw VerbsErrors.of(-Math.min(errno, stopFd), "ibv_open_device", "cannot wait for asynchronous events");
        }
        thread = new Thread(this::run, "tutti-events-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private void run()
    {
        try (Arena arena = Arena.ofConfined())
        {
            final long event = arena.allocate(Layout.ASYNC_EVENT_SIZE, Long.BYTES).address();
            while (!isStopped())
            {
                PollCalls.awaitReadable(asyncFd, stopFd, -1);
                while (!isStopped() && Libibverbs.GET_ASYNC_EVENT.call(context, event) == 0)
                {
                    take(event);
                }
                if (!isStopped() && NativeFunction.errno() != Errno.EAGAIN && NativeFunction.errno() != Errno.EINTR)
                {
                    // The device was unplugged: its descriptor stays readable but delivers no events.
                    return;
                }
            }
        }
    }

    private void take(final long event)
    {
        final int value = UnsafeApi.getInt(event + Layout.ASYNC_EVENT_EVENT_TYPE);
        final AsyncEventType type = Structs.constant(TYPES, value, null);
        final long element = UnsafeApi.getLong(event + Layout.ASYNC_EVENT_ELEMENT);
        // Looked up before the acknowledgement: after it the object can be freed, and another may get its address.
        final AsyncEvent seen = type == null ? null : event(type, element);
        Libibverbs.ACK_ASYNC_EVENT.call(event);
        if (seen != null)
        {
            if (type == AsyncEventType.CQ_ERR)
            {
                ((VerbsCompletionQueue)seen.element()).overrun();
            }
            add(seen);
        }
    }

    /** Null if the object was closed in the meantime. */
    private AsyncEvent event(final AsyncEventType type, final long element)
    {
        return switch (type)
        {
            case CQ_ERR, QP_FATAL, QP_REQ_ERR, QP_ACCESS_ERR, COMM_EST, SQ_DRAINED, PATH_MIG, PATH_MIG_ERR, SRQ_ERR,
                SRQ_LIMIT_REACHED, QP_LAST_WQE_REACHED ->
            {
                final Object object = elements.find(element);
                yield object == null ? null : new AsyncEvent(type, object);
            }
            case PORT_ACTIVE, PORT_ERR, LID_CHANGE, PKEY_CHANGE, SM_CHANGE, CLIENT_REREGISTER, GID_CHANGE ->
                new AsyncEvent(type, (int)element);
            case DEVICE_FATAL, WQ_FATAL -> new AsyncEvent(type, null);
        };
    }

    private synchronized void add(final AsyncEvent event)
    {
        if (events.size() == CAPACITY)
        {
            events.removeFirst();
        }
        events.addLast(event);
        notifyAll();
    }

    private synchronized boolean isStopped()
    {
        return isStopped;
    }

    /**
     * Waits for an event.
     *
     * @param timeoutNs maximum time to wait, in nanoseconds.
     * @return the oldest event, or null on timeout or after {@link #stop}.
     */
    synchronized AsyncEvent await(final long timeoutNs)
    {
        final long startNs = System.nanoTime();
        while (true)
        {
            final AsyncEvent event = next();
            final long leftNs = timeoutNs - (System.nanoTime() - startNs);
            if (event != null || leftNs <= 0 || isStopped)
            {
                return event;
            }
            try
            {
                TimeUnit.NANOSECONDS.timedWait(this, Math.max(leftNs, 1_000_000));
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
                return null;
            }
        }
    }

    /** Takes the oldest event, or null; drops events of objects that were closed in the meantime. */
    private AsyncEvent next()
    {
        while (!isStopped && !events.isEmpty())
        {
            final AsyncEvent event = events.removeFirst();
            final boolean isClosed = switch (event.element())
            {
                case final VerbsQueuePair qp -> qp.isClosed();
                case final VerbsCompletionQueue cq -> cq.isClosed();
                case final VerbsSharedReceiveQueue srq -> srq.isClosed();
                case null, default -> false;
            };
            if (!isClosed)
            {
                return event;
            }
        }
        return null;
    }

    /** Stops the thread; after this returns, it does not use the context, and no reader waits. */
    void stop()
    {
        synchronized (this)
        {
            isStopped = true;
            notifyAll();
        }
        PollCalls.signalEvent(stopFd);
        boolean isInterrupted = false;
        while (thread.isAlive())
        {
            try
            {
                thread.join();
            }
            catch (final InterruptedException ex)
            {
                isInterrupted = true;
            }
        }
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
        FileCalls.close(stopFd);
    }
}
