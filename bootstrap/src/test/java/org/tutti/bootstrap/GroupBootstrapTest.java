/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GroupBootstrapTest
{
    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private final List<InMemoryBootstrap> job = InMemoryBootstrap.group(5);

    @AfterEach
    void leave()
    {
        job.forEach(Bootstrap::close);
    }

    /** Returns the members of a group of the job's ranks, in that order. */
    private List<GroupBootstrap> group(final String name, final int... ranks)
    {
        final List<GroupBootstrap> members = new ArrayList<>();
        for (final int rank : ranks)
        {
            members.add(GroupBootstrap.of(job.get(rank), name, ranks));
        }
        return members;
    }

    @Test
    void shouldNumberRanksInGivenOrder()
    {
        final List<GroupBootstrap> group = group("g", 4, 0, 2);

        for (int rank = 0; rank < 3; rank++)
        {
            assertEquals(rank, group.get(rank).rank());
            assertEquals(3, group.get(rank).size());
            assertEquals(5, group.get(rank).localSize());
        }
        assertEquals(4, group.get(1).jobRank(0));
        assertEquals(2, group.get(1).member(2));
        assertEquals(-1, group.get(1).member(3));
    }

    @Test
    void shouldGatherInOrderOfGroup() throws Exception
    {
        final List<List<byte[]>> gathered = RankThreads.run(
            group("g", 4, 0, 2), rank -> rank.allgather("v", bytes("r" + rank.rank()), RankThreads.TIMEOUT_NS));

        for (final List<byte[]> values : gathered)
        {
            assertEquals(List.of("r0", "r1", "r2"), values.stream().map(GroupBootstrapTest::text).toList());
        }
    }

    @Test
    void shouldGatherValuesOfSomeMembers() throws Exception
    {
        final List<GroupBootstrap> group = group("g", 4, 0, 2);
        final List<List<byte[]>> gathered = RankThreads.run(List.of(group.get(0), group.get(2)),
            rank -> rank.allgather("v", new int[]{0, 2}, bytes("r" + rank.rank()), RankThreads.TIMEOUT_NS));

        gathered.forEach(
            values -> assertEquals(List.of("r0", "r2"), values.stream().map(GroupBootstrapTest::text).toList()));
    }

    @Test
    void shouldSeparateKeysOfGroups()
    {
        final GroupBootstrap first = group("first", 0, 1).getFirst();
        final GroupBootstrap second = group("second", 0, 1).getFirst();

        first.put("key", bytes("one"));

        assertNull(second.get("key"));
        assertNull(job.getFirst().get("key"));
        assertEquals("one", text(first.await("key", 0)));
        assertEquals("one", text(first.take("key")));
        assertNull(first.get("key"));
    }

    @Test
    void shouldCreateGroupOfGroup() throws Exception
    {
        final List<GroupBootstrap> outer = group("outer", 4, 3, 2, 1);
        final int[] ranks = {3, 0};
        final List<GroupBootstrap> inner = List.of(
            GroupBootstrap.of(outer.get(3), "inner", ranks), GroupBootstrap.of(outer.get(0), "inner", ranks));

        assertEquals(1, inner.get(0).jobRank(0));
        assertEquals(4, inner.get(0).jobRank(1));
        RankThreads.run(inner, rank ->
        {
            rank.barrier("b", RankThreads.TIMEOUT_NS);
            return null;
        });
    }

    @Test
    void shouldNameMissingRanksByJobRank()
    {
        final String message = assertThrows(BootstrapTimeoutException.class,
            () -> group("g", 4, 0, 2).get(1).barrier("b", SHORT_NS)).getMessage();

        assertTrue(message.contains("2 of 3 ranks missing: 2, 4 (ranks of the job)"), message);
    }

    @Test
    void shouldReportFailureOfAnyRankOfTheJob()
    {
        final GroupBootstrap member = group("g", 4, 0).getFirst();

        job.get(2).abort("no data");

        assertEquals(2, member.failure().rank());
        assertThrows(BootstrapException.class, () -> member.barrier("b", RankThreads.TIMEOUT_NS));
    }

    @Test
    void shouldEndJobWhenMemberAborts()
    {
        group("g", 4, 0).getFirst().abort("no data");

        assertEquals(4, job.get(1).failure().rank());
    }

    @Test
    void shouldKeepJobOpenWhenClosed()
    {
        group("g", 0, 1).getFirst().close();

        assertNull(job.getFirst().get("key"));
    }

    @Test
    void shouldRejectInvalidRanks()
    {
        assertThrows(IllegalArgumentException.class, () -> GroupBootstrap.of(job.getFirst(), "g", new int[0]));
        assertThrows(IllegalArgumentException.class, () -> GroupBootstrap.of(job.getFirst(), "g", new int[]{1, 2}));
        assertThrows(IllegalArgumentException.class, () -> GroupBootstrap.of(job.getFirst(), "g", new int[]{0, 0}));
        assertThrows(IllegalArgumentException.class, () -> GroupBootstrap.of(job.getFirst(), "g", new int[]{0, 5}));
    }

    private static byte[] bytes(final String text)
    {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(final byte[] bytes)
    {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
