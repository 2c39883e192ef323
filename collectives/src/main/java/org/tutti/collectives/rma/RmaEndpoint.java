/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.rma;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.collectives.device.NetDevice;
import org.tutti.collectives.device.QueueSizes;
import org.tutti.collectives.endpoint.QueuePairSender;
import org.tutti.collectives.progress.CommunicatorLock;
import org.tutti.collectives.util.Backoff;
import org.tutti.collectives.util.ResourceScope;
import org.tutti.collectives.wireup.Team;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.WorkCompletion;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Reads and writes another rank's memory by a {@link QueuePairSender} on a queue pair of its own, connected when it is
 * first used. A write and its signal are posted as one chain. The last request that a caller waits for is signaled.
 * <p>
 * Requests complete in the order in which they were posted (InfiniBand Architecture Specification, volume 1, on
 * transaction ordering). They take effect in another one: a write may be in the other rank's memory before a read that
 * was posted before it has its answer, so a signal behind a read is fenced.
 * <p>
 * Thread-safe: posting and polling take the path lock, which is never held while blocking, except for send-queue space.
 */
final class RmaEndpoint implements WindowPath
{
    private static final int COMPLETION_BATCH = 16;
    /** How often a thread tries to take the lock before it looks whether to wait makes sense. */
    private static final int LOCK_PATIENCE = 256;
    /** Posting a longer message keeps other threads from the path for too long. */
    private static final long MAX_PIECE = 1L << 30;
    /** A write and its signal. */
    private static final int MAX_CHAIN = 2;

    private final LocalWindow end;
    private final int rank;
    private final NetDevice device;
    private final WindowDescriptor descriptor;
    private final WindowDescriptor.Keys rkeys;
    private final CommunicatorLock lock = new CommunicatorLock();
    private final ReentrantLock connecting = new ReentrantLock();
    private final UnsafeBuffer completionEntries = new UnsafeBuffer(
        BufferUtil.allocateDirectAligned(COMPLETION_BATCH * WorkCompletion.SIZE, 64));
    private final WorkCompletion completion = new WorkCompletion();
    private final ResourceScope parts = new ResourceScope();
    /** How often each signal was sent. */
    private final long[] sent;
    private final int depth;
    private final int maxInline;
    private final long maxPiece;
    private CompletionQueue completions;
    private QueuePair qp;
    private QueuePairSender sender;
    /** The words that signals are written from, by slot of the send queue. */
    private RegisteredBuffer words;
    private UnsafeBuffer wordSlots;
    private WindowRequest first;
    private WindowRequest last;
    private long lastRead;
    /** As the sender's, for threads without the lock. */
    private volatile long completed;
    private volatile boolean isConnected;
    /** When the caller that has the lock began to wait, or 0. */
    private long waitStartNs;

    RmaEndpoint(final LocalWindow end, final int rank)
    {
        this.end = end;
        this.rank = rank;
        device = end.team().device(rank);
        descriptor = end.descriptor(rank);
        rkeys = descriptor.keys(device.port().transport());
        sent = new long[end.signals().count()];
        depth = QueueSizes.of(2, device.port().limits(), device.toString()).send();
        maxInline = end.team().maxInline();
        final long maxMessage = device.port().port().attributes().maxMessageSize;
        maxPiece = maxMessage > 0 ? Math.min(MAX_PIECE, maxMessage) : MAX_PIECE;
    }

    @Override
    public void start(
        final int opcode, final long local, final int lkey, final long length, final long offset, final int signal,
        final WindowRequest request, final long timeoutNs)
    {
        long startNs = takeLock(isConnected ? 0 : connect(timeoutNs), timeoutNs);
        final long ordinal;
        try
        {
            end.requireOpen();
            waitStartNs = startNs;
            ordinal = post(opcode, local, lkey, length, offset, signal, request == null, timeoutNs);
            if (request != null)
            {
                add(request, ordinal);
            }
            startNs = waitStartNs;
        }
        finally
        {
            lock.give();
        }
        if (request == null)
        {
            await(ordinal, startNs, timeoutNs);
        }
    }

    private void takeLock()
    {
        for (int attempt = 0; !lock.takeToWait(); attempt++)
        {
            Backoff.FOR_THREADS.pause(attempt);
        }
    }

