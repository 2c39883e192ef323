/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.LongSupplier;

import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.FailureNotice;
import org.tutti.bootstrap.JobDirectory;
import org.tutti.bootstrap.RankFailure;
import org.tutti.bootstrap.RunningClock;
import org.tutti.bootstrap.codec.FailureDecoder;
import org.tutti.bootstrap.codec.MessageHeaderDecoder;
import org.tutti.bootstrap.codec.ReplyDecoder;
import org.tutti.bootstrap.codec.ReplyCode;
import org.tutti.bootstrap.store.DurationFormat;

/**
 * A member's session with the coordinator: the streams, the handshake, heartbeats, and pending requests. Only the
 * member's thread joins, polls and closes, as these calls enter Aeron. Not thread-safe: once the member has joined, the
 * {@link MemberClient} calls it with its lock held, except for methods documented as callable from any thread.
 */
final class MemberSession implements AutoCloseable
{
    /** Encodes a request, or the part before its body. */
    @FunctionalInterface
    interface RequestEncoder
    {
        byte[] encode(MessageWriter writer, long correlationId);
    }

    private static final int FRAME_LIMIT = 64;

    private final MemberContext context;
    private final FailureNotice notice;
    private final MessageWriter writer = new MessageWriter();
    private final MemberHandshake handshake;
    private final CoordinatorWatch coordinator;
    private final MessageAssembler assembler = new MessageAssembler(Integer.MAX_VALUE - 8);
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final Long2ObjectHashMap<PendingRequest> requests = new Long2ObjectHashMap<>();
    private final RunningClock clock = new RunningClock(System.nanoTime());
    private final FragmentHandler frameHandler = this::onFrame;
    private final MessageAssembler.Handler messageHandler = this::onMessage;
    private MediaClient media;
    private Subscription subscription;
    private MessageQueue outgoing;
    private long correlationId;
    private long runningNs;
    private long nextHeartbeatNs;
    private long nextCheckNs;
    private boolean isJoined;
    private volatile boolean isAwaited;
    private volatile boolean isFailureHeard;
    private volatile Throwable lastError;

    MemberSession(final MemberContext context, final FailureNotice notice)
    {
        this.context = context;
        this.notice = notice;
        handshake = new MemberHandshake(context, writer);
        coordinator = new CoordinatorWatch(handshake);
    }

    /**
     * Joins the job.
     *
     * @param deadlineNs the deadline, by {@link System#nanoTime()}; may be brought forward during the wait.
     * @throws BootstrapException if the coordinator does not answer in time, or refuses this member.
     */
    void join(final LongSupplier deadlineNs)
    {
        media = context.hosted() > 0 ?
            MediaClient.embed(context.aeronDirectory(), context.hosted(), this::onError) :
            MediaClient.attach(context.aeronDirectory(), deadlineNs, this::onError);
        coordinator.watch(
            context.hosted() > 0 ? null : JobDirectory.owner(context.aeronDirectory().getParent()));
        final int streamId = ThreadLocalRandom.current().nextInt(Protocol.COORDINATOR_STREAM_ID + 1, Integer.MAX_VALUE);
        final MemberStreams streams = new MemberStreams(context, media, streamId, deadlineNs);
        subscription = streams.subscription();
        final ExclusivePublication publication = streams.publication();
        outgoing = new MessageQueue(publication);
        outgoing.add(handshake.request(streams));
        final CallerIdleStrategy idleStrategy = new CallerIdleStrategy();
        while (!handshake.isDone())
        {
            idleStrategy.idle(poll());
            notice.check();
            if (System.nanoTime() - deadlineNs.getAsLong() >= 0)
            {
                throw new BootstrapException(context.name() + " did not join job '" + context.jobId() +
                    "' within " + DurationFormat.format(context.joinTimeoutNs()) +
                    ": the coordinator does not answer; it ignores a wrong secret: check TUTTI_SECRET");
            }
        }
        handshake.checkAccepted();
        isJoined = true;
        coordinator.joined();
    }

    /**
     * Queues a request.
     *
     * @param head    the encoder of the message, or of its part before the body.
     * @param body    the rest of the message.
     * @param pending the request, completed by the reply.
     * @return the correlation id.
     */
    long request(final RequestEncoder head, final byte[] body, final PendingRequest pending)
    {
        final long id = ++correlationId;
        requests.put(id, pending);
        outgoing.add(head.encode(writer, id), body);
        isAwaited = true;
        return id;
    }

