/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.aeron.ExclusivePublication;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.Bootstraps;
import org.tutti.bootstrap.CoordinatorContext;
import org.tutti.bootstrap.JobDirectory;
import org.tutti.bootstrap.JobSecret;
import org.tutti.bootstrap.ProcessIdentity;
import org.tutti.bootstrap.RankThreads;

class AdmissionTest
{
    private LaunchedJob job;

    @BeforeEach
    void startJob()
    {
        job = new LaunchedJob(2);
    }

    @AfterEach
    void endJob()
    {
        job.close();
    }

    @Test
    void shouldIgnoreWrongSecret()
    {
        assertNotAnswered("guess");
    }

    @Test
    void shouldAcceptOnlyUnmodifiedRequest()
    {
        final JobSecret secret = new JobSecret(new byte[]{1});
        final byte[] message =
            JoinRequests.encode(secret, Protocol.VERSION, 1, JobSecret.nonce(), new byte[]{127, 0, 0, 1});
        final UnsafeBuffer buffer = new UnsafeBuffer(message);
        final JoinRequestText request = JoinRequestText.open(secret, buffer, 0, message.length);

        assertEquals(1, request.memberId);
        assertEquals(Protocol.udpChannel("127.0.0.1:0"), request.channel);
        assertNull(JoinRequestText.open(new JobSecret(new byte[]{2}), buffer, 0, message.length));
        for (int i = 0; i < message.length; i++)
        {
            assertNull(JoinRequestText.open(secret, buffer, 0, i));
            message[i] ^= 1;
            assertNull(JoinRequestText.open(secret, buffer, 0, message.length));
            message[i] ^= 1;
        }
    }

    @Test
    void shouldIgnoreReplayedRequest()
    {
        final JobSecret secret = new JobSecret(new byte[]{1});
        final List<Member> members = new ArrayList<>();
        final Admission admission = new Admission(
            new CoordinatorContext().jobId("j").size(2).secret(new byte[]{1}), members);
        final UnsafeBuffer message = new UnsafeBuffer(
            JoinRequests.encode(secret, Protocol.VERSION, 1, JobSecret.nonce(), new byte[0]));

        final JoinRequestText request = admission.request(message, 0, message.capacity());
        try (MediaClient media = attach())
        {
            members.add(new Member(
                request,
                admission.authenticator(Protocol.MEMBER, request, JobSecret.nonce()),
                media.aeron().addExclusivePublication(Protocol.IPC_CHANNEL, 99),
                0));
        }

        assertNull(admission.request(message, 0, message.capacity()));
    }

    @Test
    void shouldEvictOldestUnprovenMemberWhenLimitIsReached()
    {
        final List<Member> members = new ArrayList<>();
        final CoordinatorContext context = new CoordinatorContext().jobId("j").size(2).secret(new byte[]{1});
        final Admission admission = new Admission(context, members);
        try (MediaClient media = attach())
        {
            final ExclusivePublication publication =
                media.aeron().addExclusivePublication(Protocol.IPC_CHANNEL, 99);
            while (members.size() < Admission.capacity(context))
            {
                assertNull(admission.surplus());
                members.add(member(admission, publication));
            }
        }
        members.getFirst().state = Member.State.JOINED;

        assertSame(members.get(1), admission.surplus());
        members.get(1).state = Member.State.JOINED;
        assertSame(members.get(2), admission.surplus());
        members.remove(2);
        assertNull(admission.surplus());
    }

    private MediaClient attach()
    {
        final long deadlineNs = System.nanoTime() + RankThreads.TIMEOUT_NS;
        return MediaClient.attach(job.directory.aeronDirectory(), () -> deadlineNs, (error) -> { });
    }

    private static Member member(final Admission admission, final ExclusivePublication publication)
    {
        final JoinRequestText request =
            JoinRequests.of(new JobSecret(new byte[]{1}), Protocol.VERSION, 1, JobSecret.nonce());
        return new Member(
            request, admission.authenticator(Protocol.MEMBER, request, JobSecret.nonce()), publication, 0);
    }

    @Test
    void shouldWatchProcessOfJoinedMemberOnlyInSamePidNamespace()
    {
        final Admission admission = new Admission(
            new CoordinatorContext().jobId("j").size(2).secret(new byte[]{1}), List.of());
        final ProcessIdentity process = ProcessIdentity.current();
        try (MediaClient media = attach())
        {
            final Member member =
                member(admission, media.aeron().addExclusivePublication(Protocol.IPC_CHANNEL, 99));

            assertNull(member.process);
            member.joined(process.startTime(), process.namespace());
            assertEquals(process, member.process);
            // As for a container with the host's name: the pid denotes another process in this namespace.
            member.joined(process.startTime(), "pid:[1]@another");
            assertNull(member.process);
        }
    }

