/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

class JobStoreTest
{
    private final JobStore store = new JobStore(3);
    private final List<String> replies = new ArrayList<>();

    private Reply reply(final String name)
    {
        return (status, value) -> replies.add(
            name + " " + status + " " + new String(value, StandardCharsets.UTF_8));
    }

    private void barrier(
        final int rank, final String name, final long nowNs, final long timeoutNs, final Reply reply)
    {
        store.barrier(new CollectiveArrival(rank, name, new int[0], nowNs, timeoutNs), reply);
    }

    private void gather(final int rank, final Reply reply, final int... members)
    {
        store.allgather(new CollectiveArrival(rank, "some", members, 0, 1000), new byte[]{(byte)('0' + rank)}, reply);
    }

    @Test
    void shouldGatherMembersWithoutOtherRanks()
    {
        gather(2, reply("two"), 0, 2);
        gather(0, reply("zero"), 0, 2);

        final String values = "\1\0\0\0" + "0" + "\1\0\0\0" + "2";
        assertEquals(List.of("zero OK " + values, "two OK " + values), replies);
        assertFalse(store.hasWaits());
    }

    @Test
    void shouldNameOnlyMissingMembers()
    {
        gather(2, reply("two"), 1, 2);
        store.expire(1000);

        assertEquals(List.of("two TIMED_OUT allgather 'some' timed out after 0 ms: 1 of 2 ranks missing: 1 " +
            "(ranks of the job)"), replies);
    }

    @Test
    void shouldRefuseCollectiveOfOtherMembersWithSameName()
    {
        gather(2, reply("two"), 1, 2);
        gather(1, reply("one"), 0, 1);

        assertEquals(List.of("one REFUSED rank 1 entered allgather 'some' with other members than earlier " +
            "ranks"), replies);
    }

    @Test
    void shouldRefuseOnlyRanksThatWaitForLeftRank()
    {
        gather(2, reply("two"), 1, 2);
        store.leave(0);
        assertTrue(replies.isEmpty());

        store.leave(1);

        assertEquals(List.of("two REFUSED allgather 'some' can never complete: rank 1 left the job before entering " +
            "it"), replies);
    }

    @Test
    void shouldTakeValueOnce()
    {
        store.put("key", new byte[]{'v'});
        store.take("key", reply("first"));
        store.take("key", reply("second"));

        assertEquals(List.of("first OK v", "second ABSENT "), replies);
    }

    @Test
    void shouldTimeOutAtDeadlineAndNotBefore()
    {
        barrier(1, "b", 100, 50, reply("one"));
        assertEquals(0, store.expire(149));
        assertTrue(store.hasWaits());

        assertEquals(1, store.expire(150));

        assertEquals(
            List.of("one TIMED_OUT barrier 'b' timed out after 0 ms: 2 of 3 ranks missing: 0, 2"), replies);
        assertFalse(store.hasWaits());
    }

    @Test
    void shouldCompleteBarrierOfWaitingRanksWhenOneHasTimedOut()
    {
        barrier(0, "b", 0, 10, reply("zero"));
        barrier(1, "b", 0, 1000, reply("one"));
        store.expire(10);
        replies.clear();

        barrier(2, "b", 20, 1000, reply("two"));

        assertEquals(List.of("one OK ", "two OK "), replies);
    }

    @Test
    void shouldLetRankArriveAgainAfterItsTimeout()
    {
        barrier(0, "b", 0, 10, reply("zero"));
        store.expire(10);
        barrier(0, "b", 20, 1000, reply("again"));
        replies.clear();

        barrier(1, "b", 20, 1000, reply("one"));
        barrier(2, "b", 20, 1000, reply("two"));

        assertEquals(List.of("again OK ", "one OK ", "two OK "), replies);
    }

    @Test
    void shouldRefuseRankThatArrivesTwice()
    {
        barrier(0, "b", 0, 1000, reply("zero"));

        barrier(0, "b", 0, 1000, reply("zero"));

        assertEquals(List.of("zero REFUSED rank 0 entered barrier 'b' twice"), replies);
    }

    @Test
    void shouldRefuseRanksThatWaitForRankThatLeft()
    {
        barrier(0, "b", 0, 1000, reply("zero"));

        final String reason = "barrier 'b' can never complete: rank 2 left the job before entering it";

        store.leave(2);
        assertEquals(List.of("zero REFUSED " + reason), replies);
        barrier(1, "b", 0, 1000, reply("one"));

        assertEquals(List.of("zero REFUSED " + reason, "one REFUSED " + reason), replies);
        assertFalse(store.hasWaits());
    }

    @Test
    void shouldCompleteWhenRankLeavesAfterItsArrival()
    {
        barrier(2, "b", 0, 1000, reply("two"));
        store.leave(2);

        barrier(0, "b", 0, 1000, reply("zero"));
        barrier(1, "b", 0, 1000, reply("one"));

        assertTrue(replies.contains("zero OK ") && replies.contains("one OK "), replies.toString());
    }

    @Test
    void shouldRefuseToGatherMoreThanFitsIntoMessage()
    {
        final JobStore large = new JobStore(17);
        final byte[] value = new byte[64 << 20];
        for (int rank = 0; rank < 17; rank++)
        {
            large.allgather(new CollectiveArrival(rank, "a", new int[0], 0, 1000), value, reply("gather"));
        }

        assertEquals(17, replies.size());
        assertEquals("gather REFUSED allgather 'a' gathers 1140850756 bytes, the limit is 1073741824: " +
            "gather less at a time, or put the values under keys", replies.get(0));
    }

    @Test
    void shouldSeparateBarriersAndAllgathersOfSameName()
    {
        for (int rank = 0; rank < 3; rank++)
        {
            store.allgather(
                new CollectiveArrival(rank, "same", new int[0], 0, 1000), new byte[0], reply("gather"));
        }
        assertEquals(3, replies.size());

        barrier(0, "same", 0, 1000, reply("barrier"));

        assertEquals(3, replies.size());
    }
}
