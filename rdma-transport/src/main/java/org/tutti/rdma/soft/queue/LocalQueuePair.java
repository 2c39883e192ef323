/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.queue;

import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.Errno;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.soft.segment.ControlLayout;
import org.tutti.rdma.soft.segment.QueuePairEntry;
import org.tutti.rdma.soft.segment.SegmentBounds;
import org.tutti.rdma.soft.segment.SharedAtomics;
import org.tutti.rdma.spi.ConnectionAttributes;

/**
 * The local state of a queue pair: its entry in the control segment, its attributes, and whether it has failed. Failing
 * has two steps: first execution stops; then the error state, which peers may see, is entered as soon as no thread
 * executes incoming requests on the queue pair, which requires its <i>guard</i>. Guarded by its posting lock unless
 * stated otherwise.
 */
public abstract class LocalQueuePair
{
    private static final QueuePairState[] STATES = QueuePairState.values();
    private static final int ERR = QueuePairState.ERR.ordinal();
    private static final int SQE = QueuePairState.SQE.ordinal();
    private static final long GUARD_DEADLINE_NS = 10_000_000_000L;
    /**
     * Time for which a thread that posts or polls waits for the guard of a failed queue pair; then the progress thread
     * does.
     */
    private static final long SHORT_DEADLINE_NS = 1_000_000L;

    private final long control;
    private final int token;
    private final long entry;
    private final int qpNum;
    private final int domain;
    private final ConnectionAttributes attributes = new ConnectionAttributes();
    private AsyncEventType failure;
    private volatile boolean isFailed;

    /**
     * Describes a queue pair that is being created.
     *
     * @param control address of the control segment.
     * @param token   token of its context.
     * @param index   index of its entry in the control segment.
     * @param domain  number of its protection domain.
     */
    protected LocalQueuePair(final long control, final int token, final int index, final int domain)
    {
        this.control = control;
        this.token = token;
        this.domain = domain;
        entry = ControlLayout.queuePair(control, index);
        qpNum = ControlLayout.qpNum(ControlLayout.index(token), index);
    }

    /**
     * Acquires the guard, so that no thread or peer executes incoming requests on the queue pair.
     *
     * @param deadlineNs maximum time to wait, in nanoseconds.
     * @return false if it was not released in time.
     */
    public abstract boolean acquireGuard(long deadlineNs);

    /** Releases the guard. */
    public abstract void releaseGuard();

    /**
     * The holder of the guard, for messages.
     *
     * @return a phrase such as {@code its process may be stopped (pid 1)}.
     */
    protected abstract String guardHolder();

    /**
     * The control segment that contains the entry.
     *
     * @return address of the segment.
     */
    public final long control()
    {
        return control;
    }

    /**
     * The context that the queue pair belongs to.
     *
     * @return token of the context.
     */
    public final int token()
    {
        return token;
    }

    public final long entry()
    {
        return entry;
    }

    public final int qpNum()
    {
        return qpNum;
    }

    /**
     * The protection domain that the queue pair belongs to.
     *
     * @return number of the domain.
     */
    public final int domain()
    {
        return domain;
    }

    public final ConnectionAttributes attributes()
    {
        return attributes;
    }

    /**
     * The state as the owner sees it; peers may still see an earlier one. Needs no lock.
     *
     * @return state; ERR as soon as the queue pair has failed.
     */
    public final QueuePairState state()
    {
        return isFailed ? QueuePairState.ERR : STATES[(int)SegmentBounds.count(
            QueuePairEntry.state(entry), STATES.length - 1, "the state of a queue pair")];
    }

    /**
     * Whether the queue pair has failed and executes nothing until it is reset. Needs no lock.
     *
     * @return true even before the error state is entered.
     */
    public final boolean isFailed()
    {
        return isFailed;
    }

    /**
     * Whether the queue pair has failed but not yet entered the error state, because a peer executes on it. Needs no
     * lock.
     *
     * @return false in the error state.
     */
    public final boolean isFailing()
    {
        return isFailed && QueuePairEntry.state(entry) != ERR;
    }

    /**
     * Records a failure; {@link #tryEnterError} enters the error state.
     *
     * @param event event that gives the reason, or null for none.
     */
    public final void setFailed(final AsyncEventType event)
    {
        failure = event;
        isFailed = true;
    }

    /**
     * Enters the error state and flushes the receives: immediately, or in the progress thread as soon as an executing
     * peer releases the guard. The caller flushes the sends.
     *
     * @param event event that gives the reason, or null for none.
     */
    public final void fail(final AsyncEventType event)
    {
        setFailed(event);
        tryEnterError();
    }

    /** Enters the error state unless a peer holds the guard for longer than a millisecond. */
    public final void tryEnterError()
    {
        if (acquireGuard(SHORT_DEADLINE_NS))
        {
            enterError();
        }
    }

    /**
     * Enters the error state at the owner's request; the caller flushes the sends.
     *
     * @param verb verb named in errors.
     * @throws RdmaException with ETIMEDOUT if a peer does not release the guard.
     */
    public final void enterError(final String verb)
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

    /**
     * Enters the state SQE, in which sends are flushed and receives continue, unless a peer has moved the queue pair to
     * ERR.
     */
    public final void failSends()
    {
        final int before = QueuePairEntry.state(entry);
        if (before < SQE)
        {
            SharedAtomics.compareAndSetInt(entry + QueuePairEntry.STATE_OFFSET, before, SQE);
        }
    }

    /** Clears the failure and all attributes after a reset of the queue pair. */
    public final void reset()
    {
        isFailed = false;
        failure = null;
        attributes.reset();
    }

    /**
     * Acquires the guard, so that no peer executes on the queue pair.
     *
     * @param verb verb named in errors.
     * @throws RdmaException with ETIMEDOUT if a peer does not release it.
     */
    public final void acquireGuard(final String verb)
    {
        if (!acquireGuard(GUARD_DEADLINE_NS))
        {
            throw new RdmaException(Errno.ETIMEDOUT, verb,
                "a peer has held queue pair " + qpNum + " for 10 s; " + guardHolder());
        }
    }
}
