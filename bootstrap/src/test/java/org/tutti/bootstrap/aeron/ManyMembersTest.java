/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tutti.bootstrap.Arguments;
import org.tutti.bootstrap.FailureNotice;
import org.tutti.bootstrap.JobEnvironment;
import org.tutti.bootstrap.store.ValueList;

/**
 * One coordinator with as many members as a large job has ranks. One thread drives the sessions of all of them: with a
 * thread each, as ranks have, they would take all cores of one host.
 */
@Tag("torture")
class ManyMembersTest
{
    private static final int MEMBERS = Integer.getInteger("tutti.test.members", 1000);
    private static final long TIMEOUT_NS = TimeUnit.MINUTES.toNanos(10);
    /** How many join before those that have joined send heartbeats. */
    private static final int BATCH = 20;

    private final List<MemberSession> members = new ArrayList<>();

    @Test
    void shouldServeManyMembers()
    {
        final FailureNotice notice = new FailureNotice();
        try (LaunchedJob job = new LaunchedJob(MEMBERS))
        {
            final long startNs = System.nanoTime();
            for (int rank = 0; rank < MEMBERS; rank++)
            {
                join(job, rank, notice);
            }
            final long joinedNs = System.nanoTime();

            final List<PendingRequest> gathered = new ArrayList<>();
            for (int rank = 0; rank < MEMBERS; rank++)
            {
                final byte[] value = ByteBuffer.allocate(Integer.BYTES).putInt(rank).array();
                gathered.add(request(rank, (writer, id) ->
                    writer.allgatherHead(id, "ranks", Arguments.ALL, TIMEOUT_NS, value.length), value));
            }
            await(gathered);
            for (final PendingRequest all : gathered)
            {
                assertEquals((long)MEMBERS * (MEMBERS - 1) / 2, ValueList.decode(all.value()).stream()
                    .mapToLong(value -> ByteBuffer.wrap(value).getInt()).sum());
            }
            final long gatheredNs = System.nanoTime();

            final List<PendingRequest> left = new ArrayList<>();
            for (int rank = 0; rank < MEMBERS; rank++)
            {
                left.add(request(rank, MessageWriter::leave, new byte[0]));
            }
            await(left);
            notice.check();
            assertNull(job.coordinator.failure());
            System.out.printf("%d members: joined in %.2f s, allgather in %.2f s, left in %.2f s%n", MEMBERS,
                seconds(startNs, joinedNs), seconds(joinedNs, gatheredNs), seconds(gatheredNs, System.nanoTime()));
        }
        finally
        {
            members.forEach(MemberSession::close);
        }
    }

    private void join(final LaunchedJob job, final int rank, final FailureNotice notice)
    {
        final MemberSession member = new MemberSession(LaunchedRank.context(
            JobEnvironment.read(job.environment(rank)), job.directory.aeronDirectory(), 0, null), notice);
        members.add(member);
        final long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        member.join(() -> deadlineNs);
        if (rank % BATCH == 0)
        {
            members.forEach(MemberSession::poll);
        }
    }

    private PendingRequest request(final int rank, final MemberSession.RequestEncoder head, final byte[] body)
    {
        // No thread waits for it, so it needs no client.
        final PendingRequest pending = new PendingRequest(null);
        members.get(rank).request(head, body, pending);
        return pending;
    }

    private void await(final List<PendingRequest> requests)
    {
        while (!requests.stream().allMatch(PendingRequest::isComplete))
        {
            members.forEach(MemberSession::poll);
        }
    }

    private static double seconds(final long fromNs, final long toNs)
    {
        return (toNs - fromNs) / 1e9;
    }
}
