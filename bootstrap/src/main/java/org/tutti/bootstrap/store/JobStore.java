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
 * The store shared by the ranks of a job, as a plain data structure: the coordinator uses it from one thread, the
 * in-memory bootstrap under a lock. Values are kept for the whole job; a collective is removed once all its members
 * have arrived.
 * <p>
 * Not thread-safe. Times are arguments; the store reads no clock. Replies are called within the call that completes
 * them.
 */
public final class JobStore
{
    /** The maximum length of a key or name, in bytes of UTF-8. */
    public static final int MAX_KEY_LENGTH = 255;
    private static final byte[] NOTHING = new byte[0];

    /** Receives the ranks that wait for other ranks. */
    @FunctionalInterface
    public interface WaitListener
    {
        /**
         * Called for a waiting rank.
         *
         * @param rank     the waiting rank.
         * @param missing  the first rank that has not arrived.
         * @param what     the collective, as shown in messages.
         * @param waitedNs the duration of the wait so far, in nanoseconds.
         */
        void onWait(int rank, int missing, String what, long waitedNs);
    }

    private final int size;
    private final Map<String, byte[]> values = new HashMap<>();
    private final Map<String, StoreCollective> collectives = new HashMap<>();
    private final List<WaitingRank> waits = new ArrayList<>();
    private final BitSet left = new BitSet();

    /**
     * Creates an empty store.
     *
     * @param size the number of ranks.
     */
    public JobStore(final int size)
    {
        this.size = size;
    }

    /**
     * Stores a value and replies to the ranks that wait for it.
     *
     * @param key   the key, of at most {@link #MAX_KEY_LENGTH} bytes.
     * @param value the value, not copied: must not be modified.
     */
    public void put(final String key, final byte[] value)
    {
        values.put(key, value);
        final Iterator<WaitingRank> iterator = waits.iterator();
        while (iterator.hasNext())
        {
            final WaitingRank wait = iterator.next();
            if (wait.collective == null && wait.key.equals(key))
            {
                iterator.remove();
                wait.reply.complete(ReplyStatus.OK, value);
            }
        }
    }

    /**
     * Reads a value.
     *
     * @param key   the key.
     * @param reply the reply, completed immediately: OK or ABSENT.
     */
    public void get(final String key, final Reply reply)
    {
        final byte[] value = values.get(key);
        reply.complete(value == null ? ReplyStatus.ABSENT : ReplyStatus.OK, value == null ? NOTHING : value);
    }

    /**
     * Reads and removes a value.
     *
     * @param key   the key.
     * @param reply the reply, completed immediately: OK or ABSENT.
     */
    public void take(final String key, final Reply reply)
    {
        final byte[] value = values.remove(key);
        reply.complete(value == null ? ReplyStatus.ABSENT : ReplyStatus.OK, value == null ? NOTHING : value);
    }

    /**
     * Reads a value as soon as it is put.
     *
     * @param rank      the waiting rank.
     * @param key       the key.
     * @param nowNs     the current time in nanoseconds.
     * @param timeoutNs the maximum time to wait, in nanoseconds.
     * @param reply     the reply, completed now or by a later call.
     */
    public void await(
        final int rank, final String key, final long nowNs, final long timeoutNs, final Reply reply)
    {
        final byte[] value = values.get(key);
        if (value == null)
        {
            waits.add(new WaitingRank(rank, key, null, reply, nowNs, timeoutNs));
        }
        else
        {
            reply.complete(ReplyStatus.OK, value);
        }
    }

    /**
     * Handles the arrival of a rank at a barrier.
     *
     * @param arrival the rank and the barrier.
     * @param reply   the reply, completed without a value when all members have arrived.
     */
    public void barrier(final CollectiveArrival arrival, final Reply reply)
    {
        gather(StoreCollective.BARRIER, arrival, NOTHING, reply);
    }

    /**
     * Handles the arrival of a rank at an allgather, with its value.
     *
     * @param arrival the rank and the allgather.
     * @param value   the value, not copied: must not be modified.
     * @param reply   the reply, completed with a {@link ValueList} in the order of ranks when all members have arrived.
     */
    public void allgather(final CollectiveArrival arrival, final byte[] value, final Reply reply)
    {
        gather(StoreCollective.ALLGATHER, arrival, value, reply);
    }

    /**
     * Handles a rank that leaves cleanly. Refuses the collectives in which other ranks wait for this rank, which will
     * never arrive.
     *
     * @param rank the leaving rank.
     */
    public void leave(final int rank)
    {
        left.set(rank);
        waits.removeIf((wait) -> wait.rank == rank);
        for (final StoreCollective collective : List.copyOf(collectives.values()))
        {
            if (collective.missing.get(rank))
            {
                refuseWaits(collective);
            }
        }
    }

