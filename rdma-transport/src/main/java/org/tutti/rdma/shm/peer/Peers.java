/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.peer;

import org.agrona.UnsafeApi;
import org.agrona.collections.Int2ObjectHashMap;
import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.Errno;
import org.tutti.rdma.Gid;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.shm.segment.ControlLayout;

/** The contexts that a context's queue pairs are connected to. Thread-safe. */
public final class Peers
{
    private static final String VERB = "ibv_modify_qp";

    /** The last bits of a GID are the context's index; those before are the host's, and the first the directory's. */
    private static final int GID_INDEX_BITS = 16;

    private final Fabric fabric;
    private final long control;
    private final int token;
    private final Gid gid;
    private final Int2ObjectHashMap<PeerContext> byIndex = new Int2ObjectHashMap<>();
    private PeerWatcher watcher;

    /**
     * Knows none yet.
     *
     * @param fabric  fabric of the context.
     * @param control segment of the context.
     * @param gid     GID of the context's port.
     */
    public Peers(final Fabric fabric, final long control, final Gid gid)
    {
        this.fabric = fabric;
        this.control = control;
        this.gid = gid;
        token = UnsafeApi.getInt(control + ControlLayout.TOKEN_OFFSET);
    }

    public Fabric fabric()
    {
        return fabric;
    }

    /**
     * The segment of the context whose peers these are.
     *
     * @return its address.
     */
    public long control()
    {
        return control;
    }

    /**
     * The context whose peers these are.
     *
     * @return its token.
     */
    public int token()
    {
        return token;
    }

    public Gid gid()
    {
        return gid;
    }

    /**
     * Checks that a path leads to the context which has a queue pair: numbers alone do not tell, as each directory
     * counts its contexts and their queue pairs from the start.
     *
     * @param path      path to the context.
     * @param destQpNum number of the destination queue pair.
     * @throws RdmaException with EHOSTUNREACH if it leads out of this directory, with EINVAL if to another context.
     */
    public void checkPath(final AddressHandleAttributes path, final int destQpNum)
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
     * @param path path to the context.
     * @param verb verb named in errors.
     * @return its index, out of range when a LID is not one of this directory.
     * @throws RdmaException with EHOSTUNREACH if it leads out of this directory.
     */
    public int indexOf(final AddressHandleAttributes path, final String verb)
    {
        final Gid dgid = path.dgid();
        if (path.global() && (dgid.high() != gid.high() || (dgid.low() ^ gid.low()) >>> GID_INDEX_BITS != 0))
        {
            throw new RdmaException(Errno.EHOSTUNREACH, verb, "dgid " + dgid +
                " is of another host or directory than this port's " + gid + " (directory " +
                fabric.directory() + "); start both with the same " + Fabric.DIRECTORY_ENV_NAME);
        }
        return path.global() ? (int)(dgid.low() ^ gid.low()) ^ ControlLayout.index(token) : path.dlid() - 1;
    }

    /**
     * The end of a path, for messages.
     *
     * @param path path to a context.
     * @return its GID or LID.
     */
    public static String name(final AddressHandleAttributes path)
    {
        return path.global() ? "dgid " + path.dgid() : "dlid " + path.dlid();
    }

    /**
     * Finds a context for one more queue pair.
     *
     * @param index index.
     * @return null when there is no such context now.
     */
    public synchronized PeerContext connect(final int index)
    {
        PeerContext peer = byIndex.get(index);
        if (peer == null || peer.isGone() || peer.checkDead())
        {
            peer = PeerContext.open(fabric, index);
            if (peer == null)
            {
                return null;
            }
            if (!peer.isSameProcess())
            {
                watch(peer);
            }
            // The one it replaces is unmapped when the last queue pair disconnects from it.
            byIndex.put(index, peer);
        }
        peer.retain();
        return peer;
    }

    private void watch(final PeerContext peer)
    {
        if (watcher == null)
        {
            watcher = new PeerWatcher(control, ControlLayout.index(token));
            watcher.start();
        }
        watcher.watch(peer);
    }

    /**
     * Lets go of a context for one queue pair.
     *
     * @param peer peer from {@link #connect}.
     */
    public synchronized void disconnect(final PeerContext peer)
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
     * @param other token of it.
     * @return true only when that is certain: what a living process holds must never be taken from it.
     */
    public synchronized boolean isDead(final int other)
    {
        if (other == token)
        {
            return false;
        }
        // An open descriptor tells for sure; it needs no new one, and no name, which a process that ends removes early.
        final PeerContext peer = byIndex.get(ControlLayout.index(other));
        return (peer != null && peer.token() == other) ?
            peer.checkDead() : PeerContext.isDead(fabric, other);
    }

    /**
     * The process of the context that a token names.
     *
     * @param other token of it.
     * @return the process number, or 0 when there is no such context now.
     */
    public synchronized long pidOf(final int other)
    {
        final PeerContext known = byIndex.get(ControlLayout.index(other));
        if (known != null && known.token() == other)
        {
            return known.pid();
        }
        final PeerContext peer = PeerContext.open(fabric, ControlLayout.index(other));
        if (peer == null)
        {
            return 0;
        }
        final int pid = peer.pid();
        peer.unmap();
        return pid;
    }

    /** Ends the watcher and unmaps all contexts. */
    public void close()
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
