/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.nio.charset.StandardCharsets;

import org.agrona.DirectBuffer;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.JobSecret;
import org.tutti.bootstrap.ProcessIdentity;
import org.tutti.bootstrap.RankFailure;
import org.tutti.bootstrap.codec.ChallengeDecoder;
import org.tutti.bootstrap.codec.JoinedDecoder;
import org.tutti.bootstrap.codec.MessageHeaderDecoder;
import org.tutti.bootstrap.codec.RefusedDecoder;

/**
 * The member's side of the handshake that {@link Admission} describes. Until the coordinator is authenticated, the
 * member sends only the request, and any answer but a challenge or refusal with a valid proof ends the join.
 */
final class MemberHandshake
{
    private final MemberContext context;
    private final MessageWriter writer;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private byte[] requestProof;
    private FrameAuthenticator incoming;
    private int coordinatorSession;
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

    /** Creates the first message, with the joining rank and a nonce. */
    byte[] request(final MemberStreams streams)
    {
        final byte[] request = writer.joinRequest(context, streams, JobSecret.nonce());
        requestProof = JoinRequestText.proof(request);
        return request;
    }

    /**
     * Handles a frame: of any session until the coordinator is authenticated, then only of the coordinator's session.
     * Drops frames of other sessions.
     *
     * @return the length of the payload of an authentic frame, or 0.
     * @throws IllegalArgumentException if a frame of the coordinator's session is not authentic.
     */
    int open(
        final MessageQueue outgoing, final int sessionId, final DirectBuffer buffer, final int offset, final int length)
    {
        if (incoming == null)
        {
            onFirst(outgoing, sessionId, buffer, offset);
            return 0;
        }
        return sessionId == coordinatorSession ? incoming.open(buffer, offset, length) : 0;
    }

    /** Returns the failure to report when the media driver, of the coordinator or of this process, is lost. */
    RankFailure driverGone(final String how)
    {
        return context.hosted() == 0 ?
            gone("its media driver " + how) :
            new RankFailure(-1, context.host(), 0, "the media driver of " + context.name() + " " + how);
    }

    /** Returns the failure for an invalid frame of the coordinator's session. */
    RankFailure invalid(final RuntimeException ex)
    {
        return new RankFailure(-1, context.host(), 0, context.name() +
            " received an invalid message from the coordinator at " + context.coordinatorAddress() + ": " +
            ex.getMessage());
    }

    /** Returns whether the coordinator has accepted or refused this member. */
    boolean isDone()
    {
        return isAccepted() || refusal != null;
    }

    boolean isAccepted()
    {
        return heartbeatTimeoutNs != 0;
    }

    long heartbeatTimeoutNs()
    {
        return heartbeatTimeoutNs;
    }

    /** Returns the process of the coordinator if it is visible to this process, or null. */
    ProcessIdentity coordinator()
    {
        // Hosts may share a name, but a coordinator's process on another host is not visible.
        return context.host().equals(coordinatorHost) && coordinator.isOfThisNamespace() && coordinator.isAlive() ?
            coordinator : null;
    }

    /** Returns the name, for messages, of a process of this host that is needed to reach the coordinator. */
    String processName(final long pid)
    {
        final String process = pid != coordinator.pid() ? "the agent's process " :
            coordinatorRank >= 0 ? "rank " + coordinatorRank + "'s process " :
            isRequested() ? "the coordinator's process " : "the launcher's process ";
        return process + pid;
    }

    /** Returns whether a program, rather than the launcher, started a coordinator that is no rank. */
    private boolean isRequested()
    {
        return context.hosted() > 0;
    }

    /** Returns the failure to report when the coordinator, which a launcher or a rank runs, is lost. */
    RankFailure gone(final String how)
    {
        return coordinatorRank < 0 ?
            new RankFailure(
                -1, context.host(), 0, (isRequested() ? "lost the coordinator: " : "lost the launcher: ") + how) :
            new RankFailure(coordinatorRank, coordinatorHost, coordinator.pid(), how);
    }