    @Test
    void shouldNotFailNorAllocateMemoryForUnknownSenders() throws Exception
    {
        final String endpoint = "127.0.0.1:" + UdpPorts.free();
        try (
            LaunchedJob open = new LaunchedJob(2, (context) -> context.endpoint(endpoint));
            JobDirectory elsewhere = JobDirectory.create(open.jobId + "-stranger");
            MediaClient stranger = MediaClient.embed(elsewhere.aeronDirectory(), 1, (error) -> { }))
        {
            final JobSecret secret = new JobSecret(open.secret.getBytes(StandardCharsets.UTF_8));
            // A session with a valid cookie, as others are not opened.
            final String channel = Protocol.udpChannel(endpoint) + new SessionCookie(secret).channelParameters();
            stranger.aeron().addExclusivePublication(
                Protocol.udpChannel(endpoint).replace("64k", "1m") + new SessionCookie(secret).channelParameters(),
                Protocol.COORDINATOR_STREAM_ID);
            final ExclusivePublication publication =
                stranger.aeron().addExclusivePublication(channel, Protocol.COORDINATOR_STREAM_ID);
            final JobSecret guess = new JobSecret(new byte[]{1});
            send(stranger, publication, new byte[3]);
            send(stranger, publication, new byte[300]);
            send(stranger, publication, request(guess, new byte[0]));
            // These know the secret, but have no valid address for replies: port 0, and a wrong length.
            send(stranger, publication, request(secret, new byte[]{127, 0, 0, 1}));
            send(stranger, publication, request(secret, new byte[3]));

            try (Bootstrap rank = open.joinByUdp(0, endpoint, elsewhere.path()))
            {
                rank.put("still", new byte[0]);
            }

            assertNull(open.coordinator.failure());
            try (Stream<Path> images = Files.list(open.directory.aeronDirectory().resolve("images")))
            {
                assertEquals(2, images.count());
            }
        }
    }

    private static byte[] request(final JobSecret secret, final byte[] address)
    {
        return JoinRequests.encode(secret, Protocol.VERSION, 1, JobSecret.nonce(), address);
    }

    private static void send(final MediaClient stranger, final ExclusivePublication publication, final byte[] message)
        throws Exception
    {
        while (publication.offer(new UnsafeBuffer(message)) < 0)
        {
            stranger.invoke();
            Thread.sleep(1);
        }
        stranger.invoke();
    }

    @Test
    void shouldRefuseRankOfAnotherJob()
    {
        assertRefused("TUTTI_JOB_ID", "other",
            "it belongs to job 'other', the coordinator to job '" + job.jobId +
            "': give all the same name (TUTTI_JOB_ID, or JoinOptions.jobName)");
    }

    @Test
    void shouldRefuseRankWithAnotherWorldSize()
    {
        assertRefused("WORLD_SIZE", "3", "its job has 3 ranks, the coordinator's job 2: give all the same number " +
            "(WORLD_SIZE, or JoinOptions.of)");
    }

    @Test
    void shouldRefuseRankThatJoinsTwice()
    {
        try (Bootstrap first = job.join(0))
        {
            assertEquals(0, first.rank());
            assertRefused("RANK", "0", "another process with this rank has already joined, on ");
        }
    }

    @Test
    void shouldRefuseAnotherVersionAndNameBoth()
    {
        final Admission admission = new Admission(
            new CoordinatorContext().jobId("j").size(2).secret(new byte[]{1}), List.of());

        final String refusal = admission.refusal(JoinRequests.of(
            new JobSecret(new byte[]{1}), Protocol.VERSION + 1, 0, JobSecret.nonce()));

        assertTrue(refusal.contains("version " + (Protocol.VERSION + 1)), refusal);
        assertTrue(refusal.contains("the coordinator's version " + Protocol.VERSION), refusal);
    }

    @Test
    void shouldReportMissingMediaDriver()
    {
        final Map<String, String> environment = job.environment(0);
        environment.put("TUTTI_JOB_DIR", "/nowhere/at/all");

        final BootstrapException refusal = assertThrows(
            BootstrapException.class, () -> Bootstraps.fromEnvironment(environment));

        assertTrue(refusal.getMessage().contains("no media driver in /nowhere/at/all/aeron"), refusal.getMessage());
    }

    @Test
    void shouldServeOtherRanksAfterRefusals() throws Exception
    {
        shouldIgnoreWrongSecret();
        shouldRefuseRankWithAnotherWorldSize();

        final List<Bootstrap> ranks = job.joinAll();
        RankThreads.run(
            ranks,
            (rank) ->
            {
                rank.barrier("after", TimeUnit.SECONDS.toNanos(60));
                rank.close();
                return null;
            });

        assertNull(job.coordinator.failure());
    }

    private void assertNotAnswered(final String secret)
    {
        final Map<String, String> environment = job.environment(0);
        environment.put("TUTTI_SECRET", secret);
        environment.put("TUTTI_JOIN_TIMEOUT", "1s");
        final BootstrapException refusal = assertThrows(
            BootstrapException.class, () -> Bootstraps.fromEnvironment(environment));
        assertTrue(refusal.getMessage().contains(
            "the coordinator does not answer; it ignores a wrong secret: check TUTTI_SECRET"),
            refusal.getMessage());
    }

    private void assertRefused(final String variable, final String value, final String reason)
    {
        final Map<String, String> environment = job.environment(0);
        environment.put(variable, value);
        final BootstrapException refusal = assertThrows(
            BootstrapException.class, () -> Bootstraps.fromEnvironment(environment));
        assertTrue(refusal.getMessage().startsWith("rank 0 cannot join job '"), refusal.getMessage());
        assertTrue(refusal.getMessage().contains(reason), refusal.getMessage());
    }
}
