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
import org.tutti.collectives.progress.CommunicatorLock;
import org.tutti.collectives.util.Backoff;
import org.tutti.collectives.util.ResourceScope;
import org.tutti.collectives.wireup.Team;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.ScatterGatherEntry;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.SendWorkRequest;
import org.tutti.rdma.WorkCompletion;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The way to another rank's memory: a queue pair of its own, connected when it is first used, and work requests that
 * are written once and changed in place. A write and its signal are posted as one chain. One request in a quarter of
 * the send queue is signaled, and the last one of what somebody waits for; a completion ends all before it.
 * <p>
 * Requests complete in the order in which they were posted (InfiniBand Architecture Specification, volume 1, on
 * transaction ordering). They take effect in another one: a write may be in the other rank's memory before a read that
 * was posted before it has its answer, so a signal behind a read is fenced.
 * <p>
 * Thread-safe: whoever posts or polls has the turn for that moment, and nobody waits with it but for room in the queue.
 */
final class RmaEndpoint implements WindowPath
{
    /** A quarter of a queue is signaled at once. */
    private static final int BATCHES = 4;
    private static final int COMPLETION_BATCH = 16;
    /** How often somebody tries to get the turn before looking what keeps it. */
    private static final int TURN_PATIENCE = 256;
    /** Whoever posts a longer message keeps others from the path for too long. */
    private static final long MAX_PIECE = 1L << 30;

    private final LocalWindow end;
    private final int rank;
    private final NetDevice rail;
    private final WindowDescriptor offer;
    private final WindowDescriptor.Keys rkeys;
    private final CommunicatorLock turn = new CommunicatorLock();
    private final ReentrantLock connecting = new ReentrantLock();
    private final UnsafeBuffer memory = new UnsafeBuffer(BufferUtil.allocateDirectAligned(
        2 * (SendWorkRequest.SIZE + ScatterGatherEntry.SIZE) + COMPLETION_BATCH * WorkCompletion.SIZE, 64));
    private final SendWorkRequest data = new SendWorkRequest().wrap(memory, 0).clear();
    private final SendWorkRequest word = new SendWorkRequest().wrap(memory, SendWorkRequest.SIZE).clear();
    private final ScatterGatherEntry dataEntry = new ScatterGatherEntry().wrap(memory, 2 * SendWorkRequest.SIZE);
    private final ScatterGatherEntry wordEntry =
        new ScatterGatherEntry().wrap(memory, 2 * SendWorkRequest.SIZE + ScatterGatherEntry.SIZE);
    private final int completionOffset = 2 * (SendWorkRequest.SIZE + ScatterGatherEntry.SIZE);
    private final WorkCompletion completion = new WorkCompletion();
    private final ResourceScope parts = new ResourceScope();
    /** How often each signal was sent. */
    private final long[] sent;
    private final int depth;
    private final int maxInline;
    private final long maxPiece;
    private CompletionQueue completions;
    private QueuePair qp;
    /** The words that signals are written from, by slot of the send queue. */
    private RegisteredBuffer words;
    private UnsafeBuffer wordSlots;
    private WindowRequest first;
    private WindowRequest last;
    private long posted;
    private long signaledUpTo;
    private long lastRead;
    private volatile long completed;
    private volatile boolean isConnected;
    /** When the caller who has the turn began to wait, or 0. */
    private long waitStartNs;

    RmaEndpoint(final LocalWindow end, final int rank)
    {
        this.end = end;
        this.rank = rank;
        rail = end.team().rail(rank);
        offer = end.offer(rank);
        rkeys = offer.keys(rail.port().transport());
        sent = new long[end.signals().count()];
        depth = QueueSizes.of(2, rail.port().limits(), rail.toString()).send();
        maxInline = end.team().maxInline();
        final long maxMessage = rail.port().port().attributes().maxMessageSize;
        maxPiece = maxMessage > 0 ? Math.min(MAX_PIECE, maxMessage) : MAX_PIECE;
    }

