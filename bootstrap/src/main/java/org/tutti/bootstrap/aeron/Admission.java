/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.util.Arrays;
import java.util.List;

import org.agrona.DirectBuffer;
import org.tutti.bootstrap.CoordinatorContext;
import org.tutti.bootstrap.JobSecret;

/**
 * Who may join: the rules, and the proofs of both sides. Who does not know the secret gets no answer.
 * <pre>
 *   member                                  coordinator
 *     | JoinRequest: who, what, nonce m, proof   |
 *     |-----------------------------------------&gt;|
 *     |      Challenge: nonce c, proof over m, c |
 *     |&lt;-----------------------------------------|   or Refused: why
 *     | JoinProof: proof over m, c               |
 *     |-----------------------------------------&gt;|
 *     |                                   Joined |
 *     |&lt;-----------------------------------------|   or Refused: why
 * </pre>
 */
final class Admission
{
    private static final int MAX_REFUSED = 16;

    private final CoordinatorContext context;
    private final JobSecret secret;
    private final List<Member> members;

    Admission(final CoordinatorContext context, final List<Member> members)
    {
        this.context = context;
        this.secret = new JobSecret(context.secret());
        this.members = members;
    }

    /** The request in a stranger's frame, or null if it is none, or has been heard, or too many wait already. */
    JoinRequestText request(final DirectBuffer buffer, final int offset, final int length)
    {
        if (members.size() >= capacity(context))
        {
            return null;
        }
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

    /** How many members there can be at once: all of the job, and some that will be refused. */
    static int capacity(final CoordinatorContext context)
    {
        return context.size() + MAX_REFUSED;
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

    private String duplicateRefusal(final int memberId)
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
        return secret.prove(Protocol.COORDINATOR, subject(request), request.nonce, coordinatorNonce);
    }

    /** Why a proof does not do, or null. */
    String refusal(final JoinRequestText request, final byte[] coordinatorNonce, final byte[] proof)
    {
        final byte[] expected = secret.prove(Protocol.MEMBER, subject(request), request.nonce, coordinatorNonce);
        return JobSecret.matches(expected, proof) ?
            duplicateRefusal(request.memberId) :
            "it does not prove that it knows the secret";
    }

    private String subject(final JoinRequestText request)
    {
        return Protocol.member(context.jobId(), request.memberId, request.worldSize);
    }
}