    /**
     * Completes the waits whose deadline has passed.
     *
     * @param nowNs the current time in nanoseconds.
     * @return the number of expired waits.
     */
    public int expire(final long nowNs)
    {
        int expired = 0;
        for (int i = waits.size() - 1; i >= 0; i--)
        {
            final WaitingRank wait = waits.get(i);
            if (nowNs - wait.deadlineNs >= 0)
            {
                waits.remove(i);
                if (wait.collective != null)
                {
                    wait.collective.waits[wait.collective.index(wait.rank)] = null;
                }
                wait.reply.complete(ReplyStatus.TIMED_OUT, text(timeoutMessage(wait)));
                expired++;
            }
        }
        return expired;
    }

    /**
     * Returns whether any rank waits.
     *
     * @return true if a reply is outstanding.
     */
    public boolean hasWaits()
    {
        return !waits.isEmpty();
    }

    /**
     * Reports the ranks that wait for others at a collective.
     *
     * @param nowNs    the current time in nanoseconds.
     * @param leastNs  the shortest wait to report, in nanoseconds.
     * @param listener the listener, called for each wait.
     */
    public void forEachWait(final long nowNs, final long leastNs, final WaitListener listener)
    {
        for (final WaitingRank wait : waits)
        {
            final long waitedNs = nowNs - wait.startNs;
            if (wait.collective != null && waitedNs >= leastNs)
            {
                listener.onWait(
                    wait.rank, wait.collective.missing.nextSetBit(0), wait.collective.toString(), waitedNs);
            }
        }
    }

    private void gather(final String kind, final CollectiveArrival arrival, final byte[] value, final Reply reply)
    {
        final int rank = arrival.rank();
        final StoreCollective collective = collectives.computeIfAbsent(
            kind + ':' + arrival.name(), (key) -> new StoreCollective(kind, arrival.name(), arrival.members(), size));
        if (!Arrays.equals(collective.members, arrival.members()))
        {
            reply.complete(ReplyStatus.REFUSED,
                text("rank " + rank + " entered " + collective +
                " with other members than earlier ranks"));
            return;
        }
        final int index = collective.index(rank);
        if (collective.waits[index] != null)
        {
            reply.complete(ReplyStatus.REFUSED, text("rank " + rank + " entered " + collective + " twice"));
            return;
        }
        final WaitingRank wait = new WaitingRank(rank, null, collective, reply, arrival.nowNs(), arrival.timeoutNs());
        collective.values[index] = value;
        collective.missing.clear(rank);
        collective.waits[index] = wait;
        waits.add(wait);
        if (collective.missing.isEmpty())
        {
            complete(collective);
        }
        else if (collective.missing.intersects(left))
        {
            refuseWaits(collective);
        }
    }

    private void complete(final StoreCollective collective)
    {
        collectives.remove(collective.kind + ':' + collective.name);
        waits.removeIf((wait) -> wait.collective == collective);
        final boolean isBarrier = StoreCollective.BARRIER.equals(collective.kind);
        final long length = isBarrier ? 0 : ValueList.length(collective.values);
        final boolean isTooLong = length > ValueList.MAX_LENGTH;
        final byte[] answer = isTooLong ? text(collective + " gathers " + length + " bytes, the limit is " +
            ValueList.MAX_LENGTH + ": gather less at a time, or put the values under keys") :
            isBarrier ? NOTHING : ValueList.encode(collective.values);
        for (final WaitingRank wait : collective.waits)
        {
            if (wait != null)
            {
                wait.reply.complete(isTooLong ? ReplyStatus.REFUSED : ReplyStatus.OK, answer);
            }
        }
    }

    private void refuseWaits(final StoreCollective collective)
    {
        waits.removeIf((wait) -> wait.collective == collective);
        final BitSet gone = (BitSet)collective.missing.clone();
        gone.and(left);
        final byte[] message = text(
            collective + " can never complete: " + ranks(gone) + " left the job before entering it");
        for (int i = 0; i < collective.waits.length; i++)
        {
            final WaitingRank wait = collective.waits[i];
            collective.waits[i] = null;
            if (wait != null)
            {
                wait.reply.complete(ReplyStatus.REFUSED, message);
            }
        }
    }

    private String timeoutMessage(final WaitingRank wait)
    {
        final String after = " timed out after " + DurationFormat.format(wait.timeoutNs) + ": ";
        if (wait.collective == null)
        {
            return "waiting for key '" + wait.key + "'" + after + "no rank has put it";
        }
        final BitSet missing = wait.collective.missing;
        final int count = wait.collective.waits.length;
        return wait.collective + after + missing.cardinality() + " of " + count +
            (count == 1 ? " rank" : " ranks") + " missing: " + RankList.format(missing) +
            (wait.collective.members.length == 0 ? "" : " (ranks of the job)");
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
