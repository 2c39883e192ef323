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
 * Reads and writes another rank's memory with a {@link QueuePairSender} on its own queue pair, which is connected on
 * first use. A write and its signal are posted as one chain. The last request that a caller waits for is signaled.
 * <p>
 * Requests complete in the order in which they were posted (InfiniBand Architecture Specification, volume 1, on
 * transaction ordering). They may take effect in another order: a write may reach the other rank's memory before an
 * earlier read has returned, so a signal behind a read is fenced.
 * <p>
 * Thread-safe: posting and polling take the path lock, which is never held while blocking, except for send-queue space.
 */
final class RmaEndpoint implements WindowPath
{
    private static final int COMPLETION_BATCH = 16;
    /** The number of attempts to take the lock before a thread starts to check for failures. */
    private static final int LOCK_ATTEMPTS = 256;
    /** Maximum length of a request in bytes: limits how long posting it holds the path lock. */
    private static final long MAX_REQUEST = 1L << 30;
    /** The number of requests for a write and its signal. */
    private static final int MAX_CHAIN = 2;

    private final LocalWindow window;
    private final int rank;
    private final NetDevice device;
    private final WindowDescriptor descriptor;
    private final WindowDescriptor.Keys rkeys;
    private final CommunicatorLock lock = new CommunicatorLock();
    private final ReentrantLock connecting = new ReentrantLock();
    private final UnsafeBuffer completionEntries = new UnsafeBuffer(
        BufferUtil.allocateDirectAligned(COMPLETION_BATCH * WorkCompletion.SIZE, 64));
    private final WorkCompletion completion = new WorkCompletion();
    private final ResourceScope resources = new ResourceScope();
    /** The number of times that each signal was sent. */
    private final long[] sent;
    private final int depth;
    private final int maxInline;
    private final long maxRequest;
    private CompletionQueue completions;
    private QueuePair qp;
    private QueuePairSender sender;
    /** The sources of signal writes, by slot of the send queue. */
    private RegisteredBuffer words;
    private UnsafeBuffer wordSlots;
    private WindowRequest first;
    private WindowRequest last;
    private long lastRead;
    /** The sender's completed ordinal, for threads without the lock. */
    private volatile long completed;
    private volatile boolean isConnected;
    /** Start of the wait of the thread that holds the lock, or 0. */
    private long waitStartNs;

