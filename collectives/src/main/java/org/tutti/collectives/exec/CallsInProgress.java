/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.tutti.collectives.fault.Diagnosis;
import org.tutti.collectives.wireup.Team;

/**
 * The calls in progress in the order in which they began. Not thread-safe; allocates only when it holds more calls than
 * ever before.
 */
final class CallsInProgress
{
    private final Team team;
    private final ArrivalCounters arrivals;
    private final Diagnosis diagnosis;
    private final SendChain chain;
    /** The calls in progress, followed by unused objects for later calls, or nulls. */
    private final CallInProgress[] calls;
    private int count;
    private CollectiveCall awaited;

    CallsInProgress(
        final Team team, final int most, final ArrivalCounters arrivals, final Diagnosis diagnosis,
        final SendChain chain)
    {
        this.team = team;
        this.arrivals = arrivals;
        this.diagnosis = diagnosis;
        this.chain = chain;
        calls = new CallInProgress[most];
    }

    int count()
    {
        return count;
    }

    /** Returns a call in progress, the oldest at index 0. */
    CallInProgress get(final int index)
    {
        return calls[index];
    }

    /** Returns whether one more call may be in progress. */
    boolean hasNext()
    {
        return count < calls.length;
    }

    /** Sets the call that the thread waits for. */
    @SuppressWarnings("ReferenceEquality") // Storing a reference takes longer than comparing it.
    void await(final CollectiveCall call)
    {
        if (awaited != call)
        {
            awaited = call;
        }
    }

    /** Returns the call that the thread waits for, else the oldest. Requires one in progress. */
    @SuppressWarnings("ReferenceEquality") // The same object, not an equal call.
    CallInProgress awaited()
    {
        for (int i = 1; i < count; i++)
        {
            if (calls[i].call == awaited)
            {
                return calls[i];
            }
        }
        return calls[0];
    }

    /** Returns an object for the next call; {@link #add} then counts it as in progress. */
    CallInProgress next()
    {
        if (calls[count] == null)
        {
            calls[count] = new CallInProgress(team, arrivals, diagnosis, chain);
        }
        return calls[count];
    }

    void add()
    {
        count++;
    }

    void remove(final CallInProgress finished)
    {
        int index = 0;
        while (calls[index] != finished)
        {
            index++;
        }
        count--;
        if (index < count)
        {
            System.arraycopy(calls, index + 1, calls, index, count - index);
            calls[count] = finished;
        }
    }

    /** Returns whether a call uses a half of SCRATCH. */
    boolean isHalfInUse()
    {
        for (int i = 0; i < count; i++)
        {
            if (calls[i].needsHalf)
            {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a call waits for connections. */
    boolean isConnecting()
    {
        for (int i = 0; i < count; i++)
        {
            if (calls[i].isConnecting)
            {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a call waits until a peer accepts messages again. */
    boolean isSendQueueFull()
    {
        for (int i = 0; i < count; i++)
        {
            if (calls[i].waitedPeer >= 0 && team.connections()[calls[i].waitedPeer].endpoint().isFull())
            {
                return true;
            }
        }
        return false;
    }

    /** Returns a rank whose message for a call in progress shows that it made a different call, or -1. */
    int disagreeingPeer()
    {
        int peer = -1;
        for (int i = 0; i < count && peer < 0; i++)
        {
            peer = calls[i].isRound ? arrivals.disagreeing(calls[i].round, calls[i].fingerprint) : -1;
        }
        return peer;
    }

    /** Frees the memory of all calls. None may be in progress. */
    void free()
    {
        for (final CallInProgress call : calls)
        {
            if (call != null)
            {
                call.premul.close();
            }
        }
    }
}