    @Override
    public void write(
        final long from, final int lkey, final long length, final long offset, final int signal,
        final WindowRequest request, final long timeoutNs)
    {
        start(SendOpcode.RDMA_WRITE, from, lkey, length, offset, signal, request, timeoutNs);
    }

    @Override
    public void read(
        final long to, final int lkey, final long length, final long offset, final WindowRequest request,
        final long timeoutNs)
    {
        start(SendOpcode.RDMA_READ, to, lkey, length, offset, NO_SIGNAL, request, timeoutNs);
    }

    @SuppressWarnings("checkstyle:ParameterNumber")
    private void start(
        final int opcode, final long local, final int lkey, final long length, final long offset, final int signal,
        final WindowRequest request, final long timeoutNs)
    {
        long startNs = takeTurn(isConnected ? 0 : connect(timeoutNs), timeoutNs);
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
            turn.give();
        }
        if (request == null)
        {
            await(ordinal, startNs, timeoutNs);
        }
    }

    private void takeTurn()
    {
        for (int attempt = 0; !turn.takeToWait(); attempt++)
        {
            Backoff.FOR_THREADS.pause(attempt);
        }
    }

    /** The same for somebody who may wait so long. When the wait began, or 0. */
    private long takeTurn(final long callStartNs, final long timeoutNs)
    {
        long startNs = callStartNs;
        for (int attempt = 0; !turn.takeToWait(); attempt++)
        {
            if (attempt >= TURN_PATIENCE)
            {
                startNs = end.look(0, startNs, timeoutNs, rank);
            }
            Backoff.FOR_THREADS.pause(attempt);
        }
        return startNs;
    }

    /** Posts it in pieces that the device takes. The ordinal of the last request. */
    @SuppressWarnings("checkstyle:ParameterNumber")
    private long post(
        final int opcode, final long local, final int lkey, final long length, final long offset, final int signal,
        final boolean isAwaited, final long timeoutNs)
    {
        data.opcode(opcode);
        long done = 0;
        while (done < length)
        {
            final long piece = Math.min(maxPiece, length - done);
            final boolean isLast = done + piece == length;
            final boolean hasWord = isLast && signal != NO_SIGNAL;
            awaitRoom(timeoutNs);
            dataEntry.set(local + done, (int)piece, lkey);
            data.sgList(dataEntryAddress(), 1).rdma(offer.address() + offset + done, rkeys.memory());
            final boolean isInline = opcode == SendOpcode.RDMA_WRITE && piece <= maxInline;
            number(data, isLast && isAwaited && !hasWord, isInline ? SendFlags.INLINE : 0);
            lastRead = opcode == SendOpcode.RDMA_READ ? posted : lastRead;
            if (hasWord)
            {
                prepareWord(signal, isAwaited);
            }
            post(data.next(hasWord ? word.nativeAddress() : 0));
            done += piece;
        }
        if (length == 0 && signal != NO_SIGNAL)
        {
            awaitRoom(timeoutNs);
            prepareWord(signal, isAwaited);
            post(word);
        }
        return length == 0 && signal == NO_SIGNAL ? 0 : posted;
    }

    /** Writes how often this rank has signalled, after all writes before, and after all reads before have answers. */
    private void prepareWord(final int signal, final boolean isAwaited)
    {
        // Nothing reads a slot any more when there is room in the queue for the request that writes it.
        final int slot = (int)((posted + 1) % depth) * Long.BYTES;
        wordSlots.putLong(slot, ++sent[signal]);
        wordEntry.set(words.address() + slot, Long.BYTES, words.lkey(rail.index()));
        word.sgList(wordEntryAddress(), 1).rdma(
            offer.signalAddress() + Signals.offset(end.rank(), signal, sent.length), rkeys.signals());
        number(word, isAwaited,
            (Long.BYTES <= maxInline ? SendFlags.INLINE : 0) | (lastRead > completed ? SendFlags.FENCE : 0));
        word.next(0);
    }

    private void number(final SendWorkRequest request, final boolean mustSignal, final int flags)
    {
        posted++;
        final boolean isSignaled = mustSignal || posted - signaledUpTo >= depth / BATCHES;
        request.wrId(posted).sendFlags(isSignaled ? flags | SendFlags.SIGNALED : flags);
        signaledUpTo = isSignaled ? posted : signaledUpTo;
    }

    private void post(final SendWorkRequest chain)
    {
        final int errno = qp.postSend(chain.nativeAddress());
        if (errno != 0)
        {
            throw end.fail(end.errors().refused(rank, qp, errno));
        }
    }

    private long dataEntryAddress()
    {
        return memory.addressOffset() + 2L * SendWorkRequest.SIZE;
    }

    private long wordEntryAddress()
    {
        return dataEntryAddress() + ScatterGatherEntry.SIZE;
    }

    /** Until a write and its signal fit into the queue. */
    private void awaitRoom(final long timeoutNs)
    {
        for (int attempt = 0; posted - completed > depth - 2; attempt++)
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

    /** With the turn. */
    private int poll()
    {
        final int polled = completions.poll(memory.addressOffset() + completionOffset, COMPLETION_BATCH);
        if (polled < 0)
        {
            throw end.fail(end.errors().overrun(rank));
        }
        for (int i = 0; i < polled; i++)
        {
            completion.wrap(memory, completionOffset + i * WorkCompletion.SIZE);
            if (!completion.isSuccess())
            {
                throw end.fail(end.errors().transport(rank, qp, completion));
            }
            completed = completion.wrId();
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

    /** With the turn: if no completion comes for what was posted last, one comes for a write of nothing. */
    private void seal(final long timeoutNs)
    {
        if (signaledUpTo < posted)
        {
            awaitRoom(timeoutNs);
            data.opcode(SendOpcode.RDMA_WRITE).sgList(0, 0).rdma(offer.signalAddress(), rkeys.signals());
            // Not fenced: requests complete in the order of their posting, reads too.
            number(data, true, 0);
            post(data.next(0));
        }
    }

    @Override
    public void advance()
    {
        if (isConnected && turn.takeToWait())
        {
            try
            {
                if (!end.isFreed() && posted - completed <= depth - 2)
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
                turn.give();
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
        final long turnNs = takeTurn(startNs, timeoutNs);
        final long ordinal;
        try
        {
            ordinal = posted;
        }
        finally
        {
            turn.give();
        }
        return await(ordinal, turnNs, timeoutNs);
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
        if (!turn.takeToWait())
        {
            return 0;
        }
        try
        {
            if (end.isFreed() || completed >= ordinal)
            {
                return 0;
            }
            if (signaledUpTo < ordinal)
            {
                waitStartNs = startNs;
                seal(timeoutNs);
            }
            return poll();
        }
        finally
        {
            turn.give();
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
        completions = parts.add(rail.port().context().createCompletionQueue(depth, null));
        qp = parts.add(end.createQueuePair(rail, completions, depth, maxInline));
        word.opcode(SendOpcode.RDMA_WRITE);
        final WindowAcceptor door = end.door();
        end.requireOpen();
        door.ask(rank, qp);
        try
        {
            for (int attempt = 0; !door.takeAnswer(rank, qp); attempt++)
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
                door.withdraw(rank);
            }
        }
    }

    /** Whoever does looks all the time whether the window is open. */
    @Override
    public void endConnecting(final long timeoutNs)
    {
        final long startNs = System.nanoTime();
        for (int attempt = 0; connecting.isLocked() && System.nanoTime() - startNs < timeoutNs; attempt++)
        {
            WindowAcceptor.pause(attempt);
        }
    }

    /** Of what is under way, nothing gets done any more. */
    @Override
    public void close()
    {
        connecting.lock();
        try
        {
            takeTurn();
            free();
        }
        finally
        {
            turn.give();
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
