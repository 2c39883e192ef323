/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.transport;

import org.tutti.rdma.Errno;
import org.tutti.rdma.Gid;
import org.tutti.rdma.QueuePairAttributeMask;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.shm.peer.Guard;
import org.tutti.rdma.shm.peer.Peers;

/**
 * The part of a queue pair that depends on the type of transport service, and its peers. One per queue pair, guarded by
 * its posting lock.
 */
public abstract class Transport
{
    final LocalQueuePair queuePair;
    final Peers peers;

    Transport(final LocalQueuePair queuePair)
    {
        this.queuePair = queuePair;
        peers = queuePair.peers();
    }

    /**
     * Creates the transport of a queue pair that is being created.
     *
     * @param type      type of the service.
     * @param queuePair queue pair.
     * @return the transport, owned by the queue pair.
     */
    public static Transport of(final QueuePairType type, final LocalQueuePair queuePair)
    {
        return switch (type)
        {
            case RC -> new ReliableTransport(queuePair);
            case UC -> new UnreliableTransport(queuePair);
            case UD -> new DatagramTransport(queuePair);
        };
    }

    /**
     * The permitted send opcodes.
     *
     * @return a mask with one bit per value of {@link org.tutti.rdma.SendOpcode}.
     */
    abstract int opcodes();

    /**
     * The state of the queue pair after a failed send.
     *
     * @return ERR, or SQE, in which receives continue.
     */
    abstract QueuePairState afterFailedSend();

    /**
     * The requester that executes requests.
     *
     * @return the requester, or null without a peer.
     */
    abstract Requester requester();

    /**
     * Decides whether to complete or retry a request that could not be executed.
     *
     * @param why       {@link Requester#NOT_READY} or {@link Requester#NO_ANSWER}.
     * @param requester requester that reported it, or null.
     * @param nowNs     current time by {@link System#nanoTime()}.
     * @param timer     timer of the send queue.
     * @return status to complete the request with, or a negative number to retry it.
     */
    abstract int giveUp(int why, Requester requester, long nowNs, RetryTimer timer);

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
     * Called after a change of attributes, with the queue pair's {@link Guard} held.
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
