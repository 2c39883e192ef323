/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A model of ranks that make the same calls. A rank may begin a call as soon as the window permits it; it sends READY
 * to the ranks that send to it if the call needs it, waits for that of the others, then sends a message to each
 * receiver, and completes the call when all messages for it have arrived. Messages between two ranks stay in order, and
 * arrive at any time. Data land when they are sent, or, if the message carries them, when the receiver takes it.
 */
final class CallWindowModel
{
    /** Bits of a rank in a call; above them are the numbers of messages and of READYs that have arrived. */
    private static final int DONE = 1;
    private static final int SENT = 2;
    private static final int BEGUN = 4;
    private static final int ARRIVED_SHIFT = 3;
    private static final int READIES_SHIFT = 5;
    /** Maximum of both numbers, for four ranks. */
    private static final int MOST_COUNTED = 3;
    private static final int BITS_PER_CALL = 8;
    private static final int BITS_PER_MESSAGE = 4;
    private static final int MESSAGE_MASK = (1 << BITS_PER_MESSAGE) - 1;
    /** Numbers of messages fit their bits, and the messages of all calls between two ranks fit a word. */
    private static final int MOST_CALLS = 7;

    /** Kind of a call. */
    enum Kind
    {
        /** Every rank sends to every other one. */
        EXCHANGE(true, false, false),
        /** Rank 0 sends to the others. */
        BROADCAST(false, false, false),
        /** Messages carry the data, if ranks may be unready. */
        SHORT_BROADCAST(false, true, false),
        /** Ranks send to rank 0. */
        SHORT_GATHER(false, true, false),
        SHORT_EXCHANGE(true, true, false),
        /** Messages always carry the data, as in calls whose counts only two ranks know. */
        EAGER_GATHER(false, true, false),
        /** An exchange in a half of SCRATCH. */
        LONG_EXCHANGE(true, false, true),
        /** A broadcast in a half of SCRATCH. */
        LONG_BROADCAST(false, false, true);

        private final boolean synchronizes;
        private final boolean isShort;
        private final boolean needsHalf;

        Kind(final boolean synchronizes, final boolean isShort, final boolean needsHalf)
        {
            this.synchronizes = synchronizes;
            this.isShort = isShort;
            this.needsHalf = needsHalf;
        }

        boolean sends(final int from, final int to)
        {
            if (this == SHORT_GATHER || this == EAGER_GATHER)
            {
                return from != to && to == 0;
            }
            return from != to && (synchronizes || from == 0);
        }
    }

    /**
     * The state of all ranks in few words, as there are hundreds of thousands of states: one for each rank, with the
     * bits of each call, and one for each pair of ranks, with the messages under way, the oldest in the lowest bits.
     */
    private static final class State
    {
        private final int size;
        private final long[] words;

        private State(final int size)
        {
            this(size, new long[size + size * size]);
        }

        private State(final int size, final long[] words)
        {
            this.size = size;
            this.words = words;
        }

        private State copy()
        {
            return new State(size, words.clone());
        }

        private int progress(final int rank, final int call)
        {
            return (int)(words[rank] >>> (BITS_PER_CALL * call)) & ((1 << BITS_PER_CALL) - 1);
        }

        private boolean is(final int bit, final int rank, final int call)
        {
            return (progress(rank, call) & bit) != 0;
        }

        private void set(final int bit, final int rank, final int call)
        {
            words[rank] |= (long)bit << (BITS_PER_CALL * call);
        }

        /** Returns the number of READYs or messages that have arrived. */
        private int count(final int shift, final int rank, final int call)
        {
            return progress(rank, call) >> shift & MOST_COUNTED;
        }

        private void increment(final int shift, final int rank, final int call)
        {
            words[rank] += 1L << (BITS_PER_CALL * call + shift);
        }

        /** Sends a message of a call, or a READY. */
        private void add(final int from, final int to, final int call, final boolean isReady)
        {
            final int queue = size + from * size + to;
            int end = 0;
            while (words[queue] >>> end != 0)
            {
                end += BITS_PER_MESSAGE;
            }
            words[queue] |= ((call << 1 | (isReady ? 1 : 0)) + 1L) << end;
        }

