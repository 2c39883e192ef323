/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import org.agrona.DirectBuffer;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.JobSecret;
import org.tutti.bootstrap.ProcessIdentity;
import org.tutti.bootstrap.RankFailure;
import org.tutti.bootstrap.codec.ChallengeDecoder;
import org.tutti.bootstrap.codec.JoinedDecoder;
import org.tutti.bootstrap.codec.MessageHeaderDecoder;
import org.tutti.bootstrap.codec.RefusedDecoder;

/** The member's side of the handshake that {@link Admission} describes. */
final class MemberHandshake
{
    private final MemberContext context;
    private final MessageWriter writer;
    private final byte[] nonce = JobSecret.nonce();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private long heartbeatTimeoutNs;
    private int coordinatorRank = -1;
    private ProcessIdentity coordinator;
    private String coordinatorHost;
    private String refusal;

    MemberHandshake(final MemberContext context, final MessageWriter writer)
    {
        this.context = context;
        this.writer = writer;
    }

    byte[] nonce()
    {
        return nonce;
    }

    /** Whether the coordinator has decided. */
    boolean isDone()
    {
        return heartbeatTimeoutNs != 0 || refusal != null;
    }

    long heartbeatTimeoutNs()
    {
        return heartbeatTimeoutNs;
    }

    /** The process of the coordinator if it can be watched from here, or null. */
    ProcessIdentity coordinator()
    {
        // Hosts may share a name, but then its process is not among ours.
        return context.host().equals(coordinatorHost) && coordinator.isOfThisNamespace() && coordinator.isAlive() ?
            coordinator : null;
    }

    /** How people call a process of this host without which the coordinator cannot be reached. */
    String processName(final long pid)
    {
        final String name = pid != coordinator.pid() ? "the agent's" :
            coordinatorRank < 0 ? "the launcher's" : "rank " + coordinatorRank + "'s";
        return name + " process " + pid;
    }

    /** The word that the coordinator is gone: a launcher, or a rank. */
    RankFailure gone(final String how)
    {
        return coordinatorRank < 0 ?
            new RankFailure(-1, context.host(), 0, "the launcher is gone: " + how) :
            new RankFailure(coordinatorRank, coordinatorHost, coordinator.pid(), how);
    }

    void checkAccepted()
    {
        if (refusal != null)
        {
            throw new BootstrapException(context.name() + " cannot join job '" + context.jobId() + "': " + refusal);
        }
    }

    void onMessage(final Outbox outbox, final DirectBuffer buffer, final int offset)
    {
        header.wrap(buffer, offset);
        switch (header.templateId())
        {
            case ChallengeDecoder.TEMPLATE_ID ->
                onChallenge(outbox, new ChallengeDecoder().wrapAndApplyHeader(buffer, offset, header));
            case JoinedDecoder.TEMPLATE_ID ->
                onJoined(new JoinedDecoder().wrapAndApplyHeader(buffer, offset, header));
            case RefusedDecoder.TEMPLATE_ID -> refusal =
                new RefusedDecoder().wrapAndApplyHeader(buffer, offset, header).reason();
            default ->
            {
                // Nothing else is said before a member has joined.
            }
        }
    }

    private void onJoined(final JoinedDecoder decoder)
    {
        heartbeatTimeoutNs = decoder.heartbeatTimeoutNs();
        coordinatorRank = decoder.coordinatorRank();
        coordinator = new ProcessIdentity(
            decoder.coordinatorPid(), decoder.coordinatorStartTime(), decoder.coordinatorNamespace());
        coordinatorHost = decoder.coordinatorHost();
    }

    private void onChallenge(final Outbox outbox, final ChallengeDecoder decoder)
    {
        final byte[] coordinatorNonce = new byte[JobSecret.NONCE_LENGTH];
        final byte[] coordinatorProof = new byte[JobSecret.PROOF_LENGTH];
        decoder.getNonce(coordinatorNonce, 0, coordinatorNonce.length);
        decoder.getProof(coordinatorProof, 0, coordinatorProof.length);
        final String subject = Protocol.member(
            context.jobId(), context.memberId(), context.worldSize());
        final byte[] expected = context.secret().prove(Protocol.COORDINATOR, subject, nonce, coordinatorNonce);
        if (JobSecret.matches(expected, coordinatorProof))
        {
            outbox.add(writer.joinProof(
                context.secret().prove(Protocol.MEMBER, subject, nonce, coordinatorNonce)));
        }
        else
        {
            refusal = "the coordinator has another secret: check TUTTI_SECRET";
        }
    }
}
