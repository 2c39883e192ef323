/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.exceptions.AeronException;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.BootstrapInterruptedException;
import org.tutti.bootstrap.FailureNotice;
import org.tutti.bootstrap.JobDirectory;
import org.tutti.bootstrap.RankFailure;
import org.tutti.bootstrap.RunningClock;
import org.tutti.bootstrap.Uninterrupted;
import org.tutti.bootstrap.codec.FailureDecoder;
import org.tutti.bootstrap.codec.MessageHeaderDecoder;
import org.tutti.bootstrap.codec.ReplyDecoder;
import org.tutti.bootstrap.codec.ReplyStatus;
import org.tutti.bootstrap.store.Durations;

/**
 * A member's conversation with the coordinator. A thread of its own joins, and then polls every millisecond, or every
 * sixteen when nothing has been said for a second, which sends heartbeats and notices failures; while a caller waits
 * for an answer, it polls much faster. Only this thread enters Aeron: an interrupt would close the channels of a media
 * driver that the interrupted thread runs. Callers park until they are answered. Thread-safe.
 */
final class MemberClient implements AutoCloseable
{
    /** Encodes a request, or its head, with the client's writer. */
    @FunctionalInterface
    interface Request
    {
        byte[] encode(MessageWriter writer, long correlationId);
    }