    RmaEndpoint(final LocalWindow window, final int rank)
    {
        this.window = window;
        this.rank = rank;
        device = window.team().device(rank);
        descriptor = window.descriptor(rank);
        rkeys = descriptor.keys(device.port().transport());
        sent = new long[window.signals().count()];
        depth = QueueSizes.of(2, device.port().limits(), device.toString()).send();
        maxInline = window.team().maxInline();
        final long maxMessage = device.port().port().attributes().maxMessageSize;
        maxRequest = maxMessage > 0 ? Math.min(MAX_REQUEST, maxMessage) : MAX_REQUEST;
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
            window.requireOpen();
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

    /** As {@link #takeLock()}, with a deadline. Returns the start of the wait, or 0. */
    private long takeLock(final long callStartNs, final long timeoutNs)
    {
        long startNs = callStartNs;
        for (int attempt = 0; !lock.takeToWait(); attempt++)
        {
            if (attempt >= LOCK_ATTEMPTS)
            {
                startNs = window.look(0, startNs, timeoutNs, rank);
            }
            Backoff.FOR_THREADS.pause(attempt);
        }
        return startNs;
    }

    /** Posts the operation as requests of lengths that the device supports. Returns the ordinal of the last request. */
    private long post(
        final int opcode, final long local, final int lkey, final long length, final long offset, final int signal,
        final boolean isAwaited, final long timeoutNs)
    {
        if (length == 0 && signal == NO_SIGNAL)
        {
            return 0;
        }
        awaitSlots(timeoutNs);
        long done = 0;
        while (done < length)
        {
            final int requestLength = (int)Math.min(maxRequest, length - done);
            final boolean isLast = done + requestLength == length;
            final long remote = descriptor.address() + offset + done;
            final int flags = isLast && isAwaited && signal == NO_SIGNAL ? SendFlags.SIGNALED : 0;
            if (opcode == SendOpcode.RDMA_READ)
            {
                sender.get(local + done, lkey, requestLength, remote, rkeys.memory(), flags);
                lastRead = sender.posted();
            }
            else
            {
                sender.put(local + done, lkey, requestLength, remote, rkeys.memory(), flags);
            }
            done += requestLength;
            if (!isLast)
            {
                flush();
                awaitSlots(timeoutNs);
            }
        }
        if (signal != NO_SIGNAL)
        {
            putSignal(signal, isAwaited);
        }
        flush();
        return sender.posted();
    }

    /**
     * Sends a signal: writes the number of such signals sent so far, ordered after all earlier writes and after the
     * completion of all earlier reads.
     */
    private void putSignal(final int signal, final boolean isAwaited)
    {
        // The slot is free, as the send queue has room for the request that uses it.
        final int slot = (int)((sender.posted() + 1) % depth) * Long.BYTES;
        wordSlots.putLong(slot, ++sent[signal]);
        sender.put(words.address() + slot, words.lkey(device.index()), Long.BYTES,
            descriptor.signalAddress() + Signals.offset(window.rank(), signal, sent.length), rkeys.signals(),
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
            throw window.fail(window.errors().refused(rank, qp, refused.errno()));
        }
        catch (final InternalError fault)
        {
            throw window.fail(window.errors().memoryFault(rank, fault));
        }
    }

    /** Waits until a write and its signal fit into the send queue. */
    private void awaitSlots(final long timeoutNs)
    {
        for (int attempt = 0; !sender.canPost(MAX_CHAIN); attempt++)
        {
            if (poll() == 0)
            {
                waitStartNs = window.look(attempt, waitStartNs, timeoutNs, rank);
                window.pause(attempt);
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

    private int takeCompletions()
    {
        try
        {
            return completions.poll(completionEntries.addressOffset(), COMPLETION_BATCH);
        }
        catch (final InternalError fault)
        {
            throw window.fail(window.errors().memoryFault(rank, fault));
        }
    }

    /** Polls completions. The caller holds the lock. */
    private int poll()
    {
        final int polled = takeCompletions();
        if (polled < 0)
        {
            throw window.fail(window.errors().overrun(rank));
        }
        for (int i = 0; i < polled; i++)
        {
            completion.wrap(completionEntries, i * WorkCompletion.SIZE);
            if (!completion.isSuccess())
            {
                throw window.fail(window.errors().transport(rank, qp, completion));
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

    /** Posts an empty signaled write if the last request is not signaled. The caller holds the lock. */
    private void seal(final long timeoutNs)
    {
        if (!sender.isSignaled(sender.posted()))
        {
            awaitSlots(timeoutNs);
            // No fence needed: requests, including reads, complete in posting order.
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
                if (!window.isFreed() && sender.canPost(MAX_CHAIN))
                {
                    seal(0);
                }
                if (!window.isFreed())
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
                startNs = window.look(attempt, startNs, timeoutNs, rank);
                window.pause(attempt);
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
            if (window.isFreed() || completed >= ordinal)
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
     * Requests a queue pair from the other rank's {@link WindowAcceptor} and connects to it, unless another thread has
     * done so.
     *
     * @return start of the call by {@link System#nanoTime()}.
     */
    private long connect(final long timeoutNs)
    {
        long startNs = System.nanoTime();
        for (int attempt = 0; !connecting.tryLock(); attempt++)
        {
            startNs = window.look(0, startNs, timeoutNs, rank);
            WindowAcceptor.pause(attempt);
        }
        try
        {
            if (!isConnected)
            {
                window.requireOpen();
                connect(startNs, timeoutNs);
            }
            return startNs;
        }
        catch (final RdmaException | BootstrapException e)
        {
            throw window.failConnect(rank, e);
        }
        finally
        {
            connecting.unlock();
        }
    }

    private void connect(final long startNs, final long timeoutNs)
    {
        final Team team = window.team();
        words = resources.add(team.pool().allocate((long)depth * Long.BYTES));
        wordSlots = words.buffer();
        completions = resources.add(device.port().context().createCompletionQueue(depth, null));
        qp = resources.add(device.createMemoryQueuePair(completions, depth, 1, maxInline));
        sender = new QueuePairSender(rank, qp, depth, maxInline);
        final WindowAcceptor acceptor = window.acceptor();
        window.requireOpen();
        acceptor.ask(rank, qp);
        try
        {
            for (int attempt = 0; !acceptor.takeReply(rank, qp); attempt++)
            {
                window.requireOpen();
                window.look(0, startNs, timeoutNs, rank);
                WindowAcceptor.pause(attempt);
            }
            isConnected = true;
        }
        finally
        {
            if (!isConnected && window.failure() == null)
            {
                acceptor.withdraw(rank);
            }
        }
    }

    /**
     * Waits by polling: a connecting thread stops by itself, because it repeatedly checks whether the window is open.
     */
    @Override
    public void endConnecting(final long timeoutNs)
    {
        final long startNs = System.nanoTime();
        for (int attempt = 0; connecting.isLocked() && System.nanoTime() - startNs < timeoutNs; attempt++)
        {
            WindowAcceptor.pause(attempt);
        }
    }

    /** Abandons requests in flight. */
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
        resources.close(problems);
        window.addProblems(problems);
    }
}
