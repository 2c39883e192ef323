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
 * Makes, and breaks, the connection of one queue pair by rdma_cm. Each queue pair has a port of its own, bound as long
 * as it lives, which is (the low part of) its number. Of two that name each other, the one with the smaller address
 * connects, from its own port to the port at which the other's context listens; the other accepts what comes from the
 * port that its peer's number names. So neither needs what rdma_cm carries as private data, which DiSNI does not show.
 * <pre>
 *   IDLE --start--> WAITING --begin--> RESOLVING --> ROUTING --> CONNECTING --> ESTABLISHED --> LOST
 *                                |         \_____________\___________\                          |
 *                                |                                     RETRYING --begin--> ...    | to send
 *                                +---> EXPECTING ------------------> ACCEPTING --> ESTABLISHED    v
 *                                                                                              BROKEN
 * </pre>
 * Going on is never waited for: it happens on the manager's thread. Used under the lock of the queue pair, but for what
 * the manager calls, which takes it.
 */
final class CmConnection implements ConnectionManager.Listener, ConnectionManager.Waiter
{
    /** How long a queue pair that is ready to receive waits to be ready to send, which tells its retry counts. */
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
     * @throws IOException if there is no port or no queue pair left.
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

    /** The port that is its own. */
    int port()
    {
        return address.port();
    }

    /**
     * What requests are posted to.
     *
     * @return null when there is no connection yet.
     */
    CmEndpoint live()
    {
        return live;
    }

    boolean isEstablished()
    {
        return phase == Phase.ESTABLISHED;
    }

    /** Whether the device brought what is connected to the error state. */
    boolean hasFailed()
    {
        return phase == Phase.ESTABLISHED && live.device().state() == QueuePairState.ERR;
    }

    /** Whether sends can be posted; receives can as soon as there is something live. */
    boolean canSend()
    {
        return phase == Phase.ESTABLISHED || phase == Phase.BROKEN;
    }

    /**
     * Connects, soon.
     *
     * @param toPeer   the peer's IP, and the port that is its queue pair's own.
     * @param toTarget address that the peer's context listens at.
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

    /** Connects now, if that was not begun: all attributes are known. */
    void hurry()
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
        // No queue pair connects to itself.
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

    /** What was kept goes there, and from now on what is posted; receives are there before anybody can send to them. */
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

    /** An endpoint that is not our own was made for a request. */
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
     * A request came from the peer.
     *
     * @param request request.
     * @return false when it is not wanted any more.
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
                throw new IOException("ibv_modify_qp: the device refuses access flags or the RNR timer");
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
                    // Tells nothing that matters here.
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
                giveUp();
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
                giveUp();
            }
        }
        else
        {
            onFailed();
        }
    }

    /** A request is about to be sent: over a connection whose peer is gone, that fails. */
    void beforeSend()
    {
        if (phase == Phase.LOST)
        {
            giveUp();
        }
    }

    private void giveUp()
    {
        queuePair.lost();
        breakDown();
    }

    /** Brings what there is to the error state: everything that was or will be posted is flushed. */
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

    /** Receives go there before it fails, as some devices flush only what they find then. */
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
            // Its port was taken meanwhile: what is posted waits until it is reset.
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
                giveUp();
            }
        }
    }

    /**
     * Gives up the connection and all that was posted.
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

    /** Frees everything. */
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
