/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.exceptions.AeronException;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.CoordinatorContext;
import org.tutti.bootstrap.HostPort;
import org.tutti.bootstrap.JobSecret;
import org.tutti.bootstrap.ProcessState;
import org.tutti.bootstrap.RankFailure;
import org.tutti.bootstrap.RunningClock;
import org.tutti.bootstrap.codec.AbortDecoder;
import org.tutti.bootstrap.codec.HeartbeatDecoder;
import org.tutti.bootstrap.codec.JoinProofDecoder;
import org.tutti.bootstrap.codec.LeaveDecoder;
import org.tutti.bootstrap.codec.MessageHeaderDecoder;
import org.tutti.bootstrap.codec.ReplyCode;
import org.tutti.bootstrap.codec.WaitingDecoder;
import org.tutti.bootstrap.store.DurationFormat;

/**
 * The work of the coordinator: admits members, serves their requests, sends heartbeats, and notifies all members of the
 * first failure. Used only by the coordinator's thread.
 */
final class JobService
{
    private static final int FRAME_LIMIT = 64;
    private static final long PORT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final byte[] NOTHING = new byte[0];

    private final AeronCoordinator coordinator;
    private final CoordinatorContext context;
    private final MediaClient media;
    private final List<Subscription> subscriptions = new ArrayList<>();
    private final List<FragmentHandler> frameHandlers = new ArrayList<>();
    private final List<Member> members = new ArrayList<>();
    private final Long2ObjectHashMap<Member> membersBySession = new Long2ObjectHashMap<>();
    private final Admission admission;
    private final StoreService store;
    private final MemberWatch watch;
    private final RunningClock clock = new RunningClock(System.nanoTime());
    private final MessageWriter writer = new MessageWriter();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private long runningNs;
    private long nextHeartbeatNs;
    private long nextCheckNs;
    private long nextReportNs;
    private int heartbeats;

    JobService(final AeronCoordinator coordinator, final CoordinatorContext context, final MediaClient media)
    {
        this.coordinator = coordinator;
        this.context = context;
        this.media = media;
        admission = new Admission(context, members);
        store = new StoreService(context.size(), writer);
        watch = new MemberWatch(context, members, store, this::onSilence);
        subscribe(Protocol.IPC_CHANNEL);
        if (context.endpoint() != null)
        {
            subscribe(Protocol.udpChannel(context.endpoint()));
        }
    }

    /** Returns the UDP port of the endpoint; if the configured port is 0, the port that the kernel chose. */
    int port()
    {
        final CallerIdleStrategy idleStrategy = new CallerIdleStrategy();
        final long deadlineNs = System.nanoTime() + PORT_TIMEOUT_NS;
        String resolved = subscriptions.getLast().resolvedEndpoint();
        while (resolved == null)
        {
            if (System.nanoTime() - deadlineNs >= 0)
            {
                throw new IllegalStateException("no port assigned within " + DurationFormat.format(PORT_TIMEOUT_NS));
            }
            media.invoke();
            idleStrategy.idle();
            resolved = subscriptions.getLast().resolvedEndpoint();
        }
        return HostPort.parse(resolved).port();
    }

    private void subscribe(final String channel)
    {
        // Sessions of different channels may have the same id.
        final long key = (long)subscriptions.size() << Integer.SIZE;
        subscriptions.add(media.aeron().addSubscription(channel, Protocol.COORDINATOR_STREAM_ID));
        frameHandlers.add((buffer, offset, length, frame) -> onFrame(key, buffer, offset, length, frame));
    }

    /** Does the due work; returns the amount of work for members, without checks and heartbeats. */
    int doWork()
    {
        media.invoke();
        runningNs = clock.advance(System.nanoTime());
        store.now(runningNs);
        heartbeats = 0;
        int work = poll() + store.expire();
        work += drain() - heartbeats;
        if (runningNs >= nextHeartbeatNs)
        {
            nextHeartbeatNs = runningNs + Protocol.HEARTBEAT_INTERVAL_NS;
            sendHeartbeats();
        }
        if (runningNs >= nextReportNs)
        {
            nextReportNs = runningNs + Bootstrap.WAIT_REPORT_INTERVAL_NS;
            store.reportWaits(context.listener());
        }
        if (runningNs >= nextCheckNs)
        {
            nextCheckNs = runningNs + Protocol.CHECK_INTERVAL_NS;
            watch.check(runningNs);
        }
        return work;
    }

    private int poll()
    {
        int frames = 0;
        for (int i = 0; i < subscriptions.size(); i++)
        {
            frames += subscriptions.get(i).poll(frameHandlers.get(i), FRAME_LIMIT);
        }
        return frames;
    }