    /** As {@link #takeLock()}, with a deadline. When the wait began, or 0. */
    private long takeLock(final long callStartNs, final long timeoutNs)
    {
        long startNs = callStartNs;
        for (int attempt = 0; !lock.takeToWait(); attempt++)
        {
            if (attempt >= LOCK_PATIENCE)
            {
                startNs = end.look(0, startNs, timeoutNs, rank);
            }
            Backoff.FOR_THREADS.pause(attempt);
        }
        return startNs;
    }

    /** Posts it in pieces that the device takes. The ordinal of the last request. */
    private long post(
        final int opcode, final long local, final int lkey, final long length, final long offset, final int signal,
        final boolean isAwaited, final long timeoutNs)
    {
        if (length == 0 && signal == NO_SIGNAL)
        {
            return 0;
        }
        awaitRoom(timeoutNs);
        long done = 0;
        while (done < length)
        {
            final int piece = (int)Math.min(maxPiece, length - done);
            final boolean isLast = done + piece == length;
            final long remote = descriptor.address() + offset + done;
            final int flags = isLast && isAwaited && signal == NO_SIGNAL ? SendFlags.SIGNALED : 0;
            if (opcode == SendOpcode.RDMA_READ)
            {
                sender.get(local + done, lkey, piece, remote, rkeys.memory(), flags);
                lastRead = sender.posted();
            }
            else
            {
                sender.put(local + done, lkey, piece, remote, rkeys.memory(), flags);
            }
            done += piece;
            if (!isLast)
            {
                flush();
                awaitRoom(timeoutNs);
            }
        }
        if (signal != NO_SIGNAL)
        {
            putSignal(signal, isAwaited);
        }
        flush();
        return sender.posted();
    }

    /** Writes how often this rank has signalled, after all writes before, and after all reads before have completed. */
    private void putSignal(final int signal, final boolean isAwaited)
    {
        // Nothing reads a slot any more when there is room in the queue for the request that writes it.
        final int slot = (int)((sender.posted() + 1) % depth) * Long.BYTES;
        wordSlots.putLong(slot, ++sent[signal]);
        sender.put(words.address() + slot, words.lkey(device.index()), Long.BYTES,
            descriptor.signalAddress() + Signals.offset(end.rank(), signal, sent.length), rkeys.signals(),
            (isAwaited ? SendFlags.SIGNALED : 0) | (lastRead > completed ? SendFlags.FENCE : 0));
    }

    private void flush()
    {
        try
        {
            sender.flush();
        }
        catch (final RdmaException refused)
        {
            throw end.fail(end.errors().refused(rank, qp, refused.errno()));
        }
    }

    /** Until a write and its signal fit into the queue. */
    private void awaitRoom(final long timeoutNs)
    {
        for (int attempt = 0; !sender.canPost(MAX_CHAIN); attempt++)
        {
            if (poll() == 0)
            {
                waitStartNs = end.look(attempt, waitStartNs, timeoutNs, rank);
                end.pause(attempt);
            }
        }
    }

    private void add(final WindowRequest request, final long ordinal)
    {
        if (ordinal <= completed)
        {
            request.end();
            return;
        }
        request.posted(ordinal);
        if (first == null)
        {
            first = request;
        }
        else
        {
            last.next = request;
        }
        last = request;
    }

    /** With the lock. */
    private int poll()
    {
        final int polled = completions.poll(completionEntries.addressOffset(), COMPLETION_BATCH);
        if (polled < 0)
        {
            throw end.fail(end.errors().overrun(rank));
        }
        for (int i = 0; i < polled; i++)
        {
            completion.wrap(completionEntries, i * WorkCompletion.SIZE);
            if (!completion.isSuccess())
            {
                throw end.fail(end.errors().transport(rank, qp, completion));
            }
            sender.onCompletion(completion.wrId());
            completed = sender.completed();
        }
        while (first != null && first.ordinal() <= completed)
        {
            final WindowRequest request = first;
            first = request.next;
            request.next = null;
            request.end();
        }
        return polled;
    }

    /** With the lock: if no completion comes for what was posted last, one comes for a write of nothing. */
    private void seal(final long timeoutNs)
    {
        if (!sender.isSignaled(sender.posted()))
        {
            awaitRoom(timeoutNs);
            // Not fenced: requests complete in the order of their posting, reads too.
            sender.put(0, 0, 0, descriptor.signalAddress(), rkeys.signals(), SendFlags.SIGNALED);
            flush();
        }
    }

