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
 * Where a context listens, and the requests for connections that came there: each goes to the queue pair that was told
 * to expect its sender, or is kept until there is one. DiSNI shows nothing of a request but where it comes from, so
 * that is what it is known by. Thread-safe.
 */
final class ConnectionRequests implements ConnectionManager.Listener
{
    /** As many as Linux keeps for one listener. */
    private static final int BACKLOG = 1024;

    private final ConnectionManager manager;
    private final RdmaCmId listener;
    private final CmAddress address;
    private final IbvContext verbs;
    private final Map<CmAddress, CmConnection> expecting = new HashMap<>();
    private final Map<CmAddress, RdmaCmId> kept = new HashMap<>();

    /**
     * Listens.
     *
     * @param manager manager of the process.
     * @param ip      IPv4 address of the device, with any port.
     * @throws IOException if that address is not one of a device.
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

    /** Where it listens. */
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
     * Asks for the request of a sender. Of several that ask before it comes, the first gets it: nothing tells which one
     * the sender names.
     *
     * @param from       the sender.
     * @param connection is handed the request on the manager's thread, when it comes.
     * @return the request, if it has come already; nothing is handed over then.
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
     * Expects it no longer.
     *
     * @param from       the sender.
     * @param connection the connection that expected it.
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
            // It was reset meanwhile.
            manager.destroy(request);
        }
    }

    /** Its sender gave up. */
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

    /** Listens no more, and refuses what was kept. */
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