    boolean hasWaits()
    {
        return store.hasWaits();
    }

    boolean hasJoinedMembers()
    {
        return members.stream().anyMatch(Member::isJoined);
    }

    private int drain()
    {
        int frames = 0;
        for (int i = 0; i < members.size(); i++)
        {
            frames += members.get(i).outgoing.drain();
        }
        return frames;
    }

    private void sendHeartbeats()
    {
        final byte[] heartbeat = writer.heartbeat();
        for (final Member member : members)
        {
            if (member.isJoined() && member.outgoing.isEmpty())
            {
                member.outgoing.add(heartbeat);
                member.outgoing.drain();
            }
        }
    }

    /** Records the state of a rank's process, as reported by its host, for the errors of ranks that wait for it. */
    void onProcessState(final int rank, final long pid, final ProcessState state)
    {
        watch.onProcessState(rank, pid, state);
    }

    private void onSilence(final Member member, final long silenceNs)
    {
        final boolean wasJoined = member.isJoined();
        forget(member);
        if (wasJoined)
        {
            coordinator.onFailure(new RankFailure(member.memberId, member.host, member.pid,
                "no heartbeat for " + DurationFormat.formatMeasured(silenceNs)));
        }
    }

    private void forget(final Member member)
    {
        member.state = Member.State.GONE;
        member.outgoing.clear();
        members.remove(member);
        membersBySession.values().remove(member);
        member.publication.close();
    }

    private void onFrame(
        final long channelKey, final DirectBuffer buffer, final int offset, final int length, final Header frame)
    {
        final long key = channelKey | Integer.toUnsignedLong(frame.sessionId());
        final Member member = membersBySession.get(key);
        try
        {
            if (member == null)
            {
                onUnknownSession(key, buffer, offset, length);
            }
            else if (member.state == Member.State.CHALLENGED)
            {
                // Not authenticated yet: its parts are not assembled, and its frames do not extend its timeout.
                member.open(buffer, offset, length);
                onProof(member, buffer, offset);
            }
            else if (member.isJoined())
            {
                final int payload = member.open(buffer, offset, length);
                member.heardNs = runningNs;
                member.assembler.onFrame(buffer, offset, payload,
                    (message, messageOffset, messageLength) -> onMessage(member, message, messageOffset));
            }
        }
        catch (final IndexOutOfBoundsException | IllegalArgumentException ex)
        {
            onInvalid(member, ex);
        }
        catch (final RuntimeException | Error ex)
        {
            // Aeron would discard the exception, and the member would hang.
            coordinator.onInternalError(ex);
        }
    }

    /** Handles a frame that is of another protocol, truncated, or not authentic. */
    private void onInvalid(final Member member, final RuntimeException ex)
    {
        if (member == null)
        {
            // Any process may send to the port.
            return;
        }
        if (member.isJoined())
        {
            // Aeron delivers all frames in order: ignoring this one would lose a message of the member.
            coordinator.onFailure(new RankFailure(
                member.memberId, member.host, member.pid, "sent an invalid message: " + ex.getMessage()));
        }
        else
        {
            forget(member);
        }
    }

    private void onUnknownSession(final long key, final DirectBuffer buffer, final int offset, final int length)
    {
        final JoinRequestText request = admission.request(buffer, offset, length);
        if (request == null)
        {
            return;
        }
        final Member surplus = admission.surplus();
        if (surplus != null)
        {
            forget(surplus);
        }
        final ExclusivePublication publication;
        try
        {
            publication = media.aeron().addExclusivePublication(request.channel, request.streamId);
        }
        catch (final AeronException ex)
        {
            // The sender cannot be answered, and its join times out. If the error closes the Aeron client, the
            // coordinator's loop detects that.
            return;
        }
        final byte[] nonce = JobSecret.nonce();
        final Member member = new Member(
            request, admission.authenticator(Protocol.MEMBER, request, nonce), publication, runningNs);
        final String refusal = admission.refusal(request);
        members.add(member);
        membersBySession.put(key, member);
        if (refusal != null)
        {
            refuse(member, refusal);
        }
        else
        {
            member.outgoing.add(writer.challenge(nonce, admission.proof(request, nonce)));
            member.outgoing.authenticate(admission.authenticator(Protocol.COORDINATOR, request, nonce));
        }
    }

