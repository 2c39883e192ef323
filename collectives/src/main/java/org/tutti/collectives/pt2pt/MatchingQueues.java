/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

import org.tutti.collectives.PointToPoint;

/**
 * The receives that no message has matched, and the messages that no receive has matched. A message goes to the
 * earliest posted receive that matches it, and a receive takes the earliest message that matches it, so messages of one
 * sender that match the same receives do not overtake one another (MPI: A Message-Passing Interface Standard, version
 * 4.1, section 3.5).
 * <p>
 * A search is linear in the number of receives, or messages, of the source: programs have few at a time, mostly in the
 * order in which they match. Not thread-safe. Allocates nothing after the first message and receive of each source.
 *
 * @param <R> type of receives.
 * @param <M> type of messages.
 */
@SuppressWarnings({"unchecked", "ReferenceEquality"}) // Only receives of type R and messages of type M are added.
final class MatchingQueues<R extends PostedReceive, M extends UnexpectedMessage>
{
    /** The queues of one source. */
    private static final class OfSource
    {
        private PostedReceive firstPosted;
        private PostedReceive lastPosted;
        private UnexpectedMessage first;
        private UnexpectedMessage last;
    }

    private final OfSource[] bySource;
    /** The receives from any source; its messages are those of all sources, linked by their own fields. */
    private final OfSource any = new OfSource();
    private long posts;

    /** Creates empty queues for messages of ranks from 0 to {@code ranks} - 1. */
    MatchingQueues(final int ranks)
    {
        bySource = new OfSource[ranks];
    }

    private OfSource of(final int source)
    {
        if (source == PointToPoint.ANY_SOURCE)
        {
            return any;
        }
        if (bySource[source] == null)
        {
            bySource[source] = new OfSource();
        }
        return bySource[source];
    }

    /** Adds a receive that no message in these queues matches. */
    void post(final R receive)
    {
        final OfSource queue = of(receive.source());
        receive.order = posts++;
        receive.isPosted = true;
        receive.nextPosted = null;
        receive.previousPosted = queue.lastPosted;
        if (queue.lastPosted == null)
        {
            queue.firstPosted = receive;
        }
        else
        {
            queue.lastPosted.nextPosted = receive;
        }
        queue.lastPosted = receive;
    }

    /** Removes the earliest posted receive that matches a message of a source and tag; null if there is none. */
    R takePosted(final int source, final int tag)
    {
        final PostedReceive ofSource = firstMatch(of(source), tag);
        final PostedReceive ofAny = any.firstPosted == null ? null : firstMatch(any, tag);
        final PostedReceive found =
            ofSource == null || (ofAny != null && ofAny.order < ofSource.order) ? ofAny : ofSource;
        if (found != null)
        {
            unlink(of(found.source()), found);
        }
        return (R)found;
    }

    private static PostedReceive firstMatch(final OfSource queue, final int tag)
    {
        PostedReceive receive = queue.firstPosted;
        while (receive != null && receive.tag() != PointToPoint.ANY_TAG && receive.tag() != tag)
        {
            receive = receive.nextPosted;
        }
        return receive;
    }

    /** Removes a receive; returns false if it is not posted, because a message has matched it. */
    boolean withdraw(final R receive)
    {
        final boolean isPosted = receive.isPosted;
        if (isPosted)
        {
            unlink(of(receive.source()), receive);
        }
        return isPosted;
    }

    /** Removes all posted receives. */
    void clearPosted()
    {
        clearPosted(any);
        for (final OfSource queue : bySource)
        {
            if (queue != null)
            {
                clearPosted(queue);
            }
        }
    }

    private static void clearPosted(final OfSource queue)
    {
        while (queue.firstPosted != null)
        {
            unlink(queue, queue.firstPosted);
        }
    }

    private static void unlink(final OfSource queue, final PostedReceive receive)
    {
        final PostedReceive previous = receive.previousPosted;
        final PostedReceive next = receive.nextPosted;
        if (previous == null)
        {
            queue.firstPosted = next;
        }
        else
        {
            previous.nextPosted = next;
        }
        if (next == null)
        {
            queue.lastPosted = previous;
        }
        else
        {
            next.previousPosted = previous;
        }
        receive.isPosted = false;
        receive.previousPosted = null;
        receive.nextPosted = null;
    }

    /** Adds a message that no posted receive matches. */
    void add(final M message)
    {
        final OfSource queue = of(message.source());
        message.nextOfSource = null;
        message.previousOfSource = queue.last;
        if (queue.last == null)
        {
            queue.first = message;
        }
        else
        {
            queue.last.nextOfSource = message;
        }
        queue.last = message;
        message.nextOfAll = null;
        message.previousOfAll = any.last;
        if (any.last == null)
        {
            any.first = message;
        }
        else
        {
            any.last.nextOfAll = message;
        }
        any.last = message;
    }

    /** Removes the earliest message that a receive of a source and tag matches; null if there is none. */
    M takeUnexpected(final int source, final int tag)
    {
        final M found = any.first == null ? null : find(source, tag);
        if (found != null)
        {
            unlink(found);
        }
        return found;
    }

    /** Returns what {@link #takeUnexpected} would return, and leaves it in the queues. */
    M find(final int source, final int tag)
    {
        M message = firstUnexpected(source);
        while (message != null && tag != PointToPoint.ANY_TAG && message.tag() != tag)
        {
            message = nextUnexpected(message, source);
        }
        return message;
    }

    private void unlink(final UnexpectedMessage message)
    {
        final OfSource queue = bySource[message.source()];
        if (message.previousOfSource == null)
        {
            queue.first = message.nextOfSource;
        }
        else
        {
            message.previousOfSource.nextOfSource = message.nextOfSource;
        }
        if (message.nextOfSource == null)
        {
            queue.last = message.previousOfSource;
        }
        else
        {
            message.nextOfSource.previousOfSource = message.previousOfSource;
        }
        if (message.previousOfAll == null)
        {
            any.first = message.nextOfAll;
        }
        else
        {
            message.previousOfAll.nextOfAll = message.nextOfAll;
        }
        if (message.nextOfAll == null)
        {
            any.last = message.previousOfAll;
        }
        else
        {
            message.nextOfAll.previousOfAll = message.previousOfAll;
        }
        message.previousOfSource = null;
        message.nextOfSource = null;
        message.previousOfAll = null;
        message.nextOfAll = null;
    }

    /** Returns the earliest message of a source, or of any source; null if there is none. */
    M firstUnexpected(final int source)
    {
        return source == PointToPoint.ANY_SOURCE || bySource[source] != null ? (M)of(source).first : null;
    }

    /** Returns the message after another one of {@link #firstUnexpected}. */
    M nextUnexpected(final M message, final int source)
    {
        return (M)(source == PointToPoint.ANY_SOURCE ? message.nextOfAll : message.nextOfSource);
    }
}
