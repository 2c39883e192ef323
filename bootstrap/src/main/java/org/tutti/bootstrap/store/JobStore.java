/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.store;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * What the ranks of a job share, as a plain data structure: a coordinator works it with messages, an in-memory
 * bootstrap with a lock. Values are held for the whole job; a gathering is forgotten as soon as all have come.
 * <p>
 * Not thread-safe. Time is given, never read. Replies are called from within the call that fulfils them.
 */
public final class JobStore
{
    /** How many bytes a key or name may have in UTF-8. */
    public static final int MAX_KEY_LENGTH = 255;
    private static final byte[] NOTHING = new byte[0];

    /** Is told of ranks that wait for others. */
    @FunctionalInterface
    public interface WaitListener
    {
        /**
         * A rank waits.
         *
         * @param rank     that waits.
         * @param missing  the first rank that has yet to come.
         * @param what     it waits in, for people.
         * @param waitedNs how long, in nanoseconds.
         */
        void onWait(int rank, int missing, String what, long waitedNs);
    }

    private final int size;
    private final Map<String, byte[]> values = new HashMap<>();
    private final Map<String, Gathering> gatherings = new HashMap<>();
    private final List<Wait> waits = new ArrayList<>();
    private final BitSet left = new BitSet();

    /**
     * An empty store.
     *
     * @param size how many ranks the job has.
     */
    public JobStore(final int size)
    {
        this.size = size;
    }

    /**
     * Stores a value and answers those who wait for it.
     *
     * @param key   at most {@link #MAX_KEY_LENGTH} bytes.
     * @param value kept as it is: not to be changed.
     */
    public void put(final String key, final byte[] value)
    {
        values.put(key, value);
        final Iterator<Wait> iterator = waits.iterator();
        while (iterator.hasNext())
        {
            final Wait wait = iterator.next();
            if (wait.gathering == null && wait.key.equals(key))
            {
                iterator.remove();
                wait.reply.complete(ReplyStatus.OK, value);
            }
        }
    }

    /**
     * Reads a value.
     *
     * @param key   as it was put.
     * @param reply answered at once: OK or ABSENT.
     */
    public void get(final String key, final Reply reply)
    {
        final byte[] value = values.get(key);
        reply.complete(value == null ? ReplyStatus.ABSENT : ReplyStatus.OK, value == null ? NOTHING : value);
    }

    /**
     * Reads a value and forgets it.
     *
     * @param key   as it was put.
     * @param reply answered at once: OK or ABSENT.
     */
    public void take(final String key, final Reply reply)
    {
        final byte[] value = values.remove(key);
        reply.complete(value == null ? ReplyStatus.ABSENT : ReplyStatus.OK, value == null ? NOTHING : value);
    }

    /**
     * Reads a value as soon as it is there.
     *
     * @param rank      that waits.
     * @param key       as it will be put.
     * @param nowNs     the time.
     * @param timeoutNs how long the rank waits.
     * @param reply     answered now or by a later call.
     */
    public void await(
        final int rank, final String key, final long nowNs, final long timeoutNs, final Reply reply)
    {
        final byte[] value = values.get(key);
        if (value == null)
        {
            waits.add(new Wait(rank, key, null, reply, nowNs, timeoutNs));
        }
        else
        {
            reply.complete(ReplyStatus.OK, value);
        }
    }

    /**
     * A rank comes to a barrier.
     *
     * @param coming which, and to what.
     * @param reply  answered with nothing when all have come.
     */
    public void barrier(final Coming coming, final Reply reply)
    {
        gather(Gathering.BARRIER, coming, NOTHING, reply);
    }

    /**
     * A rank brings its value to an allgather.
     *
     * @param coming which, and to what.
     * @param value  kept as it is: not to be changed.
     * @param reply  answered with a {@link ValueList} in the order of ranks when all have come.
     */
    public void allgather(final Coming coming, final byte[] value, final Reply reply)
    {
        gather(Gathering.ALLGATHER, coming, value, reply);
    }

    /**
     * A rank leaves in good order. Who waits for it at a gathering is refused, for it will never come.
     *
     * @param rank that leaves.
     */
    public void leave(final int rank)
    {
        left.set(rank);
        waits.removeIf((wait) -> wait.rank == rank);
        for (final Gathering gathering : List.copyOf(gatherings.values()))
        {
            if (gathering.missing.get(rank))
            {
                refuseWaits(gathering);
            }
        }
    }

