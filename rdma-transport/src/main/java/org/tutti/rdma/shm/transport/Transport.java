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
 * What the type of transport service decides about a queue pair, and the peers that it sends to. One per queue pair,
 * used under its posting lock.
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
     * The transport of a queue pair that is being made.
     *
     * @param type      type of the service.
     * @param queuePair queue pair.
     * @return owned by the queue pair.
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
     * Which send requests can be posted.
     *
     * @return a bit for each value of {@link org.tutti.rdma.SendOpcode}.
     */
    abstract int opcodes();

    /**
     * The state in which the queue pair is after a send that failed.
     *
     * @return ERR, or SQE, in which receives go on.
     */
    abstract QueuePairState afterFailedSend();

    /**
     * What executes requests.
     *
     * @return null while there is no peer for them.
     */
    abstract Requester requester();

    /**
     * Decides about a request that could not be executed now.
     *
     * @param why       {@link Requester#NOT_READY} or {@link Requester#NO_ANSWER}.
     * @param requester requester that reports it, or null.
     * @param nowNs     current time by {@link System#nanoTime()}.
     * @param timer     timer of the send queue.
     * @return the status with which to end it, or a negative number to keep it.
     */
    abstract int giveUp(int why, Requester requester, long nowNs, RetryTimer timer);

    /**
     * Checks the values of a change of attributes that only this knows about.
     *
     * @param values values of the change.
     * @param mask   a sum of {@link QueuePairAttributeMask}: which values.
     */
    public void check(final QueuePairAttributes values, final int mask)
    {
        // As a rule there are none.
    }

    /**
     * The attributes have changed; called with the queue pair's {@link Guard} held.
     *
     * @param values values of the change.
     * @param next   the state that follows.
     */
    public abstract void changed(QueuePairAttributes values, QueuePairState next);

    /** Finds the peer, as early as can be: from now on its death is noticed, and no other is taken for it. */
    public void connect()
    {
        // As a rule there is none.
    }

    /** Lets go of all peers. */
    public abstract void disconnect();

    /**
     * As {@link org.tutti.rdma.QueuePair#loadStoreAddress}.
     *
     * @param remoteAddress remote address in the peer.
     * @param length        length in bytes.
     * @param rkey          remote key of the peer's region.
     * @param access        access rights to check.
     * @return 0 when the memory is not reachable that way.
     */
    public long loadStoreAddress(final long remoteAddress, final long length, final int rkey, final int access)
    {
        return 0;
    }

    /**
     * Joins a multicast group.
     *
     * @param group its GID.
     * @param lid   LID of the group, or 0 for none.
     * @throws RdmaException with EINVAL if the service has no groups.
     */
    public void attachMulticast(final Gid group, final int lid)
    {
        throw noGroups("ibv_attach_mcast");
    }

    /**
     * Leaves a multicast group.
     *
     * @param group its GID.
     * @param lid   LID by which it was joined.
     * @throws RdmaException with EINVAL if it is not in the group.
     */
    public void detachMulticast(final Gid group, final int lid)
    {
        throw noGroups("ibv_detach_mcast");
    }

    /**
     * In how many multicast groups it is.
     *
     * @return at least 0.
     */
    public int groups()
    {
        return 0;
    }

    private RdmaException noGroups(final String verb)
    {
        return new RdmaException(Errno.EINVAL, verb,
            "queue pair " + queuePair.qpNum() + " is connected; only one of type UD can be in multicast groups");
    }
}
