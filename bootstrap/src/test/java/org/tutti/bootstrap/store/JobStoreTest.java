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

    private Reply reply(final String who)
    {
        return (status, value) -> replies.add(
            who + " " + status + " " + new String(value, StandardCharsets.UTF_8));
    }

    @Test
    void shouldTimeOutAtTheDeadlineAndNotBefore()
    {
        store.barrier(1, "b", 100, 50, reply("one"));
        assertEquals(0, store.expire(149));
        assertTrue(store.hasWaits());

        assertEquals(1, store.expire(150));

        assertEquals(
            List.of("one TIMED_OUT barrier 'b' timed out after 0 ms: 2 of 3 ranks missing: 0, 2"), replies);
        assertFalse(store.hasWaits());
    }

    @Test
    void shouldCompleteForThoseStillWaitingWhenTheLastComesAfterAnothersTimeout()
    {
        store.barrier(0, "b", 0, 10, reply("zero"));
        store.barrier(1, "b", 0, 1000, reply("one"));
        store.expire(10);
        replies.clear();

        store.barrier(2, "b", 20, 1000, reply("two"));

        assertEquals(List.of("one OK ", "two OK "), replies);
    }

    @Test
    void shouldLetARankComeAgainAfterItsTimeout()
    {
        store.barrier(0, "b", 0, 10, reply("zero"));
        store.expire(10);
        store.barrier(0, "b", 20, 1000, reply("again"));
        replies.clear();

        store.barrier(1, "b", 20, 1000, reply("one"));
        store.barrier(2, "b", 20, 1000, reply("two"));

        assertEquals(List.of("again OK ", "one OK ", "two OK "), replies);
    }

    @Test
    void shouldRefuseARankThatComesTwice()
    {
        store.barrier(0, "b", 0, 1000, reply("zero"));

        store.barrier(0, "b", 0, 1000, reply("zero"));

        assertEquals(List.of("zero REFUSED rank 0 came to barrier 'b' twice"), replies);
    }

    @Test
    void shouldRefuseThoseWhoWaitForARankThatLeft()
    {
        store.barrier(0, "b", 0, 1000, reply("zero"));

        final String reason = "barrier 'b' can never complete: rank 2 left the job without coming to it";

        store.leave(2);
        assertEquals(List.of("zero REFUSED " + reason), replies);
        store.barrier(1, "b", 0, 1000, reply("one"));

        assertEquals(List.of("zero REFUSED " + reason, "one REFUSED " + reason), replies);
        assertFalse(store.hasWaits());
    }

    @Test
    void shouldLetARankLeaveAfterItCame()
    {
        store.barrier(2, "b", 0, 1000, reply("two"));
        store.leave(2);

        store.barrier(0, "b", 0, 1000, reply("zero"));
        store.barrier(1, "b", 0, 1000, reply("one"));

        assertTrue(replies.contains("zero OK ") && replies.contains("one OK "), replies.toString());
    }

    @Test
    void shouldRefuseToGatherMoreThanAMessageHolds()
    {
        final JobStore large = new JobStore(17);
        final byte[] value = new byte[64 << 20];
        for (int rank = 0; rank < 17; rank++)
        {
            large.allgather(rank, "a", value, 0, 1000, reply("gather"));
        }

        assertEquals(17, replies.size());
        assertEquals("gather REFUSED allgather 'a' gathers 1140850756 bytes, the limit is 1073741824: " +
            "gather less at a time, or put the values under keys", replies.get(0));
    }

    @Test
    void shouldKeepBarriersAndAllgathersOfOneNameApart()
    {
        for (int rank = 0; rank < 3; rank++)
        {
            store.allgather(rank, "same", new byte[0], 0, 1000, reply("gather"));
        }
        assertEquals(3, replies.size());

        store.barrier(0, "same", 0, 1000, reply("barrier"));

        assertEquals(3, replies.size());
    }
}