    private void onMessage(final Member member, final DirectBuffer buffer, final int offset)
    {
        header.wrap(buffer, offset);
        switch (header.templateId())
        {
            case LeaveDecoder.TEMPLATE_ID ->
                onLeave(member, new LeaveDecoder().wrapAndApplyHeader(buffer, offset, header).correlationId());
            case AbortDecoder.TEMPLATE_ID ->
                onAbort(member, new AbortDecoder().wrapAndApplyHeader(buffer, offset, header));
            case WaitingDecoder.TEMPLATE_ID ->
            {
                final WaitingDecoder decoder = new WaitingDecoder().wrapAndApplyHeader(buffer, offset, header);
                context.listener().onWaiting(member.memberId, decoder.peer(), decoder.call(), decoder.waitedNs());
            }
            // The arrival of the heartbeat has been recorded already.
            case HeartbeatDecoder.TEMPLATE_ID -> heartbeats++;
            default ->
            {
                // After a failure no request completes, so that all ranks see the same failure.
                if (coordinator.failure() == null)
                {
                    store.onRequest(member, header, buffer, offset);
                }
            }
        }
    }

    /** Handles the first authentic frame, which only a member that knows the secret can send. */
    private void onProof(final Member member, final DirectBuffer buffer, final int offset)
    {
        header.wrap(buffer, offset);
        if (header.templateId() != JoinProofDecoder.TEMPLATE_ID)
        {
            return;
        }
        final JoinProofDecoder proof = new JoinProofDecoder().wrapAndApplyHeader(buffer, offset, header);
        final String refusal = admission.duplicateRefusal(member.memberId);
        if (refusal != null)
        {
            refuse(member, refusal);
            return;
        }
        member.joined(proof.processStartTime(), proof.processNamespace());
        member.heardNs = runningNs;
        member.outgoing.add(writer.joined(context.heartbeatTimeoutNs(), context.rank()));
        if (coordinator.failure() != null)
        {
            member.outgoing.add(writer.failure(coordinator.failure()));
        }
        context.listener().onJoined(member.memberId, member.host, member.pid);
    }

    private void refuse(final Member member, final String reason)
    {
        member.state = Member.State.REFUSED;
        member.outgoing.add(writer.refused(admission.refusalProof(member.request, reason), reason));
    }

    private void onLeave(final Member member, final long correlationId)
    {
        // Updates the state of the rank's process if it was reported as stopped: the process of a rank that has left is
        // not checked any more.
        watch.checkStopped(member, runningNs);
        member.state = Member.State.GONE;
        member.outgoing.add(writer.replyHead(correlationId, ReplyCode.OK, 0), NOTHING);
        endWaitsFor(member.memberId);
        context.listener().onLeft(member.memberId);
    }

    /** Ends waits for a rank, except after a failure, when no request completes or is refused. */
    private void endWaitsFor(final int rank)
    {
        if (coordinator.failure() == null)
        {
            store.leave(rank);
        }
    }

    private void onAbort(final Member member, final AbortDecoder abort)
    {
        final int culprit = abort.culprit();
        final String reason = abort.reason();
        if (culprit == member.memberId)
        {
            coordinator.onFailure(new RankFailure(culprit, member.host, member.pid, RankFailure.aborted(reason)));
            return;
        }
        final Member late = members.stream()
            .filter((other) -> other.memberId == culprit && other.hasJoined()).findFirst().orElse(null);
        coordinator.onFailure(RankFailure.late(
            culprit, late == null ? "" : late.host, late == null ? 0 : late.pid, member.memberId, reason));
    }

    /** Receives all pending messages: a process that has ended may have left or aborted just before. */
    void receiveAll()
    {
        int frames;
        do
        {
            media.invoke();
            frames = poll();
        }
        while (frames > 0);
    }

    /** Returns the failure of a rank whose process ended with exit code 0 before it left the job, or null. */
    RankFailure onExit(final int rank)
    {
        receiveAll();
        for (final Member member : members)
        {
            if (member.memberId == rank && member.isJoined())
            {
                return new RankFailure(
                    rank, member.host, member.pid, "exited with code 0 without leaving the job");
            }
        }
        endWaitsFor(rank);
        return null;
    }

    /** Notifies all members of the first failure. */
    void broadcast(final RankFailure failure)
    {
        final byte[] message = writer.failure(failure);
        for (final Member member : members)
        {
            if (member.memberId == failure.rank())
            {
                // The rank has ended or is ending: its missing heartbeats must not be reported as a second failure.
                member.heardNs = Long.MAX_VALUE / 2;
            }
            if (member.isJoined())
            {
                member.outgoing.add(message);
            }
        }
        drain();
    }

    /** Returns whether all messages have been sent. */
    boolean isDrained()
    {
        drain();
        return members.stream().allMatch((member) -> member.outgoing.isEmpty());
    }
}
