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
 * Admits processes to the job: the rules, and the coordinator's side of the handshake. Join requests with a wrong
 * secret are ignored.
 * <pre>
 *   member                                          coordinator
 *     | JoinRequest: rank, job, nonce m, proof of these  |
 *     |-------------------------------------------------&gt;|
 *     |                                                  |   or Refused: reason, proof of the request and reason
 *     |  Challenge: nonce c, proof of the request and c  |
 *     |&lt;-------------------------------------------------|
 *     |- - - - - from here on every frame is authenticated, under keys from the request and c - - - - -|
 *     | JoinProof                                        |
 *     |-------------------------------------------------&gt;|
 *     |                                          Joined  |
 *     |&lt;-------------------------------------------------|   or Refused
 * </pre> This is the challenge-response protocol of ISO/IEC 9798-4 with both nonces (mutual authentication in three
 * passes). Proofs and keys are HMACs with the secret and a label for each role and use, so that none can be reflected
 * to its sender. They cover the whole request: the version, the job, the rank, the reply stream and m. The first
 * authenticated frame authenticates the member. Until then, its request may be a replay, and is answered by a challenge
 * or a refusal only.
 */
final class Admission
{
    /**
     * The maximum number of members in addition to the job's ranks: those that are not authenticated yet, or are
     * refused.
     */
    private static final int MAX_UNPROVEN = 16;
    /** The maximum time from a member's request to its proof. */
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

    /** Returns the request in a frame of an unknown sender, or null if the frame is not a new, valid request. */
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

    /** Returns the maximum number of concurrent members and UDP sessions: all ranks of the job, and some others. */
    static int capacity(final CoordinatorContext context)
    {
        return context.size() + MAX_UNPROVEN;
    }

    /** Returns the member to evict for another: the oldest that has not joined; null if the limit is not reached. */
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

    /** Returns why a request is refused, or null. */
    String refusal(final JoinRequestText request)
    {
        if (request.version != Protocol.VERSION)
        {
            return "its bootstrap protocol has version " + request.version + ", the coordinator's version " +
                Protocol.VERSION + ": use the same release of Tutti everywhere";
        }
        if (!request.jobId.equals(context.jobId()))
        {
            return "it belongs to job '" + request.jobId + "', the coordinator to job '" + context.jobId() +
                "': give all the same name (TUTTI_JOB_ID, or JoinOptions.jobName)";
        }
        if (request.worldSize != context.size())
        {
            return "its job has " + request.worldSize + " ranks, the coordinator's job " +
                context.size() + ": give all the same number (WORLD_SIZE, or JoinOptions.of)";
        }
        if (request.memberId < 0 || request.memberId >= context.size())
        {
            return "its rank is not from 0 to " + (context.size() - 1) + ": check RANK, or JoinOptions.of";
        }
        return duplicateRefusal(request.memberId);
    }

    /** Returns why an authenticated member cannot join, or null. */
    String duplicateRefusal(final int memberId)
    {
        for (final Member member : members)
        {
            if (member.isJoined() && member.memberId == memberId)
            {
                return "another process with this rank has already joined, on " + member.host + " (pid " +
                    member.pid + ")";
            }
            if (member.hasJoined() && member.memberId == memberId)
            {
                return "this rank has left the job, which a rank joins once: start another job";
            }
        }
        return null;
    }

    /** Computes the coordinator's proof. */
    byte[] proof(final JoinRequestText request, final byte[] coordinatorNonce)
    {
        return secret.prove(Protocol.COORDINATOR, request.proof, coordinatorNonce);
    }

    /** Computes the proof of a refusal. */
    byte[] refusalProof(final JoinRequestText request, final String reason)
    {
        return secret.prove(Protocol.REFUSAL, request.proof, reason.getBytes(StandardCharsets.UTF_8));
    }

    /** Creates the authenticator for the frames of a member's session from one sender. */
    FrameAuthenticator authenticator(
        final String sender, final JoinRequestText request, final byte[] coordinatorNonce)
    {
        return FrameAuthenticator.of(secret, sender, request.proof, coordinatorNonce);
    }
}