        /** Returns twice the call of the oldest message, plus 1 if it is a READY; -1 if there is no message. */
        private int head(final int from, final int to)
        {
            return (int)(words[size + from * size + to] & MESSAGE_MASK) - 1;
        }

        private void remove(final int from, final int to)
        {
            words[size + from * size + to] >>>= BITS_PER_MESSAGE;
        }

        /** Returns the number of the first call without the bit. */
        private int first(final int bit, final int rank, final int calls)
        {
            int call = 0;
            while (call < calls && is(bit, rank, call))
            {
                call++;
            }
            return call;
        }

        @Override
        public boolean equals(final Object other)
        {
            return other instanceof final State state && Arrays.equals(words, state.words);
        }

        @Override
        public int hashCode()
        {
            return Arrays.hashCode(words);
        }

        /** Returns the bits of each call by rank, and the messages plus 1 by pair, last call and message first. */
        @Override
        public String toString()
        {
            return Arrays.stream(words).mapToObj(Long::toHexString).toList().toString();
        }
    }

    private final int size;
    private final List<Kind> calls;
    private final int slots;
    private final int slotsOfMemory;
    /** Bit i: whether rank i makes blocking calls, and begins one only when it has completed those before. */
    private int blocking;
    /** By call: whether ranks may be unready, and the number of the call among those with a half. */
    private final boolean[] mayBeUnready;
    private final int[] halves;
    /** By call: the window of a rank that has begun all earlier calls. */
    private final CallWindow[] windows;
    private String error;

    CallWindowModel(final int size, final List<Kind> calls, final int most, final int slots, final int slotsOfMemory)
    {
        this(size, calls, most, slots, slotsOfMemory, false);
    }

    /**
     * Creates a model.
     *
     * @param most          maximum number of calls in progress, for the window.
     * @param slots         number of slots, for the window.
     * @param slotsOfMemory number of slots that there are.
     * @param ignoresKind   whether the window is told that all calls synchronize.
     */
    CallWindowModel(
        final int size, final List<Kind> calls, final int most, final int slots, final int slotsOfMemory,
        final boolean ignoresKind)
    {
        if (size > MOST_COUNTED + 1 || calls.size() > MOST_CALLS)
        {
            throw new IllegalArgumentException("size=" + size + ", calls=" + calls.size() + ": must be at most " +
                (MOST_COUNTED + 1) + " and " + MOST_CALLS);
        }
        this.size = size;
        this.calls = calls;
        this.slots = slots;
        this.slotsOfMemory = slotsOfMemory;
        mayBeUnready = new boolean[calls.size()];
        halves = new int[calls.size()];
        windows = new CallWindow[calls.size()];
        Arrays.setAll(windows, (call) -> new CallWindow(most, slots));
        final CallWindow window = new CallWindow(most, slots);
        for (int call = 0; call < calls.size(); call++)
        {
            final Kind kind = calls.get(call);
            mayBeUnready[call] = window.begin(ignoresKind || kind.synchronizes, kind.needsHalf);
            halves[call] = (int)window.halves();
            for (int earlier = 0; earlier < call; earlier++)
            {
                windows[call].begin(true, false);
            }
        }
    }

    /** Returns the first error found with any of the ranks making blocking calls, or null. */
    String firstError()
    {
        for (blocking = 0; blocking < 1 << size && error == null; blocking++)
        {
            explore();
        }
        return error;
    }

    private void explore()
    {
        final Set<State> seen = new HashSet<>();
        final Deque<State> open = new ArrayDeque<>();
        open.add(new State(size));
        while (!open.isEmpty() && error == null)
        {
            final State state = open.pop();
            if (seen.add(state))
            {
                final List<State> next = successors(state);
                if (next.isEmpty() && error == null && !isDone(state))
                {
                    error = where() + "all ranks wait in " + state;
                }
                next.forEach(open::push);
            }
        }
    }

    private String where()
    {
        return size + " ranks, blocking " + Integer.toBinaryString(blocking) + ", " + calls + ": ";
    }

    private int begun(final State state, final int rank)
    {
        return state.first(BEGUN, rank, calls.size());
    }

    private int oldest(final State state, final int rank)
    {
        return state.first(DONE, rank, calls.size());
    }

    private boolean isDone(final State state)
    {
        for (int rank = 0; rank < size; rank++)
        {
            if (oldest(state, rank) < calls.size())
            {
                return false;
            }
        }
        return true;
    }

