/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.agrona.DirectBuffer;
import org.tutti.bootstrap.CoordinatorContext;
import org.tutti.bootstrap.JobSecret;

/**
 * Which processes may join: the rules, and the coordinator's side of the handshake. A process that does not know the
 * secret gets no answer.
 * <pre>
 *   member                                          coordinator
 *     | JoinRequest: rank, job, nonce m, proof of these  |
 *     |-------------------------------------------------&gt;|
 *     |                                                  |   or Refused: why, proof of the request and why
 *     |     Challenge: nonce c, proof of the request, c  |
 *     |&lt;-------------------------------------------------|
 *     |- - - - - from here on every frame is authenticated, under keys from the request and c - - - - -|
 *     | JoinProof                                        |
 *     |-------------------------------------------------&gt;|
 *     |                                          Joined  |
 *     |&lt;-------------------------------------------------|   or Refused
 * </pre>
 * This is the challenge and response of ISO/IEC 9798-4 with both nonces (mutual authentication in three passes). Proofs
 * and keys are HMACs under the secret with a label for each role and use, so that none can be sent back to its maker;
 * they cover the whole request, and with it the version, the job, the rank, the stream for answers and m. That the
 * first authenticated frame is right proves the member: nothing before it is believed of it, but where to answer.
 */
final class Admission
{
    /** How many more than the job has ranks may be known at once: those that have proved nothing, or are refused. */
    private static final int MAX_UNPROVEN = 16;
    /** How long one may take from its request to its proof. */
    static final long UNPROVEN_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

    private final CoordinatorContext context;
    private final JobSecret secret;
    private final List<Member> members;

    Admission(final CoordinatorContext context, final List<Member> members)
    {
        this.context = context;
        this.secret = new JobSecret(context.secret());
        this.members = members;
    }

    /** The request in a stranger's frame, or null if it is none, or has been heard. */
    JoinRequestText request(final DirectBuffer buffer, final int offset, final int length)
    {
        final JoinRequestText request = JoinRequestText.open(secret, buffer, offset, length);
        if (request != null)
        {
            for (final Member member : members)
            {
                if (Arrays.equals(member.request.nonce, request.nonce))
                {
                    return null;
                }
            }
        }
        return request;
    }

    /** How many members there can be at once, and sessions by UDP: all of the job, and some others. */
    static int capacity(final CoordinatorContext context)
    {
        return context.size() + MAX_UNPROVEN;
    }

    /** The member that is to go to make room for another: the oldest that has not joined; null if there is room. */
    Member surplus()
    {
        if (members.size() >= capacity(context))
        {
            for (final Member member : members)
            {
                if (!member.isJoined())
                {
                    return member;
                }
            }
        }
        return null;
    }

    /** Why a request cannot be granted, or null. */
    String refusal(final JoinRequestText request)
    {
        if (request.version != Protocol.VERSION)
        {
            return "it speaks version " + request.version + " of the bootstrap protocol, the coordinator version " +
                Protocol.VERSION + ": use the same release of Tutti everywhere";
        }
        if (!request.jobId.equals(context.jobId()))
        {
            return "it belongs to job '" + request.jobId + "', the coordinator to job '" + context.jobId() +
                "': check TUTTI_JOB_ID";
        }
        if (request.worldSize != context.size())
        {
            return "it believes that the job has " + request.worldSize + " ranks, the coordinator " +
                context.size() + ": check WORLD_SIZE";
        }
        if (request.memberId < 0 || request.memberId >= context.size())
        {
            return "ranks go from 0 to " + (context.size() - 1) + ": check RANK";
        }
        return duplicateRefusal(request.memberId);
    }

    /** Why a member that has proved itself cannot join yet, or null. */
    String duplicateRefusal(final int memberId)
    {
        for (final Member member : members)
        {
            if (member.isJoined() && member.memberId == memberId)
            {
                return "another process with this number has joined already, on " + member.host + " (pid " +
                    member.pid + ")";
            }
        }
        return null;
    }

    /** The coordinator's own proof. */
    byte[] proof(final JoinRequestText request, final byte[] coordinatorNonce)
    {
        return secret.prove(Protocol.COORDINATOR, request.proof, coordinatorNonce);
    }

    /** Proves that a refusal comes from the coordinator. */
    byte[] refusalProof(final JoinRequestText request, final String reason)
    {
        return secret.prove(Protocol.REFUSAL, request.proof, reason.getBytes(StandardCharsets.UTF_8));
    }

    /** For the frames of a member's session, of which that side is the sender. */
    FrameAuthenticator authenticator(
        final String sender, final JoinRequestText request, final byte[] coordinatorNonce)
    {
        return FrameAuthenticator.of(secret, sender, request.proof, coordinatorNonce);
    }
}
