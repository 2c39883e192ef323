/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.UnsafeApi;
import org.agrona.collections.Int2ObjectHashMap;
import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.Gid;

/** The contexts that a context's queue pairs are connected to. Thread-safe. */
final class Peers
{
    private final ShmContext context;
    private final Int2ObjectHashMap<PeerContext> byIndex = new Int2ObjectHashMap<>();
    private PeerWatcher watcher;

    Peers(final ShmContext context)
    {
        this.context = context;
    }

    /**
     * Finds a context for one more queue pair.
     *
     * @param index of it.
     * @param path  to it; what it names must be the context's, but it may name nothing.
     * @return null when there is no such context now.
     */
    synchronized PeerContext connect(final int index, final AddressHandleAttributes path)
    {
        PeerContext peer = byIndex.get(index);
        if (peer == null || peer.isGone() || peer.checkDead())
        {
            peer = PeerContext.open(context.fabric(), index);
            if (peer == null)
            {
                return null;
            }
            byIndex.put(index, peer);
            if (!peer.isSameProcess())
            {
                watch(peer);
            }
        }
        if (!leadsTo(path, peer.control()))
        {
            return null;
        }
        peer.retain();
        return peer;
    }

    private static boolean leadsTo(final AddressHandleAttributes path, final long control)
    {
        if (path.global())
        {
            return path.dgid().equals(new Gid(
                UnsafeApi.getLong(control + ControlLayout.GID_HIGH_OFFSET),
                UnsafeApi.getLong(control + ControlLayout.GID_LOW_OFFSET)));
        }
        return path.dlid() == 0 || path.dlid() == UnsafeApi.getInt(control + ControlLayout.LID_OFFSET);
    }

    private void watch(final PeerContext peer)
    {
        if (watcher == null)
        {
            watcher = new PeerWatcher(context);
            watcher.start();
        }
        watcher.watch(peer);
    }

    synchronized void disconnect(final PeerContext peer)
    {
        if (peer.isLastUser() && watcher != null)
        {
            watcher.forget(peer);
        }
        if (peer.release())
        {
            byIndex.values().remove(peer);
        }
    }

    /**
     * Whether the context that a token names is open in a living process.
     *
     * @param token of it.
     * @return true for this context.
     */
    boolean isAlive(final int token)
    {
        if (token == context.token())
        {
            return true;
        }
        final PeerContext peer = PeerContext.open(context.fabric(), ControlLayout.index(token));
        if (peer == null)
        {
            return false;
        }
        final boolean isSame = peer.token() == token;
        peer.unmap();
        return isSame;
    }

    long pidOf(final int token)
    {
        final PeerContext peer = PeerContext.open(context.fabric(), ControlLayout.index(token));
        if (peer == null)
        {
            return 0;
        }
        final int pid = peer.pid();
        peer.unmap();
        return pid;
    }

    void close()
    {
        final PeerWatcher last;
        synchronized (this)
        {
            last = watcher;
        }
        if (last != null)
        {
            last.shutdown();
        }
        byIndex.values().forEach(PeerContext::unmap);
    }
}