    /**
     * Answers the waits whose deadline has passed.
     *
     * @param nowNs the time.
     * @return how many there were.
     */
    public int expire(final long nowNs)
    {
        int expired = 0;
        for (int i = waits.size() - 1; i >= 0; i--)
        {
            final Wait wait = waits.get(i);
            if (nowNs - wait.deadlineNs >= 0)
            {
                waits.remove(i);
                if (wait.gathering != null)
                {
                    wait.gathering.waits[wait.gathering.place(wait.rank)] = null;
                }
                wait.reply.complete(ReplyStatus.TIMED_OUT, text(timeoutMessage(wait)));
                expired++;
            }
        }
        return expired;
    }

    /**
     * Whether anyone waits.
     *
     * @return true if a reply is outstanding.
     */
    public boolean hasWaits()
    {
        return !waits.isEmpty();
    }

    /**
     * Tells which ranks wait for others to come to a gathering.
     *
     * @param nowNs  the time.
     * @param leastNs how long a rank must have been waiting to be told of, in nanoseconds.
     * @param listener told of each.
     */
    public void forEachWait(final long nowNs, final long leastNs, final WaitListener listener)
    {
        for (final Wait wait : waits)
        {
            final long waitedNs = nowNs - wait.startNs;
            if (wait.gathering != null && waitedNs >= leastNs)
            {
                listener.onWait(
                    wait.rank, wait.gathering.missing.nextSetBit(0), wait.gathering.toString(), waitedNs);
            }
        }
    }

    private void gather(final String kind, final Coming coming, final byte[] value, final Reply reply)
    {
        final int rank = coming.rank();
        final Gathering gathering = gatherings.computeIfAbsent(
            kind + ':' + coming.name(), (key) -> new Gathering(kind, coming.name(), coming.members(), size));
        if (!Arrays.equals(gathering.members, coming.members()))
        {
            reply.complete(ReplyStatus.REFUSED,
                text("rank " + rank + " came to " + gathering + " of other ranks than those who were there before"));
            return;
        }
        final int place = gathering.place(rank);
        if (gathering.waits[place] != null)
        {
            reply.complete(ReplyStatus.REFUSED, text("rank " + rank + " came to " + gathering + " twice"));
            return;
        }
        final Wait wait = new Wait(rank, null, gathering, reply, coming.nowNs(), coming.timeoutNs());
        gathering.values[place] = value;
        gathering.missing.clear(rank);
        gathering.waits[place] = wait;
        waits.add(wait);
        if (gathering.missing.isEmpty())
        {
            complete(gathering);
        }
        else if (gathering.missing.intersects(left))
        {
            refuseWaits(gathering);
        }
    }

    private void complete(final Gathering gathering)
    {
        gatherings.remove(gathering.kind + ':' + gathering.name);
        waits.removeIf((wait) -> wait.gathering == gathering);
        final boolean isBarrier = Gathering.BARRIER.equals(gathering.kind);
        final long length = isBarrier ? 0 : ValueList.length(gathering.values);
        final boolean isTooLong = length > ValueList.MAX_LENGTH;
        final byte[] answer = isTooLong ? text(gathering + " gathers " + length + " bytes, the limit is " +
            ValueList.MAX_LENGTH + ": gather less at a time, or put the values under keys") :
            isBarrier ? NOTHING : ValueList.encode(gathering.values);
        for (final Wait wait : gathering.waits)
        {
            if (wait != null)
            {
                wait.reply.complete(isTooLong ? ReplyStatus.REFUSED : ReplyStatus.OK, answer);
            }
        }
    }

    private void refuseWaits(final Gathering gathering)
    {
        waits.removeIf((wait) -> wait.gathering == gathering);
        final BitSet gone = (BitSet)gathering.missing.clone();
        gone.and(left);
        final byte[] message = text(
            gathering + " can never complete: " + ranks(gone) + " left the job without coming to it");
        for (int place = 0; place < gathering.waits.length; place++)
        {
            final Wait wait = gathering.waits[place];
            gathering.waits[place] = null;
            if (wait != null)
            {
                wait.reply.complete(ReplyStatus.REFUSED, message);
            }
        }
    }

    private String timeoutMessage(final Wait wait)
    {
        final String after = " timed out after " + Durations.format(wait.timeoutNs) + ": ";
        if (wait.gathering == null)
        {
            return "waiting for key '" + wait.key + "'" + after + "no rank has put it";
        }
        final BitSet missing = wait.gathering.missing;
        final int count = wait.gathering.waits.length;
        return wait.gathering + after + missing.cardinality() + " of " + count +
            (count == 1 ? " rank" : " ranks") + " missing: " + RankList.format(missing) +
            (wait.gathering.members.length == 0 ? "" : ", as the job counts them");
    }

    private static String ranks(final BitSet ranks)
    {
        return (ranks.cardinality() == 1 ? "rank " : "ranks ") + RankList.format(ranks);
    }

    private static byte[] text(final String message)
    {
        return message.getBytes(StandardCharsets.UTF_8);
    }
}
