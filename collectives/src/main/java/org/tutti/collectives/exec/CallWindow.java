/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

/**
 * Determines when a call may begin and whether its senders must wait for READY. Every rank begins the same calls in the
 * same order, so all ranks agree whether READY is needed. See docs/adr/0037.
 * <p>
 * A rank begins round r when it has completed all rounds up to r - {@code calls}. So if it has completed a round s that
 * synchronizes all ranks, they have begun s, and completed all rounds up to s - {@code calls}. Round r uses the slot of
 * round r - {@code slots} again; there is no need for READY if a round from r - {@code slots} + {@code calls} to r -
 * {@code calls} synchronizes. Of the calls that use a half of SCRATCH, only one is in progress at a time; as there are
 * two halves, such a call needs no READY if the previous such call synchronizes.
 * <p>
 * Not thread-safe.
 */
final class CallWindow
{
    private final int calls;
    private final int slots;
    /** A mask of {@link #synchronizing}: if any of these bits is set, READY is unnecessary. */
    private final long sufficient;
    private long round = -1;
    private long halves = -1;
    /** Bit i: whether round - i synchronizes. All bits are set initially, as joining has synchronized all ranks. */
    private long synchronizing = -1;
    private boolean isHalfSynchronizing = true;

    /**
     * Creates the window of a communicator without calls.
     *
     * @param calls maximum number of calls in progress.
     * @param slots number of slots, from {@code 2 * calls} to 64.
     */
    CallWindow(final int calls, final int slots)
    {
        if (calls < 1 || slots < 2 * calls || slots > Long.SIZE)
        {
            throw new IllegalArgumentException("calls=" + calls + ", slots=" + slots +
                ": must be at least 1, and from twice as many to " + Long.SIZE);
        }
        this.calls = calls;
        this.slots = slots;
        sufficient = (1L << (slots - calls)) - (1L << (calls - 1));
    }

    int calls()
    {
        return calls;
    }

    /** Returns the round begun last, or -1. */
    long round()
    {
        return round;
    }

    /**
     * Returns the number of the last call begun that needs a half, counted from 0 among such calls; -1 before the
     * first.
     */
    long halves()
    {
        return halves;
    }

    /**
     * Returns whether the next round may begin.
     *
     * @param oldest            oldest round in progress, or the next round if there is none.
     * @param needsHalf         whether the call needs a half of SCRATCH.
     * @param hasHalfInProgress whether a call in progress uses a half.
     */
    boolean mayBegin(final long oldest, final boolean needsHalf, final boolean hasHalfInProgress)
    {
        return round + 1 - oldest < calls && !(needsHalf && hasHalfInProgress);
    }

    /**
     * Begins the next round.
     *
     * @param synchronizes whether no rank can complete the round before all have begun it.
     * @param needsHalf    whether the round needs a half of SCRATCH.
     * @return true if peers may not yet be ready for data to be written to their memory.
     */
    boolean begin(final boolean synchronizes, final boolean needsHalf)
    {
        final boolean needsReady = (synchronizing & sufficient) == 0 || (needsHalf && !isHalfSynchronizing);
        round++;
        synchronizing = (synchronizing << 1) | (synchronizes ? 1 : 0);
        if (needsHalf)
        {
            halves++;
            isHalfSynchronizing = synchronizes;
        }
        return needsReady;
    }

    /** Returns the last round of which messages may be taken. */
    long last(final long oldest)
    {
        return oldest + slots - 1;
    }
}
