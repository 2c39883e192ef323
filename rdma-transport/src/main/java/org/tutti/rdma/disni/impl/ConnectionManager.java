/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni.impl;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.impl.NatCmaIdPrivate;
import com.ibm.disni.verbs.impl.NatRdmaEventChannel;

import java.io.IOException;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The process's access to rdma_cm: one event channel, and one thread that dispatches its events and timer ticks. The
 * thread sleeps while no context is open. Thread-safe.
 */
final class ConnectionManager
{
    /** Interval of timer ticks. */
    private static final int TICK_MS = 20;

    private static ConnectionManager instance;

    private final RdmaCm cm;
    private final Channel channel;
    private final Map<RdmaCmId, Listener> listeners = new ConcurrentHashMap<>();
    private final Queue<RdmaCmId> destroyed = new ConcurrentLinkedQueue<>();
    private final Set<Waiter> waiters = ConcurrentHashMap.newKeySet();
    private int contexts;

    /** Receives the events of an identifier on the manager's thread. */
    interface Listener
    {
        /**
         * Called for an event.
         *
         * @param id   identifier of the event; for a connection request, the identifier of the new connection.
         * @param type ordinal of {@link RdmaCmEvent.EventType}.
         */
        void onEvent(RdmaCmId id, int type);
    }

    /** Receives timer ticks. */
    interface Waiter
    {
        /**
         * Called on the manager's thread every {@value #TICK_MS} ms.
         *
         * @param nowNs current time in nanoseconds.
         */
        void onTick(long nowNs);
    }

    private ConnectionManager() throws IOException
    {
        cm = RdmaCm.open();
        channel = new Channel((NatRdmaEventChannel)cm.createEventChannel());
        final Thread thread = new Thread(this::run, "tutti-rdma-cm");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * The manager of this process.
     *
     * @return the manager, created by the first call.
     * @throws IOException if rdma_cm is not available.
     */
    static synchronized ConnectionManager get() throws IOException
    {
        if (instance == null)
        {
            instance = new ConnectionManager();
        }
        return instance;
    }

    /** Counts an open context. */
    synchronized void retain()
    {
        contexts++;
        notifyAll();
    }

    /** Counts a closed context. */
    synchronized void release()
    {
        contexts--;
    }

    RdmaCm cm()
    {
        return cm;
    }

    /**
     * Creates an identifier.
     *
     * @param listener listener of its events.
     * @return identifier, to be destroyed by {@link #destroy}.
     * @throws IOException if rdma_cm cannot create one.
     */
    RdmaCmId createId(final Listener listener) throws IOException
    {
        final RdmaCmId id = cm.createId(channel, RdmaCm.RDMA_PS_TCP);
        listeners.put(id, listener);
        return id;
    }

    /**
     * Changes the listener of an identifier.
     *
     * @param id       identifier that rdma_cm created for a connection request.
     * @param listener new listener.
     */
    void listen(final RdmaCmId id, final Listener listener)
    {
        listeners.put(id, listener);
    }

    /**
     * Destroys an identifier without a queue pair. Its listener receives no event afterwards.
     *
     * @param id identifier of this manager.
     */
    void destroy(final RdmaCmId id)
    {
        listeners.remove(id);
        try
        {
            cm.destroyCmId(id);
        }
        catch (final IOException e)
        {
            throw DisniErrors.of("rdma_destroy_id", "an identifier of rdma_cm", e);
        }
        // The channel forgets the identifier later: DiSNI may be processing an event of this identifier, and fails if
        // the channel does not know it.
        destroyed.add(id);
    }

    void add(final Waiter waiter)
    {
        waiters.add(waiter);
    }

    void remove(final Waiter waiter)
    {
        waiters.remove(waiter);
    }

    private void run()
    {
        long tickedNs = System.nanoTime();
        while (awaitContext())
        {
            attempt(this::handleEvent);
            final long nowNs = System.nanoTime();
            if (nowNs - tickedNs >= TICK_MS * 1_000_000L)
            {
                tickedNs = nowNs;
                waiters.forEach((waiter) -> attempt(() -> waiter.onTick(nowNs)));
            }
        }
    }

    /** Runs a step; if it fails, reports the failure, so that other connections continue. */
    private static void attempt(final Runnable step)
    {
        try
        {
            step.run();
        }
        catch (final RuntimeException e)
        {
            final Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }

    private synchronized boolean awaitContext()
    {
        try
        {
            while (contexts == 0)
            {
                wait();
            }
            return true;
        }
        catch (final InterruptedException e)
        {
            return false;
        }
    }

    private void handleEvent()
    {
        for (RdmaCmId id = destroyed.poll(); id != null; id = destroyed.poll())
        {
            channel.remove(id);
        }
        final RdmaCmEvent event;
        try
        {
            event = cm.getCmEvent(channel, TICK_MS);
        }
        catch (final IOException e)
        {
            // Impossible, because the channel is never closed.
            throw new IllegalStateException(e);
        }
        if (event == null || event.getConnIdPriv() == null)
        {
            return;
        }
        final boolean isRequest = event.getEvent() == RdmaCmEvent.EventType.RDMA_CM_EVENT_CONNECT_REQUEST.ordinal();
        final Listener listener = listeners.get(isRequest ? event.getListenIdPriv() : event.getConnIdPriv());
        if (listener != null)
        {
            listener.onEvent(event.getConnIdPriv(), event.getEvent());
        }
        else if (isRequest)
        {
            destroy(event.getConnIdPriv());
        }
    }

    /** Replaces DiSNI's channel, whose map of identifiers is not thread-safe and never shrinks. */
    private static final class Channel extends NatRdmaEventChannel
    {
        private final Map<Long, NatCmaIdPrivate> ids = new ConcurrentHashMap<>();

        Channel(final NatRdmaEventChannel made) throws IOException
        {
            super(made.getObjId(), made.getFd());
        }

        @Override
        public void addCmId(final NatCmaIdPrivate id)
        {
            ids.put(id.getObjId(), id);
        }

        @Override
        public NatCmaIdPrivate getCmId(final long objectId)
        {
            return ids.get(objectId);
        }

        void remove(final RdmaCmId id)
        {
            final NatCmaIdPrivate own = (NatCmaIdPrivate)id;
            ids.remove(own.getObjId(), own);
        }
    }
}