    @Override
    public void advance()
    {
        if (isConnected && lock.takeToWait())
        {
            try
            {
                if (!end.isFreed() && sender.canPost(MAX_CHAIN))
                {
                    seal(0);
                }
                if (!end.isFreed())
                {
                    poll();
                }
            }
            finally
            {
                lock.give();
            }
        }
    }

    @Override
    public long flush(final long startNs, final long timeoutNs)
    {
        if (!isConnected)
        {
            return startNs;
        }
        final long waitNs = takeLock(startNs, timeoutNs);
        final long ordinal;
        try
        {
            ordinal = sender.posted();
        }
        finally
        {
            lock.give();
        }
        return await(ordinal, waitNs, timeoutNs);
    }

    @Override
    public void await(final WindowRequest request, final long timeoutNs)
    {
        await(request.ordinal(), 0, timeoutNs);
    }

    private long await(final long ordinal, final long callStartNs, final long timeoutNs)
    {
        long startNs = callStartNs;
        for (int attempt = 0; completed < ordinal; attempt++)
        {
            if (tryAdvance(ordinal, startNs, timeoutNs) == 0 && completed < ordinal)
            {
                startNs = end.look(attempt, startNs, timeoutNs, rank);
                end.pause(attempt);
            }
        }
        return startNs;
    }

    private int tryAdvance(final long ordinal, final long startNs, final long timeoutNs)
    {
        if (!lock.takeToWait())
        {
            return 0;
        }
        try
        {
            if (end.isFreed() || completed >= ordinal)
            {
                return 0;
            }
            if (!sender.isSignaled(ordinal))
            {
                waitStartNs = startNs;
                seal(timeoutNs);
            }
            return poll();
        }
        finally
        {
            lock.give();
        }
    }

    /**
     * Asks the other rank's {@link WindowAcceptor} for a queue pair, and connects with it, unless another thread does.
     *
     * @return when the call began.
     */
    private long connect(final long timeoutNs)
    {
        long startNs = System.nanoTime();
        for (int attempt = 0; !connecting.tryLock(); attempt++)
        {
            startNs = end.look(0, startNs, timeoutNs, rank);
            WindowAcceptor.pause(attempt);
        }
        try
        {
            if (!isConnected)
            {
                end.requireOpen();
                connect(startNs, timeoutNs);
            }
            return startNs;
        }
        catch (final RdmaException | BootstrapException e)
        {
            throw end.failConnect(rank, e);
        }
        finally
        {
            connecting.unlock();
        }
    }

    private void connect(final long startNs, final long timeoutNs)
    {
        final Team team = end.team();
        words = parts.add(team.pool().allocate((long)depth * Long.BYTES));
        wordSlots = words.buffer();
        completions = parts.add(device.port().context().createCompletionQueue(depth, null));
        qp = parts.add(device.createQueuePair(completions, depth, 1, maxInline));
        sender = new QueuePairSender(rank, qp, depth, maxInline);
        final WindowAcceptor acceptor = end.acceptor();
        end.requireOpen();
        acceptor.ask(rank, qp);
        try
        {
            for (int attempt = 0; !acceptor.takeReply(rank, qp); attempt++)
            {
                end.requireOpen();
                end.look(0, startNs, timeoutNs, rank);
                WindowAcceptor.pause(attempt);
            }
            isConnected = true;
        }
        finally
        {
            if (!isConnected && end.failure() == null)
            {
                acceptor.withdraw(rank);
            }
        }
    }

    /** A thread that connects looks all the time whether the window is open. */
    @Override
    public void endConnecting(final long timeoutNs)
    {
        final long startNs = System.nanoTime();
        for (int attempt = 0; connecting.isLocked() && System.nanoTime() - startNs < timeoutNs; attempt++)
        {
            WindowAcceptor.pause(attempt);
        }
    }

    /** Requests that are under way do not complete any more. */
    @Override
    public void close()
    {
        connecting.lock();
        try
        {
            takeLock();
            free();
        }
        finally
        {
            lock.give();
            connecting.unlock();
        }
    }

    private void free()
    {
        for (WindowRequest request = first; request != null; request = request.next)
        {
            request.abandon();
        }
        first = null;
        final List<Exception> problems = new ArrayList<>();
        parts.close(problems);
        end.addProblems(problems);
    }
}
