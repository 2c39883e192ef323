/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.queue;

import org.tutti.rdma.Errno;
import org.tutti.rdma.Gid;
import org.tutti.rdma.QueuePairAttributeMask;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.RdmaException;

/**
 * The part of a queue pair that depends on the type of transport service, and its peers. One per queue pair, guarded by
 * its posting lock.
 */
public abstract class Transport
{
    private final LocalQueuePair queuePair;

    /**
     * Creates the transport of a queue pair that is being created.
     *
     * @param queuePair queue pair.
     */
    protected Transport(final LocalQueuePair queuePair)
    {
        this.queuePair = queuePair;
    }

    /**
     * Checks the attribute values that are specific to this transport.
     *
     * @param values new values.
     * @param mask   a sum of {@link QueuePairAttributeMask}: the values to check.
     */
    public void check(final QueuePairAttributes values, final int mask)
    {
        // No specific values by default.
    }

    /**
     * Called after a change of attributes, with the queue pair's guard held.
     *
     * @param values new values.
     * @param next   the state that the queue pair enters after this call.
     */
    public abstract void changed(QueuePairAttributes values, QueuePairState next);

    /**
     * Connects to the peer, as early as possible: from now on the peer's death is detected, and no later context with
     * the same index is mistaken for the peer.
     */
    public void connect()
    {
        // No peer by default.
    }

    /**
     * Called when a region was deregistered, before its memory may be freed: from now on, this transport must not
     * access the region.
     *
     * @param key key of the region.
     */
    public void deregistered(final int key)
    {
        // No access lasts longer than a call by default.
    }

    /** Disconnects from all peers. */
    public abstract void disconnect();

    /**
     * As {@link org.tutti.rdma.QueuePair#loadStoreAddress}.
     *
     * @param remoteAddress address in the peer.
     * @param length        length in bytes.
     * @param rkey          remote key of the peer's region.
     * @param access        access rights to check.
     * @return address in this process, or 0 if the memory cannot be mapped.
     */
    public long loadStoreAddress(final long remoteAddress, final long length, final int rkey, final int access)
    {
        return 0;
    }

    /**
     * Attaches to a multicast group.
     *
     * @param group GID of the group.
     * @param lid   LID of the group, or 0 for none.
     * @throws RdmaException with EINVAL if the service does not support groups.
     */
    public void attachMulticast(final Gid group, final int lid)
    {
        throw noGroups("ibv_attach_mcast");
    }

    /**
     * Detaches from a multicast group.
     *
     * @param group GID of the group.
     * @param lid   LID used to attach.
     * @throws RdmaException with EINVAL if the queue pair is not attached to the group.
     */
    public void detachMulticast(final Gid group, final int lid)
    {
        throw noGroups("ibv_detach_mcast");
    }

    /**
     * The number of attached multicast groups.
     *
     * @return number of groups, at least 0.
     */
    public int groups()
    {
        return 0;
    }

    private RdmaException noGroups(final String verb)
    {
        return new RdmaException(Errno.EINVAL, verb,
            "queue pair " + queuePair.qpNum() + " is not of type UD; only UD queue pairs can attach to multicast " +
            "groups");
    }
}