    private static final int FRAME_LIMIT = 64;
    private static final long SHORT_REST_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONG_REST_NS = TimeUnit.MILLISECONDS.toNanos(16);
    private static final long LONG_REST_AFTER_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long ECHO_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long SEND_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);
    /** An interrupt ends a wait for the coordinator alone, which answers at once, only after this time. */
    private static final long COORDINATOR_PATIENCE_NS = TimeUnit.SECONDS.toNanos(1);
    /** How long an interrupted thread waits for a join to end, to tell the other ranks. */
    private static final long CANCEL_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final byte[] NOTHING = new byte[0];

    private final MemberContext context;
    private final FailureNotice notice;
    private final ReentrantLock lock = new ReentrantLock();
    private final MessageWriter writer = new MessageWriter();
    private final MemberHandshake handshake;
    private final Inbox inbox = new Inbox(Integer.MAX_VALUE - 8);
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final Long2ObjectHashMap<Pending> requests = new Long2ObjectHashMap<>();
    private final RunningClock clock = new RunningClock(System.nanoTime());
    private final FragmentHandler frameHandler;
    private final Inbox.Handler messageHandler;
    private final CoordinatorWatch coordinator;
    private MediaHost media;
    private Subscription subscription;
    private Outbox outbox;
    private final Thread thread;
    private final CountDownLatch joinEnded = new CountDownLatch(1);
    private volatile long joinDeadlineNs;
    private RuntimeException joinFailure;
    private volatile MemberListener listener = () -> { };
    private long correlationId;
    private long runningNs;
    private long nextHeartbeatNs;
    private long nextCheckNs;
    private boolean isJoined;
    private volatile long askedNs = System.nanoTime();
    private volatile boolean isAwaited;
    private volatile boolean isAskedAnew;
    private volatile boolean isFailureHeard;
    private volatile boolean isAborting;
    private volatile boolean isClosed;
    private volatile Throwable lastError;

    private MemberClient(final MemberContext context, final FailureNotice notice)
    {
        this.context = context;
        this.notice = notice;
        handshake = new MemberHandshake(context, writer);
        coordinator = new CoordinatorWatch(handshake);
        messageHandler = this::onMessage;
        frameHandler = this::onFrame;
        thread = new Thread(this::run, "tutti-bootstrap-" + context.memberId());
        thread.setDaemon(true);
    }

    /**
     * Joins the job, or says why not.
     *
     * @throws BootstrapInterruptedException if the calling thread is interrupted; the other members are told, if the
     *                                       coordinator can be reached.
     */
    static MemberClient join(final MemberContext context, final FailureNotice notice)
    {
        final MemberClient client = new MemberClient(context, notice);
        client.joinDeadlineNs = System.nanoTime() + context.joinTimeoutNs();
        client.thread.start();
        try
        {
            client.joinEnded.await();
        }
        catch (final InterruptedException ex)
        {
            throw client.cancelJoin();
        }
        if (client.joinFailure != null)
        {
            throw client.joinFailure;
        }
        return client;
    }

    private BootstrapInterruptedException cancelJoin()
    {
        final long soonNs = System.nanoTime() + CANCEL_TIMEOUT_NS;
        joinDeadlineNs = joinDeadlineNs - soonNs < 0 ? joinDeadlineNs : soonNs;
        final BootstrapInterruptedException interrupted = BootstrapInterruptedException.of(
            context.name(), "it joined job '" + context.jobId() + "'");
        Uninterrupted.parkUntil(() -> joinEnded.getCount() == 0, 2 * CANCEL_TIMEOUT_NS);
        if (joinEnded.getCount() == 0 && joinFailure == null)
        {
            abort(interrupted);
        }
        close();
        return interrupted;
    }

    private void free()
    {
        if (media != null)
        {
            media.close();
        }
        coordinator.close();
    }

    /** Sets what the thread calls between two looks for messages. */
    void listener(final MemberListener called)
    {
        listener = called;
    }

    private void join()
    {
        media = context.hosted() > 0 ?
            MediaHost.embed(context.aeronDirectory(), context.hosted(), this::onError) :
            MediaHost.attach(context.aeronDirectory(), () -> joinDeadlineNs, this::onError);
        coordinator.watch(
            context.hosted() > 0 ? null : JobDirectory.owner(context.aeronDirectory().getParent()));
        final int streamId = ThreadLocalRandom.current().nextInt(Protocol.COORDINATOR_STREAM_ID + 1, Integer.MAX_VALUE);
        final Connection connection = new Connection(context, media, streamId, () -> joinDeadlineNs);
        subscription = connection.subscription();
        final ExclusivePublication publication = connection.publication();
        outbox = new Outbox(publication);
        outbox.add(handshake.request(connection));
        final WaitingIdleStrategy idleStrategy = new WaitingIdleStrategy();
        while (!handshake.isDone())
        {
            idleStrategy.idle(poll());
            notice.check();
            if (System.nanoTime() - joinDeadlineNs >= 0)
            {
                throw new BootstrapException(context.name() + " did not get to join job '" + context.jobId() +
                    "' within " + Durations.format(context.joinTimeoutNs()) +
                    ": the coordinator does not answer; it does not answer strangers: check TUTTI_SECRET");
            }
        }
        handshake.checkAccepted();
        isJoined = true;
        coordinator.joined();
    }

    /**
     * Asks what takes other members, and waits, unless interrupted, for the answer: null if there is none. Of a
     * coordinator that is stopped or silent, it waits no longer than that.
     */
    byte[] ask(final Request head, final byte[] body, final long timeoutNs)
    {
        return askWithin(head, body, timeoutNs, 0, false);
    }

    /** The same for what the coordinator answers by itself: an interrupt does not end it at once. */
    byte[] askCoordinator(final Request head, final byte[] body, final long timeoutNs)
    {
        return askWithin(head, body, timeoutNs, COORDINATOR_PATIENCE_NS, false);
    }

    byte[] ask(final Request request, final long timeoutNs)
    {
        return ask(request, NOTHING, timeoutNs);
    }

    private byte[] askWithin(
        final Request head, final byte[] body, final long timeoutNs, final long patienceNs, final boolean outlastsStop)
    {
        final Pending pending = new Pending(this);
        final long id = send(head, body, pending);
        try
        {
            pending.await(timeoutNs, patienceNs, outlastsStop);
        }
        finally
        {
            forget(id);
            pending.end();
        }
        return pending.value();
    }

    /** Asks, and does not wait for the answer. */
    Pending begin(final Request head, final byte[] body)
    {
        final Pending pending = new Pending(this);
        send(head, body, pending);
        return pending;
    }

    Pending begin(final Request request)
    {
        return begin(request, NOTHING);
    }

    private long send(final Request head, final byte[] body, final Pending pending)
    {
        lock.lock();
        try
        {
            checkOpen();
            askedNs = System.nanoTime();
            final long id = ++correlationId;
            requests.put(id, pending);
            outbox.add(head.encode(writer, id), body);
            isAwaited = true;
            isAskedAnew = true;
            return id;
        }
        finally
        {
            lock.unlock();
            LockSupport.unpark(thread);
        }
    }

    private void forget(final long id)
    {
        lock.lock();
        try
        {
            requests.remove(id);
            isAwaited = !requests.isEmpty();
        }
        finally
        {
            lock.unlock();
        }
    }

    MemberContext context()
    {
        return context;
    }

    /** Tells whether the coordinator answers. */
    CoordinatorWatch coordinator()
    {
        return coordinator;
    }

    /** Sends what needs no answer, and waits a little until it is sent: this process may be about to end. */
    private void tell(final Function<MessageWriter, byte[]> message)
    {
        lock.lock();
        try
        {
            checkOpen();
            outbox.add(message.apply(writer));
        }
        finally
        {
            lock.unlock();
        }
        LockSupport.unpark(thread);
        if (Thread.currentThread() != thread)
        {
            Uninterrupted.parkUntil(this::isSent, SEND_TIMEOUT_NS);
        }
    }

    boolean isSent()
    {
        lock.lock();
        try
        {
            return outbox.isEmpty() || isClosed || media.isClosed();
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Says that this member cannot go on: the coordinator tells all members, this one too. */
    void abort(final String reason)
    {
        abort(context.memberId(), reason);
    }

    /** The same, because of another member, or of none that is known. */
    void abort(final int culprit, final String reason)
    {
        tell((encoder) -> encoder.abort(culprit, reason));
        isAborting = true;
    }

    /** The same for a thread that was interrupted. */
    void abort(final BootstrapInterruptedException reason)
    {
        try
        {
            abort(reason.getMessage());
        }
        catch (final BootstrapException ex)
        {
            reason.addSuppressed(ex);
        }
    }

    /** Says that this member waits, unless what was said before has yet to be sent. */
    void reportWait(final int peer, final String call, final long waitedNs)
    {
        if (lock.tryLock())
        {
            try
            {
                if (!isClosed && outbox.isEmpty())
                {
                    outbox.add(writer.waiting(peer, call, waitedNs));
                }
            }
            finally
            {
                lock.unlock();
            }
        }
    }

    void checkOpen()
    {
        notice.check();
        if (isClosed)
        {
            throw new BootstrapException(context.name() + " has left the job: its bootstrap is closed");
        }
    }

    private void run()
    {
        try
        {
            join();
        }
        catch (final AeronException | Error ex)
        {
            joinFailure = new BootstrapException(
                context.name() + " cannot join job '" + context.jobId() + "': " + ex.getMessage(), ex);
        }
        catch (final RuntimeException ex)
        {
            joinFailure = ex;
        }
        if (joinFailure == null)
        {
            joinEnded.countDown();
            converse();
        }
        try
        {
            free();
        }
        finally
        {
            joinEnded.countDown();
        }
    }

    private void converse()
    {
        final WaitingIdleStrategy idleStrategy = new WaitingIdleStrategy();
        while (!isClosed)
        {
            final int work = pollLocked();
            try
            {
                listener.onTick();
            }
            catch (final RuntimeException | Error ex)
            {
                // A listener's mistake must not stop the heart; the thread's handler says whose it was.
                thread.getUncaughtExceptionHandler().uncaughtException(thread, ex);
            }
            if (isAskedAnew)
            {
                isAskedAnew = false;
                idleStrategy.reset();
            }
            if (isAwaited)
            {
                idleStrategy.idle(work);
            }
            else
            {
                LockSupport.parkNanos(System.nanoTime() - askedNs < LONG_REST_AFTER_NS ? SHORT_REST_NS : LONG_REST_NS);
            }
        }
    }

    private int pollLocked()
    {
        lock.lock();
        try
        {
            return poll();
        }
        catch (final RuntimeException | Error ex)
        {
            notice.raise(handshake.driverGone("failed: " + ex.getMessage()));
            return 0;
        }
        finally
        {
            lock.unlock();
        }
    }

    private int poll()
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
        return outbox.drain() + subscription.poll(frameHandler, FRAME_LIMIT);
    }

    private void sendHeartbeat()
    {
        if (outbox.isEmpty())
        {
            outbox.add(writer.heartbeat());
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
            final int payload = handshake.open(outbox, frame.sessionId(), buffer, offset, length);
            if (payload > 0)
            {
                coordinator.heard();
                inbox.onFrame(buffer, offset, payload, messageHandler);
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
                // A heartbeat: it was noticed that something came.
            }
        }
    }

    private void onReply(final ReplyDecoder decoder)
    {
        final Pending pending = requests.remove(decoder.correlationId());
        isAwaited = !requests.isEmpty();
        if (pending != null)
        {
            final byte[] value = new byte[decoder.valueLength()];
            final ReplyStatus status = decoder.status();
            decoder.getValue(value, 0, value.length);
            pending.complete(status, value);
        }
    }

    /** Leaves in good order if that is still possible, and ends the thread. Idempotent. */
    @Override
    public void close()
    {
        if (isClosed)
        {
            return;
        }
        leave();
        isClosed = true;
        LockSupport.unpark(thread);
        if (Thread.currentThread() != thread)
        {
            Uninterrupted.parkUntil(() -> !thread.isAlive(), CLOSE_TIMEOUT_NS);
        }
    }

    private void leave()
    {
        if (joinEnded.getCount() > 0 || joinFailure != null)
        {
            return;
        }
        if (notice.failure() != null)
        {
            if (isAborting)
            {
                awaitEcho();
            }
            return;
        }
        try
        {
            // For as long as the coordinator lives: one that is only busy would take this rank for failed.
            askWithin(MessageWriter::leave, NOTHING, handshake.heartbeatTimeoutNs(), COORDINATOR_PATIENCE_NS, true);
        }
        catch (final BootstrapException ex)
        {
            // The job failed meanwhile, or the coordinator is busy dying: nobody is left to be told.
        }
    }

    /** A driver of this process ends with it: first the coordinator must have heard what was said last. */
    private void awaitEcho()
    {
        Uninterrupted.parkUntil(() -> isFailureHeard || media.isClosed(), ECHO_TIMEOUT_NS);
    }
}