    /** Drops a request whose caller no longer waits for the reply. */
    void forget(final long id)
    {
        requests.remove(id);
        isAwaited = !requests.isEmpty();
    }

    /** Queues a message without a reply. */
    void send(final Function<MessageWriter, byte[]> message)
    {
        outgoing.add(message.apply(writer));
    }

    /** Returns whether the transport has taken all queued messages. */
    boolean isSent()
    {
        return outgoing.isEmpty();
    }

    /** Returns whether any request has no reply yet. Callable from any thread. */
    boolean isAwaited()
    {
        return isAwaited;
    }

    /** Returns whether the coordinator has reported a failure. Callable from any thread. */
    boolean isFailureHeard()
    {
        return isFailureHeard;
    }

    /** Returns whether the media driver is lost. Callable from any thread, once the member has joined. */
    boolean isDriverGone()
    {
        return media.isClosed();
    }

    /** Returns the heartbeat timeout in nanoseconds. Callable from any thread, once the member has joined. */
    long heartbeatTimeoutNs()
    {
        return handshake.heartbeatTimeoutNs();
    }

    /** Returns the watch of the coordinator. Callable from any thread. */
    CoordinatorWatch coordinator()
    {
        return coordinator;
    }

    /** Raises the failure for an exception of {@link #poll}. */
    void onPollFailed(final Throwable error)
    {
        notice.raise(handshake.driverGone("failed: " + error.getMessage()));
    }

    /**
     * Does the due work: sends and receives frames, and watches the coordinator.
     *
     * @return the number of frames sent and received.
     */
    int poll()
    {
        media.invoke();
        if (media.isClosed())
        {
            notice.raise(handshake.driverGone("stopped" + (lastError == null ? "" : ": " + lastError.getMessage())));
            return 0;
        }
        runningNs = clock.advance(System.nanoTime());
        coordinator.now(runningNs);
        if (isJoined && runningNs >= nextHeartbeatNs)
        {
            nextHeartbeatNs = runningNs + Protocol.HEARTBEAT_INTERVAL_NS;
            sendHeartbeat();
        }
        if (runningNs >= nextCheckNs)
        {
            nextCheckNs = runningNs + Protocol.CHECK_INTERVAL_NS;
            checkCoordinator();
        }
        return outgoing.drain() + subscription.poll(frameHandler, FRAME_LIMIT);
    }

    private void sendHeartbeat()
    {
        if (outgoing.isEmpty())
        {
            outgoing.add(writer.heartbeat());
        }
    }

    private void checkCoordinator()
    {
        final RankFailure gone = coordinator.check();
        if (gone != null)
        {
            notice.raise(gone);
        }
    }

    private void onError(final Throwable error)
    {
        lastError = error;
    }

    private void onFrame(final DirectBuffer buffer, final int offset, final int length, final Header frame)
    {
        try
        {
            final int payload = handshake.open(outgoing, frame.sessionId(), buffer, offset, length);
            if (payload > 0)
            {
                coordinator.heard();
                assembler.onFrame(buffer, offset, payload, messageHandler);
            }
        }
        catch (final IndexOutOfBoundsException | IllegalArgumentException ex)
        {
            notice.raise(handshake.invalid(ex));
        }
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length)
    {
        if (!isJoined)
        {
            isJoined = handshake.onMessage(buffer, offset);
            return;
        }
        header.wrap(buffer, offset);
        switch (header.templateId())
        {
            case ReplyDecoder.TEMPLATE_ID -> onReply(new ReplyDecoder().wrapAndApplyHeader(buffer, offset, header));
            case FailureDecoder.TEMPLATE_ID ->
            {
                isFailureHeard = true;
                notice.raise(FailureCodec.decode(new FailureDecoder().wrapAndApplyHeader(buffer, offset, header)));
            }
            default ->
            {
                // A heartbeat, whose arrival has been recorded already.
            }
        }
    }

    private void onReply(final ReplyDecoder decoder)
    {
        final PendingRequest pending = requests.remove(decoder.correlationId());
        isAwaited = !requests.isEmpty();
        if (pending != null)
        {
            final byte[] value = new byte[decoder.valueLength()];
            final ReplyCode status = decoder.status();
            decoder.getValue(value, 0, value.length);
            pending.complete(status, value);
        }
    }

    @Override
    public void close()
    {
        if (media != null)
        {
            media.close();
        }
        coordinator.close();
    }
}
