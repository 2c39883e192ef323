/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.select.AlgorithmSelector;
import org.tutti.collectives.wireup.PointToPointChannel;
import org.tutti.collectives.wireup.Team;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The point-to-point channels of a communicator on one rank, created on first use. Each has its own call order and
 * lock. A thread that waits in one channel, or in the communicator, also progresses the requests of the others, so a
 * rank may await its requests in any order. Thread-safe, except {@link #close}.
 */
public final class PointToPointChannels
{
    private static final long[] NO_CALLS = {};
    private static final AlgorithmSelector SELECTOR = AlgorithmSelector.of(PointToPointChannel.ALGORITHMS);

    private final Session parent;
    private final List<Session> made = new CopyOnWriteArrayList<>();
    private final Windows windows = new Windows();
    private volatile AtomicReferenceArray<Session> byPeer;
    private volatile CollectiveException failure;
    private boolean closed;

    PointToPointChannels(final Session parent)
    {
        this.parent = parent;
    }

    /** Returns the sessions of the communicator's context. */
    Sessions sessions()
    {
        return parent.sessions();
    }

    /** Returns the communicator's group owner. */
    GroupOwner group()
    {
        return parent.group();
    }

    /** Returns the communicator's progress thread. */
    ProgressThread progress()
    {
        return parent.progress();
    }

    /** Returns the communicator's windows. */
    public Windows windows()
    {
        return windows;
    }

    /** Returns the channel by which this rank sends to another one. */
    public Session to(final int dest)
    {
        return find(2 * dest, dest);
    }

    /** Returns the channel by which another rank sends to this one. */
    public Session from(final int source)
    {
        return find(2 * source + 1, source);
    }

    private Session find(final int place, final int peer)
    {
        final AtomicReferenceArray<Session> table = byPeer;
        final Session found = table == null ? null : table.get(place);
        return found == null ? make(place, peer) : found;
    }

    private synchronized Session make(final int place, final int peer)
    {
        parent.requireOpen();
        if (closed)
        {
            throw new IllegalStateException("the communicator is closed");
        }
        final Team team = parent.team();
        if (byPeer == null)
        {
            byPeer = new AtomicReferenceArray<>(2 * team.size());
        }
        Session session = byPeer.get(place);
        if (session == null)
        {
            final boolean sends = (place & 1) == 0;
            session = open(new PointToPointChannel(team, sends ? team.rank() : peer, sends ? peer : team.rank()));
            made.add(session);
            // Checked after the session is in the list, so that no failure is missed.
            if (failure != null)
            {
                session.poison(failure);
            }
            byPeer.set(place, session);
        }
        return session;
    }

    private Session open(final PointToPointChannel channel)
    {
        try
        {
            return new Session(Team.ofChannel(channel), SELECTOR, this);
        }
        catch (final RuntimeException e)
        {
            final CollectiveException cause = cause(channel, e);
            parent.sessions().fail(cause);
            throw cause;
        }
    }

    /** Returns the failure of a rank, if there is one, else that of the connection. */
    private CollectiveException cause(final PointToPointChannel channel, final RuntimeException thrown)
    {
        final Team team = parent.team();
        try
        {
            parent.diagnosis().throwIfFailed(parent.engine().sequence());
        }
        catch (final CollectiveException failed)
        {
            return failed;
        }
        return new CollectiveException(channel.sender() == team.rank() ? channel.receiver() : channel.sender(),
            team.ranks().name(team.rank()) + " cannot connect rank " + channel.sender() + " to rank " +
            channel.receiver() + ": " + thrown.getMessage(), thrown);
    }

    /**
     * Progresses the requests of the communicator and of all channels, except those of the caller's own session, which
     * the caller progresses itself.
     */
    int progress(final Session caller)
    {
        int moved = RankIdleStrategy.NONE;
        if (byPeer != null)
        {
            moved = parent == caller ? RankIdleStrategy.NONE : parent.requests().progress();
            for (int i = 0; i < made.size(); i++)
            {
                final Session session = made.get(i);
                moved = session == caller ? moved : Math.max(moved, session.requests().progress());
            }
        }
        return moved;
    }

    /**
     * Hands the requests of the channels to the progress thread, because the caller starts an operation that does not
     * progress them.
     */
    void progressInBackground()
    {
        for (final Session session : made)
        {
            session.requests().progressInBackground();
        }
    }

    /** Fails all later calls with the first cause reported. */
    void poison(final CollectiveException cause)
    {
        failure = failure == null ? cause : failure;
        windows.poison(cause);
        for (final Session session : made)
        {
            session.poison(cause);
        }
    }

    /** Prevents the creation of channels, and ends all waits in channels. */
    void stop(final Thread closing)
    {
        synchronized (this)
        {
            closed = true;
        }
        windows.stop(closing);
        // Stops all channels before any is closed, as a thread in a sendrecv uses two channels but checks only one.
        for (final Session session : made)
        {
            session.closing().stop(closing);
        }
    }

    /** As {@link SessionCloser#endCalls}, for all channels. */
    boolean endCalls(final String thread, final long deadlineNs)
    {
        for (final Session session : made)
        {
            if (!session.closing().endCalls(thread, deadlineNs))
            {
                return false;
            }
        }
        return true;
    }

    /** Announces that this rank makes no more calls. */
    void announceClose()
    {
        windows.announceClose();
        for (final Session session : made)
        {
            session.closing().announce();
        }
    }

    /** Checks, after all ranks have closed, that everything sent was received. */
    void checkClosed()
    {
        for (final Session session : made)
        {
            // The peer has announced its number of calls on the channel, if the send queue had space.
            session.engine().checkClosed(NO_CALLS);
        }
    }

    /** Frees all channels once no peer writes into them any more. */
    void close(final RuntimeException cause)
    {
        final List<RuntimeException> problems = new ArrayList<>();
        try
        {
            windows.close(cause);
        }
        catch (final RuntimeException e)
        {
            problems.add(e);
        }
        for (final Session session : made)
        {
            try
            {
                session.closing().free(cause);
            }
            catch (final RuntimeException e)
            {
                problems.add(e);
            }
        }
        if (!problems.isEmpty() && cause == null)
        {
            throw problems.getFirst();
        }
    }
}