    private List<State> successors(final State state)
    {
        final List<State> next = new ArrayList<>();
        for (int rank = 0; rank < size; rank++)
        {
            final int begun = begun(state, rank);
            if (mayBegin(state, rank, begun))
            {
                next.add(begin(state.copy(), rank, begun));
            }
            for (int call = 0; call < begun; call++)
            {
                if (!state.is(SENT, rank, call) && isReady(state, rank, call))
                {
                    next.add(send(state.copy(), rank, call));
                }
            }
            for (int from = 0; from < size; from++)
            {
                final int head = state.head(from, rank);
                // A message of a later round than the last slot stays in the receive FIFO.
                if (head >= 0 && head >> 1 < oldest(state, rank) + slots)
                {
                    next.add(take(state.copy(), from, rank));
                }
            }
        }
        return next;
    }

    private boolean mayBegin(final State state, final int rank, final int call)
    {
        if (call == calls.size() || ((blocking >> rank & 1) != 0 && oldest(state, rank) < call))
        {
            return false;
        }
        boolean isHalfInUse = false;
        for (int earlier = 0; earlier < call; earlier++)
        {
            isHalfInUse |= calls.get(earlier).needsHalf && !state.is(DONE, rank, earlier);
        }
        return windows[call].mayBegin(oldest(state, rank), calls.get(call).needsHalf, isHalfInUse);
    }

    private boolean needsReady(final int call)
    {
        return mayBeUnready[call] && !carries(call);
    }

    private boolean carries(final int call)
    {
        return calls.get(call) == Kind.EAGER_GATHER || (mayBeUnready[call] && calls.get(call).isShort);
    }

    private State begin(final State state, final int rank, final int call)
    {
        state.set(BEGUN, rank, call);
        for (int peer = 0; peer < size && needsReady(call); peer++)
        {
            if (calls.get(call).sends(peer, rank))
            {
                state.add(rank, peer, call, true);
            }
        }
        return end(state, rank, call);
    }

    private boolean isReady(final State state, final int rank, final int call)
    {
        int needed = 0;
        for (int peer = 0; peer < size && needsReady(call); peer++)
        {
            needed += calls.get(call).sends(rank, peer) ? 1 : 0;
        }
        return state.count(READIES_SHIFT, rank, call) >= needed;
    }

    private State send(final State state, final int rank, final int call)
    {
        state.set(SENT, rank, call);
        for (int peer = 0; peer < size; peer++)
        {
            if (calls.get(call).sends(rank, peer))
            {
                if (!carries(call))
                {
                    write(state, peer, call);
                }
                state.add(rank, peer, call, false);
            }
        }
        return end(state, rank, call);
    }

    /** Data land in the memory of a rank. */
    private void write(final State state, final int rank, final int call)
    {
        for (int other = 0; other < calls.size(); other++)
        {
            final boolean isSameSlot = (other - call) % slotsOfMemory == 0;
            final boolean isSameHalf = calls.get(call).needsHalf && calls.get(other).needsHalf &&
                (halves[other] - halves[call]) % 2 == 0;
            if (other < call && (isSameSlot || isSameHalf) && !state.is(DONE, rank, other))
            {
                error = where() + "data of call " + call + " overwrite those of call " + other +
                    " of rank " + rank + " in " + state;
            }
        }
    }

    private State take(final State state, final int from, final int rank)
    {
        final int head = state.head(from, rank);
        final int call = head >> 1;
        state.remove(from, rank);
        if ((head & 1) != 0)
        {
            state.increment(READIES_SHIFT, rank, call);
            return state;
        }
        if (carries(call))
        {
            write(state, rank, call);
        }
        state.increment(ARRIVED_SHIFT, rank, call);
        return end(state, rank, call);
    }

    /** Ends a call of a rank that has sent and received everything. */
    private State end(final State state, final int rank, final int call)
    {
        int needed = 0;
        for (int peer = 0; peer < size; peer++)
        {
            needed += calls.get(call).sends(peer, rank) ? 1 : 0;
        }
        if (state.is(BEGUN, rank, call) && state.is(SENT, rank, call) &&
            state.count(ARRIVED_SHIFT, rank, call) == needed)
        {
            state.set(DONE, rank, call);
        }
        return state;
    }
}