    /** Returns the failure to report when a process of this host that is needed to reach the coordinator has ended. */
    RankFailure ended(final long pid)
    {
        final String how = "its process " + pid + " ended";
        final boolean isAgent = coordinator != null && coordinatorRank < 0 && pid != coordinator.pid();
        return isAgent ? new RankFailure(-1, context.host(), 0, "lost the agent of this host: " + how) : gone(how);
    }

    void checkAccepted()
    {
        if (refusal != null)
        {
            throw new BootstrapException(context.name() + " cannot join job '" + context.jobId() + "': " + refusal);
        }
    }

    private void onFirst(final MessageQueue outgoing, final int sessionId, final DirectBuffer buffer, final int offset)
    {
        header.wrap(buffer, offset);
        switch (header.templateId())
        {
            case ChallengeDecoder.TEMPLATE_ID ->
                onChallenge(outgoing, sessionId, new ChallengeDecoder().wrapAndApplyHeader(buffer, offset, header));
            case RefusedDecoder.TEMPLATE_ID ->
                onRefused(new RefusedDecoder().wrapAndApplyHeader(buffer, offset, header));
            default -> refuseImpostor();
        }
    }

    /** Handles the coordinator's decision, in an authenticated frame; returns whether the member has joined. */
    boolean onMessage(final DirectBuffer buffer, final int offset)
    {
        header.wrap(buffer, offset);
        switch (header.templateId())
        {
            case JoinedDecoder.TEMPLATE_ID ->
                onJoined(new JoinedDecoder().wrapAndApplyHeader(buffer, offset, header));
            case RefusedDecoder.TEMPLATE_ID ->
                onRefused(new RefusedDecoder().wrapAndApplyHeader(buffer, offset, header));
            default ->
            {
                // No other message is valid before a member has joined.
            }
        }
        return isAccepted();
    }

    private void onJoined(final JoinedDecoder decoder)
    {
        heartbeatTimeoutNs = decoder.heartbeatTimeoutNs();
        coordinatorRank = decoder.coordinatorRank();
        coordinator = new ProcessIdentity(
            decoder.coordinatorPid(), decoder.coordinatorStartTime(), decoder.coordinatorNamespace());
        coordinatorHost = decoder.coordinatorHost();
    }

    private void onRefused(final RefusedDecoder decoder)
    {
        final byte[] proof = new byte[JobSecret.PROOF_LENGTH];
        decoder.getProof(proof, 0, proof.length);
        final String reason = decoder.reason();
        final byte[] expected =
            context.secret().prove(Protocol.REFUSAL, requestProof, reason.getBytes(StandardCharsets.UTF_8));
        if (JobSecret.matches(expected, proof))
        {
            refusal = reason;
        }
        else
        {
            refuseImpostor();
        }
    }

    private void onChallenge(final MessageQueue outgoing, final int sessionId, final ChallengeDecoder decoder)
    {
        final byte[] nonce = new byte[JobSecret.NONCE_LENGTH];
        final byte[] proof = new byte[JobSecret.PROOF_LENGTH];
        decoder.getNonce(nonce, 0, nonce.length);
        decoder.getProof(proof, 0, proof.length);
        if (!JobSecret.matches(context.secret().prove(Protocol.COORDINATOR, requestProof, nonce), proof))
        {
            refuseImpostor();
            return;
        }
        coordinatorSession = sessionId;
        incoming = FrameAuthenticator.of(context.secret(), Protocol.COORDINATOR, requestProof, nonce);
        outgoing.authenticate(FrameAuthenticator.of(context.secret(), Protocol.MEMBER, requestProof, nonce));
        outgoing.add(writer.joinProof());
    }

    private void refuseImpostor()
    {
        refusal = "the process that answers at " + context.coordinatorAddress() + " did not prove that it knows the " +
            "job's secret: check TUTTI_SECRET, and which process listens there";
    }
}
