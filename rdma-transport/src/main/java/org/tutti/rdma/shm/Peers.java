/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.collections.Int2ObjectHashMap;
import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.Errno;
import org.tutti.rdma.Gid;
import org.tutti.rdma.RdmaException;

/** The contexts that a context's queue pairs are connected to. Thread-safe. */
final class Peers
{
    private static final String VERB = "ibv_modify_qp";

    private final ShmContext context;
    private final Int2ObjectHashMap<PeerContext> byIndex = new Int2ObjectHashMap<>();
    private PeerWatcher watcher;

    Peers(final ShmContext context)
    {
        this.context = context;
    }

    /**
     * Checks that a path leads to the context which has a queue pair: numbers alone do not tell, as each directory
     * counts its contexts and their queue pairs from the start.
     *
     * @param path      to the context.
     * @param destQpNum of the queue pair.
     * @throws RdmaException with EHOSTUNREACH if it leads out of this directory, with EINVAL if to another context.
     */
    void checkPath(final AddressHandleAttributes path, final int destQpNum)
    {
        final int index = indexOf(path, VERB);
        if (index != ControlLayout.contextIndex(destQpNum))
        {
            throw new RdmaException(Errno.EINVAL, VERB,
                name(path) + " is the port of context " + index + ", but dest_qp_num " + destQpNum +
                " is a queue pair of context " + ControlLayout.contextIndex(destQpNum) +
                "; take both from the same peer");
        }
    }

    /**
     * The context that a path leads to, whether there is one now or not.
     *
     * @param path to the context.
     * @param verb for the error.
     * @return its index, out of range when a LID is not one of this directory.
     * @throws RdmaException with EHOSTUNREACH if it leads out of this directory.
     */
    int indexOf(final AddressHandleAttributes path, final String verb)
    {
        final Gid own = context.queryGid(1, 0);
        final Gid dgid = path.dgid();
        if (path.global() && (dgid.high() != own.high() || (dgid.low() ^ own.low()) >>> ShmContext.GID_INDEX_BITS != 0))
        {
            throw new RdmaException(Errno.EHOSTUNREACH, verb, "dgid " + dgid +
                " is of another host or directory than this port's " + own + " (directory " +
                context.fabric().directory() + "); start both with the same " + ShmProvider.DIRECTORY_ENV_NAME);
        }
        return path.global() ? (int)(dgid.low() ^ own.low()) ^ context.index() : path.dlid() - 1;
    }

    static String name(final AddressHandleAttributes path)
    {
        return path.global() ? "dgid " + path.dgid() : "dlid " + path.dlid();
    }

    /**
     * Finds a context for one more queue pair.
     *
     * @param index of it.
     * @return null when there is no such context now.
     */
    synchronized PeerContext connect(final int index)
    {
        PeerContext peer = byIndex.get(index);
        if (peer == null || peer.isGone() || peer.checkDead())
        {
            peer = PeerContext.open(context.fabric(), index);
            if (peer == null)
            {
                return null;
            }
            if (!peer.isSameProcess())
            {
                watch(peer);
            }
            // Whom it replaces is unmapped when the last of his queue pairs disconnects.
            byIndex.put(index, peer);
        }
        peer.retain();
        return peer;
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
     * Whether the context that a token names was closed or its process ended.
     *
     * @param token of it.
     * @return true only when that is certain: what a living process holds must never be taken from it.
     */
    synchronized boolean isDead(final int token)
    {
        if (token == context.token())
        {
            return false;
        }
        // An open descriptor tells for sure; it needs no new one, and no name, which a process that ends removes early.
        final PeerContext peer = byIndex.get(ControlLayout.index(token));
        return (peer != null && peer.token() == token) ?
            peer.checkDead() : PeerContext.isDead(context.fabric(), token);
    }

    synchronized long pidOf(final int token)
    {
        final PeerContext known = byIndex.get(ControlLayout.index(token));
        if (known != null && known.token() == token)
        {
            return known.pid();
        }
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
