/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni.impl;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import org.tutti.rdma.QueuePairState;

import java.io.IOException;

/**
 * Establishes and breaks the connection of one queue pair by rdma_cm. Each queue pair has its own port, which is bound
 * for the queue pair's lifetime and is the low part of its number. Of two queue pairs that name each other, the one
 * with the smaller address connects, from its own port to the port on which the other's context listens; the other
 * accepts requests from the port in its peer's number. So neither side needs the private data of rdma_cm, which DiSNI
 * does not expose.
 * <pre>
 *   IDLE --start--> WAITING --begin--> RESOLVING --> ROUTING --> CONNECTING --> ESTABLISHED --> LOST
 *                                |         \_____________\___________\                          |
 *                                |                                     RETRYING --begin--> ...    | to send
 *                                +---> EXPECTING ------------------> ACCEPTING --> ESTABLISHED    v
 *                                                                                              BROKEN
 * </pre>
 * Progress never blocks: it happens on the manager's thread. Guarded by the lock of the queue pair, which methods
 * called by the manager acquire.
 */
final class CmConnection implements ConnectionManager.Listener, ConnectionManager.Waiter
{
    /** How long a queue pair in RTR waits for the transition to RTS, which sets its retry counts, before connecting. */
    private static final long GRACE_NS = 20_000_000;
    private static final long MIN_DELAY_NS = 20_000_000;
    private static final long MAX_DELAY_NS = 1_000_000_000;
    private static final int RESOLVE_TIMEOUT_MS = 2000;
    private static final EventType[] EVENTS = EventType.values();

    private final DisniQueuePair queuePair;
    private final DisniContext context;
    private final ConnectionManager manager;
    private final RdmaCm cm;
    private final CmAddress address;
    private Phase phase = Phase.IDLE;
    private CmEndpoint own;
    private CmEndpoint live;
    private CmAddress peer;
    private CmAddress target;
    private long dueNs;
    private long delayNs;

    private enum Phase
    {
        IDLE, WAITING, RESOLVING, ROUTING, CONNECTING, RETRYING, EXPECTING, ACCEPTING, ESTABLISHED, LOST, BROKEN
    }

    /**
     * Binds a free port.
     *
     * @param queuePair queue pair.
     * @param context   context of the queue pair.
     * @throws IOException if no port or no queue pair is left.
     */
    CmConnection(final DisniQueuePair queuePair, final DisniContext context) throws IOException
    {
        this.queuePair = queuePair;
        this.context = context;
        manager = context.manager();
        cm = manager.cm();
        own = bind(new CmAddress(context.requests().address().ip(), 0));
        address = CmAddress.of(cm.getSrcAddr(own.id()));
    }

    private CmEndpoint bind(final CmAddress at) throws IOException
    {
        final RdmaCmId id = manager.createId(this);
        try
        {
            cm.bindAddr(id, at.socketAddress());
        }
        catch (final IOException e)
        {
            manager.destroy(id);
            throw e;
        }
        return queuePair.newEndpoint(id);
    }

    /** The queue pair's own port. */
    int port()
    {
        return address.port();
    }

    /**
     * The endpoint that requests are posted to.
     *
     * @return the endpoint, or null without a connection.
     */
    CmEndpoint live()
    {
        return live;
    }

    boolean isEstablished()
    {
        return phase == Phase.ESTABLISHED;
    }

    /** Whether the device moved the connected queue pair to the error state. */
    boolean hasFailed()
    {
        return phase == Phase.ESTABLISHED && live.device().state() == QueuePairState.ERR;
    }

    /** Whether sends can be posted; receives can as soon as there is a live endpoint. */
    boolean canSend()
    {
        return phase == Phase.ESTABLISHED || phase == Phase.BROKEN;
    }

    /**
     * Starts to connect after a grace period.
     *
     * @param toPeer   IP of the peer, and the port of its queue pair.
     * @param toTarget address on which the peer's context listens.
     */
    void start(final CmAddress toPeer, final CmAddress toTarget)
    {
        peer = toPeer;
        target = toTarget;
        phase = Phase.WAITING;
        delayNs = MIN_DELAY_NS;
        dueNs = System.nanoTime() + GRACE_NS;
        manager.add(this);
    }

