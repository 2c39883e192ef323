/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.tutti.bootstrap.RankFailure;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.CollectiveTimeoutException;
import org.tutti.collectives.RankFailedException;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.WorkCompletion;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Says what went wrong, in people's words. It reads peers' control blocks by RDMA to tell what they are doing, which
 * costs nothing while all is well. The communicator is lost anyway when it is asked, so it may disturb queues.
 */
final class Diagnosis
{
    private static final long READ_TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(200);
    /** A transport error is often the first sign that a rank died; the launcher's word on it comes a little later. */
    private static final long NOTICE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final Mesh mesh;
    private final RegisteredBuffer remoteCopy;
    private final UnsafeBuffer completions =
        new UnsafeBuffer(BufferUtil.allocateDirectAligned(WorkCompletion.SIZE, 64));
    private final WorkCompletion completion = new WorkCompletion();

    Diagnosis(final Mesh mesh, final RegisteredBuffer remoteCopy)
    {
        this.mesh = mesh;
        this.remoteCopy = remoteCopy;
    }

    /** Throws when the job was told of a failed rank. */
    void throwIfFailed(final long sequence)
    {
        final RankFailure failure = mesh.bootstrap().failure();
        if (failure != null)
        {
            throw new RankFailedException(failure.rank(), where(sequence) + " failed: " + failure);
        }
    }

    /** A peer called something else. */
    CollectiveException mismatch(final long sequence, final int peer)
    {
        final ControlBlock block = read(peer);
        final CallDescription theirs = block == null ? null : block.call(sequence);
        final CallDescription ours = mesh.control().call(sequence);
        final String detail;
        if (theirs != null && ours != null && theirs.toString().equals(ours.toString()))
        {
            detail = "both called " + ours +
                ", but chose different algorithms: set TUTTI_ALGORITHM alike on all ranks";
        }
        else
        {
            detail = mesh.name(peer) + " called " + (theirs == null ? "something else" : theirs) + ", " +
                mesh.name(mesh.rank()) + " called " + ours +
                ": all ranks must make the same calls in the same order";
        }
        return new CollectiveException(peer, "ranks disagree in call #" + sequence + ": " + detail, null);
    }

    /** The deadline passed. */
    CollectiveException timeout(final long sequence, final int peer, final long timeoutNs)
    {
        final StringBuilder text = new StringBuilder(where(sequence))
            .append(String.format(Locale.ROOT, " timed out after %.1f s", timeoutNs / 1e9));
        if (peer >= 0)
        {
            text.append(" waiting for ").append(mesh.name(peer));
        }
        final StringBuilder missing = new StringBuilder();
        for (int rank = 0; rank < mesh.size(); rank++)
        {
            final ControlBlock block = rank == mesh.rank() ? mesh.control() : read(rank);
            if (block == null)
            {
                missing.append(missing.isEmpty() ? "" : "; ").append(mesh.name(rank)).append(" does not answer");
            }
            else if (block.entered() < sequence)
            {
                missing.append(missing.isEmpty() ? "" : "; ").append(mesh.name(rank))
                    .append(" has not made the call: ").append(doing(block));
            }
        }
        text.append(missing.isEmpty() ? "; all ranks have made the call" : "; ").append(missing);
        return new CollectiveTimeoutException(peer, text.toString());
    }

    /** A message to or from a peer failed. */
    CollectiveException transportFailure(final long sequence, final int peer, final WorkCompletionStatus first)
    {
        final WorkCompletionStatus status = cause(first);
        final RankFailure failure = isConsequence(status) ? awaitNotice() : null;
        if (failure != null)
        {
            return new RankFailedException(failure.rank(), where(sequence) + " failed: " + failure);
        }
        return new CollectiveException(peer, where(sequence) + " failed: " + status.text() + " (" + status +
            ") on the connection to " + mesh.name(peer) +
            (isConsequence(status) ? "; it may have ended without closing its communicator" : ""), null);
    }

    /** Receives may be flushed before the request that failed is seen: it is behind them in the queue. */
    private WorkCompletionStatus cause(final WorkCompletionStatus first)
    {
        while (first == WorkCompletionStatus.WR_FLUSH_ERR &&
            mesh.completionQueue().poll(completions.addressOffset(), 1) == 1)
        {
            final WorkCompletionStatus status = completion.wrap(completions, 0).status();
            if (status != WorkCompletionStatus.SUCCESS && status != WorkCompletionStatus.WR_FLUSH_ERR)
            {
                return status;
            }
        }
        return first;
    }

    /** Whether a status only shows that something else went wrong before, at the other end. */
    private static boolean isConsequence(final WorkCompletionStatus status)
    {
        return status == WorkCompletionStatus.WR_FLUSH_ERR || status == WorkCompletionStatus.RETRY_EXC_ERR ||
            status == WorkCompletionStatus.RNR_RETRY_EXC_ERR;
    }

    private RankFailure awaitNotice()
    {
        final long deadlineNs = System.nanoTime() + NOTICE_TIMEOUT_NS;
        while (mesh.bootstrap().failure() == null && System.nanoTime() - deadlineNs < 0)
        {
            LockSupport.parkNanos(PAUSE_NS);
        }
        return mesh.bootstrap().failure();
    }

    /** This rank and its call. */
    String where(final long sequence)
    {
        final CallDescription call = mesh.control().call(sequence);
        return mesh.name(mesh.rank()) + ": " + (call == null ? "call" : call) + " #" + sequence;
    }

    private static String doing(final ControlBlock block)
    {
        final long entered = block.entered();
        if (entered < 0)
        {
            return "it has made none";
        }
        final CallDescription call = block.call(entered);
        return (block.finished() < entered ? "it is still in " : "its last was ") +
            (call == null ? "call" : call) + " #" + entered;
    }

    /** Reads a peer's control block. Returns null when it cannot be read in time. */
    private ControlBlock read(final int peer)
    {
        final Connection connection = mesh.connections()[peer];
        try
        {
            if (!connection.canPost())
            {
                return null;
            }
            connection.readControl(remoteCopy.address(), remoteCopy.lkey(), remoteCopy.buffer().capacity());
            final long ordinal = connection.posted();
            final long deadlineNs = System.nanoTime() + READ_TIMEOUT_NS;
            while (System.nanoTime() - deadlineNs < 0)
            {
                if (mesh.completionQueue().poll(completions.addressOffset(), 1) != 1)
                {
                    LockSupport.parkNanos(PAUSE_NS);
                    continue;
                }
                completion.wrap(completions, 0);
                final long wrId = completion.wrId();
                if (Connection.isSend(wrId) && Connection.peerOf(wrId) == peer)
                {
                    if (!completion.isSuccess())
                    {
                        return null;
                    }
                    connection.onSendCompletion(wrId);
                    if (connection.isDone(ordinal))
                    {
                        return new ControlBlock(remoteCopy.buffer());
                    }
                }
            }
            return null;
        }
        catch (final RdmaException queuePairInError)
        {
            // The queue pair is in error: that the peer does not answer is what there is to say.
            return null;
        }
    }
}
