/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni.impl;

import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The listener of a context and its connection requests: each request goes to the queue pair that expects a request
 * from its sender, or is queued until a queue pair does. Requests are identified by their source address, the only
 * property that DiSNI exposes. Thread-safe.
 */
final class ConnectionRequests implements ConnectionManager.Listener
{
    /** The maximum backlog of one listener on Linux. */
    private static final int BACKLOG = 1024;

    private final ConnectionManager manager;
    private final RdmaCmId listener;
    private final CmAddress address;
    private final IbvContext verbs;
    private final Map<CmAddress, CmConnection> expecting = new HashMap<>();
    private final Map<CmAddress, RdmaCmId> kept = new HashMap<>();

    /**
     * Starts to listen.
     *
     * @param manager manager of the process.
     * @param ip      IPv4 address of the device, with any port.
     * @throws IOException if the address does not belong to a device.
     */
    ConnectionRequests(final ConnectionManager manager, final CmAddress ip) throws IOException
    {
        this.manager = manager;
        final RdmaCm cm = manager.cm();
        listener = manager.createId(this);
        try
        {
            cm.bindAddr(listener, ip.socketAddress());
            cm.listen(listener, BACKLOG);
            address = CmAddress.of(cm.getSrcAddr(listener));
            verbs = listener.getVerbs();
        }
        catch (final IOException e)
        {
            manager.destroy(listener);
            throw e;
        }
    }

    /** The listening address. */
    CmAddress address()
    {
        return address;
    }

    /** The device that the address belongs to. */
    IbvContext verbs()
    {
        return verbs;
    }

    /**
     * Expects the request of a sender. If several connections expect the same sender, the first gets the request,
     * because a request does not name the queue pair that it is for.
     *
     * @param from       address of the sender.
     * @param connection connection to receive the request on the manager's thread when it arrives.
     * @return the request if it has already arrived, in which case the connection is not called; else null.
     */
    synchronized RdmaCmId expect(final CmAddress from, final CmConnection connection)
    {
        final RdmaCmId request = kept.remove(from);
        if (request == null)
        {
            expecting.putIfAbsent(from, connection);
        }
        return request;
    }

    /**
     * Cancels {@link #expect}.
     *
     * @param from       address of the sender.
     * @param connection the connection that expected the request.
     */
    synchronized void forget(final CmAddress from, final CmConnection connection)
    {
        expecting.remove(from, connection);
    }

    @Override
    public void onEvent(final RdmaCmId id, final int type)
    {
        if (type == RdmaCmEvent.EventType.RDMA_CM_EVENT_CONNECT_REQUEST.ordinal())
        {
            onRequest(id);
        }
        else
        {
            dropKept(id);
        }
    }

    private void onRequest(final RdmaCmId request)
    {
        final CmAddress from;
        try
        {
            from = CmAddress.of(manager.cm().getDstAddr(request));
        }
        catch (final IOException e)
        {
            manager.destroy(request);
            return;
        }
        final CmConnection connection;
        final RdmaCmId replaced;
        synchronized (this)
        {
            connection = expecting.remove(from);
            replaced = connection == null ? kept.put(from, request) : null;
            manager.listen(request, this);
        }
        if (replaced != null)
        {
            manager.destroy(replaced);
        }
        if (connection != null && !connection.onRequest(request))
        {
            // The connection was reset in the meantime.
            manager.destroy(request);
        }
    }

    /** Drops a queued request whose sender cancelled it. */
    private void dropKept(final RdmaCmId id)
    {
        final boolean isKept;
        synchronized (this)
        {
            isKept = kept.values().remove(id);
        }
        if (isKept)
        {
            manager.destroy(id);
        }
    }

    /** Stops listening and rejects queued requests. */
    void close()
    {
        manager.destroy(listener);
        final List<RdmaCmId> left;
        synchronized (this)
        {
            left = new ArrayList<>(kept.values());
            kept.clear();
        }
        left.forEach(manager::destroy);
    }
}
