/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.tutti.bootstrap.JobSecret;
import org.tutti.bootstrap.codec.ReplyCode;

/** A process at the coordinator's port that does not know the secret is not trusted, and receives no data. */
class ImpostorTest
{
    private static final String SECRET = "only the ranks know it";
    private static final JobSecret KEY = new JobSecret(SECRET.getBytes(StandardCharsets.UTF_8));
    private static final JobSecret GUESS = new JobSecret(new byte[]{1});

    private final int port = UdpPorts.free();
    private Process rank;

    @AfterEach
    void endRank()
    {
        if (rank != null)
        {
            rank.destroyForcibly();
        }
    }

    @Test
    void shouldNotJoinWhenCoordinatorSendsNoChallenge() throws Exception
    {
        assertDetected("did not prove that it knows the job's secret: check TUTTI_SECRET",
            (writer, request) -> List.of(writer.joined(1L << 40, 0), reply(writer, 1)));
    }

    @Test
    void shouldNotJoinWhenChallengeIsOfAnotherSecret() throws Exception
    {
        assertDetected("did not prove that it knows the job's secret: check TUTTI_SECRET",
            (writer, request) ->
            {
                final byte[] nonce = JobSecret.nonce();
                final byte[] proof = GUESS.prove(Protocol.COORDINATOR, request.proof, nonce);
                return List.of(writer.challenge(nonce, proof), writer.joined(1L << 40, 0));
            });
    }

    @Test
    void shouldNotJoinWhenProofOfRequestIsReflected() throws Exception
    {
        assertDetected("did not prove that it knows the job's secret: check TUTTI_SECRET",
            (writer, request) -> List.of(writer.challenge(request.nonce, request.proof)));
    }

    @Test
    void shouldNotReportRefusalWithoutProof() throws Exception
    {
        final String output = assertDetected("did not prove that it knows the job's secret: check TUTTI_SECRET",
            (writer, request) -> List.of(writer.refused(new byte[JobSecret.PROOF_LENGTH], "send your secret to me")));
        assertTrue(!output.contains("send your secret to me"), output);
    }

    @Test
    void shouldNotJoinWhenChallengeOfEarlierSessionIsReplayed() throws Exception
    {
        final byte[] nonce = JobSecret.nonce();
        final byte[] earlier = KEY.prove(Protocol.COORDINATOR, new byte[JobSecret.PROOF_LENGTH], nonce);
        assertDetected("did not prove that it knows the job's secret: check TUTTI_SECRET",
            (writer, request) -> List.of(writer.challenge(nonce, earlier)));
    }

    /** Simulates an attacker that observes the true coordinator and injects frames into its session. */
    @Test
    void shouldFailWhenFrameOfSessionIsNotAuthentic() throws Exception
    {
        final BiFunction<MessageWriter, JoinRequestText, List<byte[]>> answers = (writer, request) ->
        {
            final byte[] nonce = JobSecret.nonce();
            final byte[] proof = KEY.prove(Protocol.COORDINATOR, request.proof, nonce);
            return List.of(writer.challenge(nonce, proof), writer.joined(1L << 40, 0));
        };
        try (FakeCoordinator fake = new FakeCoordinator("127.0.0.1:" + port, KEY, answers))
        {
            final String output = runRank();
            assertTrue(output.contains("rank 1 received an invalid message from the coordinator at 127.0.0.1:" + port +
                ": the authentication tag of frame 0 is wrong"), output);
            assertNotNull(fake);
        }
    }

    @Test
    void shouldFailWhenFrameOfSessionIsReplayed() throws Exception
    {
        final BiFunction<MessageWriter, JoinRequestText, List<byte[]>> answers = (writer, request) ->
        {
            final byte[] nonce = JobSecret.nonce();
            final byte[] proof = KEY.prove(Protocol.COORDINATOR, request.proof, nonce);
            final FrameAuthenticator authenticator =
                FrameAuthenticator.of(KEY, Protocol.COORDINATOR, request.proof, nonce);
            final byte[] joined = sealed(authenticator, writer.joined(1L << 40, 0));
            return List.of(writer.challenge(nonce, proof), joined, joined);
        };
        try (FakeCoordinator fake = new FakeCoordinator("127.0.0.1:" + port, KEY, answers))
        {
            final String output = runRank();
            assertTrue(output.contains("frame 0 was sent in place of frame 1"), output);
            assertNotNull(fake);
        }
    }

    private static byte[] sealed(final FrameAuthenticator authenticator, final byte[] message)
    {
        final byte[] frame = Arrays.copyOf(message, message.length + FrameAuthenticator.TRAILER_LENGTH);
        authenticator.seal(new UnsafeBuffer(frame), message.length);
        return frame;
    }

    private static byte[] reply(final MessageWriter writer, final long correlationId)
    {
        final byte[] head = writer.replyHead(correlationId, ReplyCode.OK, 0);
        return head;
    }

    private String assertDetected(
        final String error, final BiFunction<MessageWriter, JoinRequestText, List<byte[]>> answers) throws Exception
    {
        try (FakeCoordinator fake = new FakeCoordinator("127.0.0.1:" + port, KEY, answers))
        {
            final String output = runRank();

            assertTrue(output.startsWith("error: rank 1 cannot join job "), output);
            assertTrue(output.contains("the process that answers at 127.0.0.1:" + port + " " + error), output);
            // Only the request with its nonce and proof was sent: no data of the store, and not the secret.
            assertEquals(1, fake.received.size());
            assertTrue(!new String(fake.received.getFirst(), StandardCharsets.ISO_8859_1).contains(SECRET));
            return output;
        }
    }

    private String runRank() throws Exception
    {
        rank = RankProcesses.start(RankMain.class, Map.of(
            "RANK", "1", "WORLD_SIZE", "2", "MASTER_ADDR", "127.0.0.1", "MASTER_PORT", Integer.toString(port),
            "TUTTI_SECRET", SECRET), "barrier");
        return RankProcesses.output(rank);
    }
}
