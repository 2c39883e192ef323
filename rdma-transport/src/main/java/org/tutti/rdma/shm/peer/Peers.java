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
import org.tutti.rdma.soft.segment.ControlLayout;

/** The contexts that a context's queue pairs are connected to. Thread-safe. */
public final class Peers
{
    private static final String VERB = "ibv_modify_qp";

    /** A GID consists of the directory's bits, the host's bits and, last, the context's index. */
    private static final int GID_INDEX_BITS = 16;

    private final Fabric fabric;
    private final long control;
    private final int token;
    private final Gid gid;
    private final Int2ObjectHashMap<PeerContext> byIndex = new Int2ObjectHashMap<>();
    private PeerWatcher watcher;

    /**
     * Creates an empty set of peers.
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
     * The control segment of the context whose peers these are.
     *
     * @return address of the segment.
     */
    public long control()
    {
        return control;
    }

    /**
     * The token of the context whose peers these are.
     *
     * @return the token.
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
     * Checks that a path leads to the context of a queue pair. Numbers alone are ambiguous, because each directory
     * numbers its contexts and their queue pairs from the start.
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
     * The index of the context that a path leads to, which need not exist.
     *
     * @param path path to the context.
     * @param verb verb named in errors.
     * @return index, out of range if the LID is not of this directory.
     * @throws RdmaException with EHOSTUNREACH if it leads out of this directory.
     */
    public int indexOf(final AddressHandleAttributes path, final String verb)
    {
        final Gid dgid = path.dgid();
        if (path.global() && (dgid.high() != gid.high() || (dgid.low() ^ gid.low()) >>> GID_INDEX_BITS != 0))
        {
            throw new RdmaException(Errno.EHOSTUNREACH, verb, "dgid " + dgid +
                " is on another host or in another directory than this port's " + gid + " (directory " +
                fabric.directory() + "); start both with the same " + Fabric.DIRECTORY_ENV_NAME);
        }
        return path.global() ? (int)(dgid.low() ^ gid.low()) ^ ControlLayout.index(token) : path.dlid() - 1;
    }

    /**
     * Formats the destination of a path, for messages.
     *
     * @param path path to a context.
     * @return GID or LID of the destination.
     */
    public static String name(final AddressHandleAttributes path)
    {
        return path.global() ? "dgid " + path.dgid() : "dlid " + path.dlid();
    }

    /**
     * Connects a queue pair to a context.
     *
     * @param index index of the context.
     * @return the context, or null if it does not exist now.
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
            // The replaced context is unmapped when its last queue pair disconnects.
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
     * Disconnects a queue pair from a context.
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
     * Whether the context of a token was closed or its process exited.
     *
     * @param other token of the context.
     * @return true only if certain: a guard must never be taken over from a live process.
     */
    public synchronized boolean isDead(final int other)
    {
        if (other == token)
        {
            return false;
        }
        // The check by an open descriptor is reliable: it needs neither a new descriptor nor the file name, which an
        // exiting process removes early.
        final PeerContext peer = byIndex.get(ControlLayout.index(other));
        return (peer != null && peer.token() == other) ?
            peer.checkDead() : PeerContext.isDead(fabric, other);
    }

    /**
     * The process of the context of a token.
     *
     * @param other token of the context.
     * @return process ID, or 0 if the context does not exist now.
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

    /** Stops the watcher and unmaps all contexts. */
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