    /** Connects without waiting for the end of the grace period, if it has not ended yet: all attributes are known. */
    void connectNow()
    {
        if (phase == Phase.WAITING)
        {
            begin();
        }
    }

    private void begin()
    {
        final int order = address.compareTo(peer);
        if (order < 0)
        {
            resolve();
        }
        else if (order > 0)
        {
            expect();
        }
        // A queue pair cannot connect to itself.
    }

    private void resolve()
    {
        try
        {
            if (own == null)
            {
                own = bind(address);
            }
            phase = Phase.RESOLVING;
            cm.resolveAddr(own.id(), null, target.socketAddress(), RESOLVE_TIMEOUT_MS);
        }
        catch (final IOException e)
        {
            retry();
        }
    }

    private void connect() throws IOException
    {
        phase = Phase.CONNECTING;
        use(own);
        cm.connect(own.id(), parameters());
    }

    private RdmaConnParam parameters() throws IOException
    {
        final RdmaConnParam parameters = new RdmaConnParam();
        parameters.setRetry_count((byte)queuePair.retryCount());
        parameters.setRnr_retry_count((byte)queuePair.rnrRetry());
        return parameters;
    }

    /**
     * Posts the backlog of receives to an endpoint, and from now on all later requests. Thus receives are posted before
     * the peer can send.
     */
    private void use(final CmEndpoint endpoint) throws IOException
    {
        live = endpoint;
        queuePair.use(endpoint);
    }

    private void retry()
    {
        discardLive();
        if (own != null)
        {
            own.destroy();
            own = null;
        }
        phase = Phase.RETRYING;
        delayNs = Math.min(MAX_DELAY_NS, 2 * delayNs);
        dueNs = System.nanoTime() + delayNs;
    }

    /** Stops using the live endpoint; destroys it if it was created for a connection request. */
    private void discardLive()
    {
        final CmEndpoint discarded = live;
        live = null;
        queuePair.useNothing();
        if (discarded != null && discarded != own)
        {
            discarded.destroy();
        }
    }

    private void expect()
    {
        final RdmaCmId request = context.requests().expect(peer, this);
        if (request == null)
        {
            phase = Phase.EXPECTING;
        }
        else
        {
            accept(request);
        }
    }

    /**
     * Called when a connection request of the peer arrives.
     *
     * @param request rdma_cm identifier of the requested connection.
     * @return false if this connection does not expect a request any more.
     */
    boolean onRequest(final RdmaCmId request)
    {
        synchronized (queuePair)
        {
            if (phase != Phase.EXPECTING)
            {
                return false;
            }
            accept(request);
            return true;
        }
    }

    private void accept(final RdmaCmId request)
    {
        manager.listen(request, this);
        phase = Phase.ACCEPTING;
        try
        {
            use(queuePair.newEndpoint(request));
            cm.accept(request, parameters());
            if (!queuePair.connected(live))
            {
                throw new IOException("ibv_modify_qp: the device rejects access flags or the RNR timer");
            }
        }
        catch (final IOException e)
        {
            discardLive();
            expect();
        }
    }

    @Override
    public void onEvent(final RdmaCmId id, final int type)
    {
        synchronized (queuePair)
        {
            final CmEndpoint current = live == null ? own : live;
            if (current != null && current.id() == id && type < EVENTS.length)
            {
                onEvent(EVENTS[type]);
            }
        }
    }

