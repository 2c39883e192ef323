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
 * The channels of a communicator on one rank, made when a call first needs them: each has its own order of calls and
 * its own lock. A thread that waits in one of them, or in the communicator, progresses what was started in the others,
 * so a rank may wait in any order. Thread-safe, but for what {@link #close} needs.
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

    /** The communicator's. */
    Sessions sessions()
    {
        return parent.sessions();
    }

    /** The communicator's. */
    GroupOwner group()
    {
        return parent.group();
    }

    /** The communicator's. */
    ProgressThread progress()
    {
        return parent.progress();
    }

    /** Those of the communicator. */
    public Windows windows()
    {
        return windows;
    }

    /** The channel by which this rank sends to another one. */
    public Session to(final int dest)
    {
        return find(2 * dest, dest);
    }

    /** The channel by which another rank sends to this one. */
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
            // Not before it is among those that are poisoned from now on.
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

    /** If a rank has failed it is that one. */
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

    /** Goes on with whatever was started in the communicator or a channel, but for one that its caller goes on with. */
    int goOn(final Session caller)
    {
        int moved = Waiter.NONE;
        if (byPeer != null)
        {
            moved = parent == caller ? Waiter.NONE : parent.requests().goOn();
            for (int i = 0; i < made.size(); i++)
            {
                final Session session = made.get(i);
                moved = session == caller ? moved : Math.max(moved, session.requests().goOn());
            }
        }
        return moved;
    }

    /** What was started goes on while its caller does something that nothing goes on in. */
    void goOnByThemselves()
    {
        for (final Session session : made)
        {
            session.requests().goOnByItself();
        }
    }

    /** All calls fail from now on, unless they have before. */
    void poison(final CollectiveException cause)
    {
        failure = failure == null ? cause : failure;
        windows.poison(cause);
        for (final Session session : made)
        {
            session.poison(cause);
        }
    }

    /** No channel is made any more, and threads that wait in one are notified. */
    void stop(final Thread closing)
    {
        synchronized (this)
        {
            closed = true;
        }
        windows.stop(closing);
        // All of them first: a thread that is in two at once looks at one.
        for (final Session session : made)
        {
            session.closing().stop(closing);
        }
    }

    /** As {@link Closing#endCalls}, of all channels. */
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

    /** Says that this rank calls no more. */
    void announceClose()
    {
        windows.announceClose();
        for (final Session session : made)
        {
            session.closing().announce();
        }
    }

    /** Looks, when all ranks have closed, whether what was sent was received. */
    void checkClosed()
    {
        for (final Session session : made)
        {
            // The other end has said by the channel how many calls it made, if there was room for it to say so.
            session.engine().checkClosed(NO_CALLS);
        }
    }

    /** Frees all of them, when no peer writes into them any more. */
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
