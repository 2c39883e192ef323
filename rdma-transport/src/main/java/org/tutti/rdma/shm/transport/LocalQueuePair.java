/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.transport;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.Errno;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.shm.peer.Guard;
import org.tutti.rdma.shm.peer.Peers;
import org.tutti.rdma.shm.segment.ControlLayout;
import org.tutti.rdma.shm.segment.QueuePairEntry;
import org.tutti.rdma.shm.segment.SegmentBounds;
import org.tutti.rdma.shm.segment.SharedAtomics;
import org.tutti.rdma.spi.ConnectionAttributes;

/**
 * A queue pair as all parts of its own side see it: its entry in the control segment, its attributes, the peers it can
 * reach, and whether it has failed. Failing has two steps: nothing is executed any more from the first on, and the
 * error state, which peers see, is entered as soon as no peer executes on the queue pair. Used under its posting lock,
 * but for what says otherwise.
 */
public final class LocalQueuePair
{
    private static final QueuePairState[] STATES = QueuePairState.values();
    private static final int ERR = QueuePairState.ERR.ordinal();
    private static final int SQE = QueuePairState.SQE.ordinal();
    private static final long GUARD_DEADLINE_NS = 10_000_000_000L;
    /** How long posting and polling wait for a peer that executes; the progress thread does what they leave. */
    private static final long SHORT_DEADLINE_NS = 1_000_000L;

    private final Peers peers;
    private final AddressHandles addressHandles;
    private final long control;
    private final long entry;
    private final int qpNum;
    private final int domain;
    private final ConnectionAttributes attributes = new ConnectionAttributes();
    private AsyncEventType failure;
    private volatile boolean isFailed;

    /**
     * Describes a queue pair that is being made.
     *
     * @param peers          peers of its context.
     * @param addressHandles address handles of its context.
     * @param index          index of its entry in the control segment of the context.
     * @param domain         number of its protection domain.
     */
    public LocalQueuePair(
        final Peers peers, final AddressHandles addressHandles, final int index, final int domain)
    {
        this.peers = peers;
        this.addressHandles = addressHandles;
        this.domain = domain;
        control = peers.control();
        entry = ControlLayout.queuePair(control, index);
        qpNum = ControlLayout.qpNum(ControlLayout.index(peers.token()), index);
    }

    Peers peers()
    {
        return peers;
    }

    AddressHandles addressHandles()
    {
        return addressHandles;
    }

    /**
     * The control segment that its entry is in.
     *
     * @return an address.
     */
    long control()
    {
        return control;
    }

    /**
     * The context that it belongs to.
     *
     * @return its token.
     */
    int token()
    {
        return peers.token();
    }

    public long entry()
    {
        return entry;
    }

    public int qpNum()
    {
        return qpNum;
    }

    /**
     * The protection domain that it belongs to.
     *
     * @return its number.
     */
    int domain()
    {
        return domain;
    }

    public ConnectionAttributes attributes()
    {
        return attributes;
    }

    /**
     * The state that its owner sees. Needs no lock.
     *
     * @return ERR as soon as it has failed.
     */
    public QueuePairState state()
    {
        return isFailed ? QueuePairState.ERR : STATES[(int)SegmentBounds.count(
            QueuePairEntry.state(entry), STATES.length - 1, "the state of a queue pair")];
    }

    /**
     * Whether nothing is executed any more until it is reset. Needs no lock.
     *
     * @return true also while the error state has yet to be entered.
     */
    boolean isFailed()
    {
        return isFailed;
    }

    /**
     * Whether it has failed and is still to enter the error state, because a peer executes on it. Needs no lock.
     *
     * @return false in the error state.
     */
    boolean isFailing()
    {
        return isFailed && QueuePairEntry.state(entry) != ERR;
    }

    /**
     * Notes a failure, and leaves the error state to {@link #tryEnterError}.
     *
     * @param event the event that says why, or null for none.
     */
    void setFailed(final AsyncEventType event)
    {
        failure = event;
        isFailed = true;
    }

    /**
     * Goes to the error state and flushes the receives: now, or by the progress thread as soon as a peer that executes
     * lets go. The sends are the caller's to flush.
     *
     * @param event the event that says why, or null for none.
     */
    void fail(final AsyncEventType event)
    {
        setFailed(event);
        tryEnterError();
    }

    /** Enters the error state unless a peer executes on it for longer than a millisecond. */
    void tryEnterError()
    {
        if (Guard.acquire(peers, control, entry, SHORT_DEADLINE_NS))
        {
            enterError();
        }
    }

    /**
     * Enters the error state at its owner's request; the sends are the caller's to flush.
     *
     * @param verb verb named in errors.
     * @throws RdmaException with ETIMEDOUT if a peer executes on it all the time.
     */
    public void enterError(final String verb)
    {
        acquireGuard(verb);
        enterError();
    }

    private void enterError()
    {
        try
        {
            Responder.fail(control, entry, token(), failure);
        }
        finally
        {
            releaseGuard();
        }
    }

    /** Goes to the state in which sends are flushed and receives go on, unless a peer has taken it further. */
    void failSends()
    {
        final int before = QueuePairEntry.state(entry);
        if (before < SQE)
        {
            SharedAtomics.compareAndSetInt(entry + QueuePairEntry.STATE_OFFSET, before, SQE);
        }
    }

    /** Forgets a failure and all attributes: the queue pair was reset. */
    public void reset()
    {
        isFailed = false;
        failure = null;
        attributes.reset();
    }

    /**
     * Keeps peers from executing on it.
     *
     * @param verb verb named in errors.
     * @throws RdmaException with ETIMEDOUT if a peer does not let go of it.
     */
    public void acquireGuard(final String verb)
    {
        if (!Guard.acquire(peers, control, entry, GUARD_DEADLINE_NS))
        {
            throw new RdmaException(Errno.ETIMEDOUT, verb, "a peer has executed on queue pair " + qpNum +
                " for 10 s; its process may be stopped (pid " + peers.pidOf(
                UnsafeApi.getInt(entry + QueuePairEntry.GUARD_OFFSET)) + ")");
        }
    }

    /** Lets peers execute on it again. */
    public void releaseGuard()
    {
        Guard.release(peers, entry);
    }
}