    private void onEvent(final EventType event)
    {
        try
        {
            switch (event)
            {
                case RDMA_CM_EVENT_ADDR_RESOLVED ->
                {
                    if (phase == Phase.RESOLVING)
                    {
                        phase = Phase.ROUTING;
                        cm.resolveRoute(own.id(), RESOLVE_TIMEOUT_MS);
                    }
                }
                case RDMA_CM_EVENT_ROUTE_RESOLVED ->
                {
                    if (phase == Phase.ROUTING)
                    {
                        connect();
                    }
                }
                case RDMA_CM_EVENT_ESTABLISHED -> onEstablished();
                case RDMA_CM_EVENT_ADDR_ERROR, RDMA_CM_EVENT_ROUTE_ERROR, RDMA_CM_EVENT_CONNECT_ERROR,
                    RDMA_CM_EVENT_UNREACHABLE, RDMA_CM_EVENT_REJECTED -> onFailed();
                case RDMA_CM_EVENT_DISCONNECTED, RDMA_CM_EVENT_DEVICE_REMOVAL -> onDisconnected();
                default ->
                {
                    // Other events, such as the end of TIME-WAIT, change nothing.
                }
            }
        }
        catch (final IOException e)
        {
            onFailed();
        }
    }

    private void onEstablished()
    {
        if (phase == Phase.CONNECTING || phase == Phase.ACCEPTING)
        {
            phase = Phase.ESTABLISHED;
            manager.remove(this);
            if (!queuePair.connected(live) || !queuePair.established(live))
            {
                markLost();
            }
        }
    }

    private void onFailed()
    {
        if (phase == Phase.ACCEPTING)
        {
            discardLive();
            expect();
        }
        else if (phase == Phase.RESOLVING || phase == Phase.ROUTING || phase == Phase.CONNECTING)
        {
            retry();
        }
    }

    private void onDisconnected()
    {
        if (phase == Phase.ESTABLISHED)
        {
            phase = Phase.LOST;
            if (queuePair.hasSends())
            {
                markLost();
            }
        }
        else
        {
            onFailed();
        }
    }

    /** Called before a send is posted: if the peer has disconnected, breaks the connection, so that the send fails. */
    void beforeSend()
    {
        if (phase == Phase.LOST)
        {
            markLost();
        }
    }

    private void markLost()
    {
        queuePair.lost();
        breakDown();
    }

    /** Moves the endpoint to the error state: all requests, posted or yet to be posted, are flushed. */
    void breakDown()
    {
        if (phase == Phase.BROKEN)
        {
            return;
        }
        final boolean wasConnected = canSend() || phase == Phase.LOST;
        leave();
        phase = Phase.BROKEN;
        if (live == null)
        {
            if (!useOwn())
            {
                return;
            }
        }
        live.disconnect();
        if (!wasConnected)
        {
            queuePair.established(live);
        }
    }

    /**
     * Posts the backlog of receives to this side's own endpoint before that endpoint enters the error state, because
     * some devices flush only requests that were posted earlier. Returns false if the endpoint cannot be created.
     */
    private boolean useOwn()
    {
        try
        {
            own = own == null ? bind(address) : own;
            use(own);
            return true;
        }
        catch (final IOException e)
        {
            // The port was taken in the meantime: requests wait until the queue pair is reset.
            return false;
        }
    }

    private void leave()
    {
        manager.remove(this);
        if (peer != null)
        {
            context.requests().forget(peer, this);
        }
    }

    @Override
    public void onTick(final long nowNs)
    {
        synchronized (queuePair)
        {
            if ((phase == Phase.WAITING || phase == Phase.RETRYING) && nowNs - dueNs >= 0)
            {
                begin();
            }
            if (phase != Phase.IDLE && !canSend() && phase != Phase.LOST && queuePair.hasWaitedTooLong(nowNs))
            {
                markLost();
            }
        }
    }

    /**
     * Drops the connection and all posted requests.
     *
     * @throws IOException if the port cannot be bound again.
     */
    void reset() throws IOException
    {
        leave();
        final boolean isUsed = live == own || own == null ||
            (phase != Phase.IDLE && address.compareTo(peer) < 0);
        discardLive();
        if (isUsed)
        {
            if (own != null)
            {
                own.destroy();
                own = null;
            }
            own = bind(address);
        }
        phase = Phase.IDLE;
        peer = null;
    }

    /** Drops the connection and frees all resources. */
    void close()
    {
        leave();
        discardLive();
        phase = Phase.IDLE;
        if (own != null)
        {
            own.destroy();
            own = null;
        }
    }
}
