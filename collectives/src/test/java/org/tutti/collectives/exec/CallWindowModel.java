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
     * A message.
     *
     * @param call    number of the call.
     * @param isReady whether it is a READY.
     */
    private record Message(int call, boolean isReady)
    {
    }

    /** A rank in a call. */
    private static final class Progress
    {
        private int readies;
        private int arrived;
        private boolean isBegun;
        private boolean isSent;
        private boolean isDone;

        private Progress copy()
        {
            final Progress copy = new Progress();
            copy.readies = readies;
            copy.arrived = arrived;
            copy.isBegun = isBegun;
            copy.isSent = isSent;
            copy.isDone = isDone;
            return copy;
        }

        private char key()
        {
            return (char)((readies << 4 | arrived) << 3 | (isBegun ? 4 : 0) | (isSent ? 2 : 0) | (isDone ? 1 : 0));
        }

        @Override
        public String toString()
        {
            return readies + "," + arrived + (isBegun ? "b" : "") + (isSent ? "s" : "") + (isDone ? "d" : "");
        }
    }

    /** The state of all ranks. */
    private final class State
    {
        private final Progress[][] ranks;
        private final List<Deque<Message>> queues = new ArrayList<>();

        private State()
        {
            ranks = new Progress[size][calls.size()];
            for (final Progress[] rank : ranks)
            {
                Arrays.setAll(rank, (call) -> new Progress());
            }
            for (int i = 0; i < size * size; i++)
            {
                queues.add(new ArrayDeque<>());
            }
        }

        private State(final State from)
        {
            ranks = new Progress[size][calls.size()];
            for (int rank = 0; rank < size; rank++)
            {
                final Progress[] ofRank = from.ranks[rank];
                Arrays.setAll(ranks[rank], (call) -> ofRank[call].copy());
            }
            from.queues.forEach(queue -> queues.add(new ArrayDeque<>(queue)));
        }

        /** Returns a text that identifies the state: a character for each call of a rank and each message. */
        private String key()
        {
            final StringBuilder key = new StringBuilder();
            for (final Progress[] rank : ranks)
            {
                for (final Progress progress : rank)
                {
                    key.append(progress.key());
                }
            }
            for (final Deque<Message> queue : queues)
            {
                key.append('|');
                for (final Message message : queue)
                {
                    key.append((char)(message.call << 1 | (message.isReady ? 1 : 0)));
                }
            }
            return key.toString();
        }

        @Override
        public String toString()
        {
            return Arrays.deepToString(ranks) + queues;
        }

        private int begun(final int rank)
        {
            int begun = 0;
            while (begun < calls.size() && ranks[rank][begun].isBegun)
            {
                begun++;
            }
            return begun;
        }

        private int oldest(final int rank)
        {
            int oldest = 0;
            while (oldest < calls.size() && ranks[rank][oldest].isDone)
            {
                oldest++;
            }
            return oldest;
        }
    }

    private final int size;
    private final List<Kind> calls;
    private final int most;
    private final int slots;
    private final int slotsOfMemory;
    /** Bit i: whether rank i makes blocking calls, and begins one only when it has completed those before. */
    private int blocking;
    /** By call: whether ranks may be unready, and the number of the call among those with a half. */
    private final boolean[] mayBeUnready;
    private final int[] halves;
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
        this.size = size;
        this.calls = calls;
        this.most = most;
        this.slots = slots;
        this.slotsOfMemory = slotsOfMemory;
        mayBeUnready = new boolean[calls.size()];
        halves = new int[calls.size()];
        final CallWindow window = new CallWindow(most, slots);
        for (int call = 0; call < calls.size(); call++)
        {
            final Kind kind = calls.get(call);
            mayBeUnready[call] = window.begin(ignoresKind || kind.synchronizes, kind.needsHalf);
            halves[call] = (int)window.halves();
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
        final Set<String> seen = new HashSet<>();
        final Deque<State> open = new ArrayDeque<>();
        open.add(new State());
        while (!open.isEmpty() && error == null)
        {
            final State state = open.pop();
            if (seen.add(state.key()))
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

    private boolean isDone(final State state)
    {
        for (int rank = 0; rank < size; rank++)
        {
            if (state.oldest(rank) < calls.size())
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
            if (mayBegin(state, rank))
            {
                next.add(begin(new State(state), rank, state.begun(rank)));
            }
            for (int call = 0; call < state.begun(rank); call++)
            {
                if (!state.ranks[rank][call].isSent && isReady(state, rank, call))
                {
                    next.add(send(new State(state), rank, call));
                }
            }
            for (int from = 0; from < size; from++)
            {
                final Message head = state.queues.get(from * size + rank).peek();
                // A message of a later round than the last slot stays in the receive FIFO.
                if (head != null && head.call < state.oldest(rank) + slots)
                {
                    next.add(take(new State(state), from, rank));
                }
            }
        }
        return next;
    }

    private boolean mayBegin(final State state, final int rank)
    {
        final int call = state.begun(rank);
        if (call == calls.size() || ((blocking >> rank & 1) != 0 && state.oldest(rank) < call))
        {
            return false;
        }
        boolean isHalfInUse = false;
        for (int earlier = 0; earlier < call; earlier++)
        {
            isHalfInUse |= calls.get(earlier).needsHalf && !state.ranks[rank][earlier].isDone;
        }
        final CallWindow window = new CallWindow(most, slots);
        for (int earlier = 0; earlier < call; earlier++)
        {
            window.begin(true, false);
        }
        return window.mayBegin(state.oldest(rank), calls.get(call).needsHalf, isHalfInUse);
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
        state.ranks[rank][call].isBegun = true;
        for (int peer = 0; peer < size && needsReady(call); peer++)
        {
            if (calls.get(call).sends(peer, rank))
            {
                state.queues.get(rank * size + peer).add(new Message(call, true));
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
        return state.ranks[rank][call].readies >= needed;
    }

    private State send(final State state, final int rank, final int call)
    {
        state.ranks[rank][call].isSent = true;
        for (int peer = 0; peer < size; peer++)
        {
            if (calls.get(call).sends(rank, peer))
            {
                if (!carries(call))
                {
                    write(state, peer, call);
                }
                state.queues.get(rank * size + peer).add(new Message(call, false));
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
            if (other < call && (isSameSlot || isSameHalf) && !state.ranks[rank][other].isDone)
            {
                error = where() + "data of call " + call + " overwrite those of call " + other +
                    " of rank " + rank + " in " + state;
            }
        }
    }

    private State take(final State state, final int from, final int rank)
    {
        final Message message = state.queues.get(from * size + rank).remove();
        final Progress progress = state.ranks[rank][message.call];
        if (message.isReady)
        {
            progress.readies++;
            return state;
        }
        if (carries(message.call))
        {
            write(state, rank, message.call);
        }
        progress.arrived++;
        return end(state, rank, message.call);
    }

    /** Ends a call of a rank that has sent and received everything. */
    private State end(final State state, final int rank, final int call)
    {
        int needed = 0;
        for (int peer = 0; peer < size; peer++)
        {
            needed += calls.get(call).sends(peer, rank) ? 1 : 0;
        }
        final Progress progress = state.ranks[rank][call];
        progress.isDone = progress.isBegun && progress.isSent && progress.arrived == needed;
        return state;
    }
}
