/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

import org.tutti.collectives.DataType;
import org.tutti.collectives.MessageStatus;
import org.tutti.collectives.PointToPoint;
import org.tutti.collectives.exec.StagingBuffer;
import org.tutti.collectives.util.Failures;
import org.tutti.collectives.util.Memory;
import org.tutti.collectives.wireup.PooledDataBuffer;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A send or a receive: its arguments, its progress, and the result of a receive. Used again after it is done. Used with
 * the lock of the communicator's messages held, except {@link #isDone}.
 * <p>
 * References are stored only if they change: a store has a write barrier of the garbage collector, which takes longer
 * than the comparison.
 */
@SuppressWarnings("ReferenceEquality")
final class MessageOperation extends PostedReceive
{
    /** What an operation waits for. */
    enum Stage
    {
        /** Not begun, or done. */
        NONE,
        /** A send that has sent nothing. */
        SEND_QUEUED,
        /** A send whose data the receiver has not requested yet. */
        OFFERED,
        /** A send that writes a range that the receiver has requested. */
        WRITING,
        /** A receive that no message has matched. */
        POSTED,
        /** A receive that has to request a range. */
        REQUEST_QUEUED,
        /** A receive of a range that it has requested. */
        REQUESTED,
        /** A receive that has copied the data and has to report it to the sender. */
        REPORT_QUEUED
    }

    private static final VarHandle DONE;

    /** Told when an operation ends. */
    interface Listener
    {
        /** Called with the lock held; {@code cause} is null if the operation is complete. */
        void finished(RuntimeException cause);
    }

    static
    {
        try
        {
            DONE = MethodHandles.lookup().findVarHandle(MessageOperation.class, "isDone", boolean.class);
        }
        catch (final ReflectiveOperationException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    // Arguments.
    boolean isSend;
    DataType type;
    long count;
    /** Registered memory, or null. */
    RegisteredBuffer memory;
    /** Memory that is not registered, or null; the elements begin at the offset, in bytes. */
    MemorySegment segment;
    long segmentOffset;
    /** The request of this operation, or null. */
    Listener request;

    // Progress.
    Stage stage = Stage.NONE;
    long sequence;
    int id = -1;
    /** Next operation in a queue, or in the pool. */
    MessageOperation next;
    /** Length of the message in bytes, and of the part that is complete. */
    long length;
    long complete;
    /** The matched message of a receive, or the memory that the receiver of a send has requested data for. */
    int remoteId;
    int remoteRkey;
    long remoteAddress;
    /** Maximum length of a range in bytes. */
    long maxRange;
    /** Length of the range in transfer in bytes. */
    long range;
    /** Ordinal of the write of that range, or 0 if it is not posted. */
    long ordinal;
    /** Registered memory for the range, if the operation's own memory is not registered; else null. */
    StagingBuffer staging;

    /** Whether the thread of a probe has to look for a message, or for peers that have closed. */
    volatile boolean mustLook;

    // Result.
    int matchedSource;
    int matchedTag;
    private RuntimeException failure;
    private volatile boolean isDone = true;
    private int peer;
    private int tag;

    /** Sets the arguments of a send or receive of a buffer. */
    MessageOperation of(
        final boolean sends, final int rank, final int messageTag, final PooledDataBuffer buffer)
    {
        if (buffer.isStaged())
        {
            return of(sends, rank, messageTag, buffer.segment(), buffer.count(), buffer.type());
        }
        final RegisteredBuffer registered = buffer.memory();
        set(sends, rank, messageTag, buffer.type(), buffer.count());
        if (memory != registered)
        {
            memory = registered;
        }
        if (segment != null)
        {
            segment = null;
        }
        return this;
    }

    /** Sets the arguments of a send or receive of memory that is not registered. */
    MessageOperation of(
        final boolean sends, final int rank, final int messageTag, final MemorySegment unregistered,
        final long elements, final DataType elementType)
    {
        set(sends, rank, messageTag, elementType, elements);
        memory = null;
        // Another thread may make progress while the owner of confined memory waits, so it is accessed by address.
        final boolean isConfined = Memory.isConfined(unregistered);
        segment = isConfined ? Memory.ALL : unregistered;
        segmentOffset = isConfined ? unregistered.address() : 0;
        return this;
    }

    /** Sets the arguments of a probe. */
    MessageOperation ofProbe(final int rank, final int messageTag)
    {
        isSend = false;
        peer = rank;
        tag = messageTag;
        type = null;
        count = 0;
        return this;
    }

    private void set(
        final boolean sends, final int rank, final int messageTag, final DataType elementType, final long elements)
    {
        isSend = sends;
        peer = rank;
        tag = messageTag;
        count = elements;
        if (type != elementType)
        {
            type = elementType;
        }
    }

    /** Returns the rank that receives or sends, or {@link PointToPoint#ANY_SOURCE}. */
    int peer()
    {
        return peer;
    }

    @Override
    int source()
    {
        return peer;
    }

    @Override
    int tag()
    {
        return tag;
    }

    void begin(final long number)
    {
        sequence = number;
        length = isProbe() ? 0 : count * type.size();
        complete = 0;
        ordinal = 0;
        if (failure != null)
        {
            failure = null;
        }
        if (mustLook)
        {
            mustLook = false;
        }
        DONE.set(this, false);
    }

    /** Whether the operation is complete or has failed. Callable from any thread. */
    boolean isDone()
    {
        return isDone;
    }

    void done()
    {
        stage = Stage.NONE;
        DONE.setRelease(this, true);
    }

    void fail(final RuntimeException cause)
    {
        failure = cause;
        done();
    }

    void throwIfFailed()
    {
        if (failure != null)
        {
            throw Failures.again(failure);
        }
    }

    /** Copies the result of a receive. */
    void copyTo(final MessageStatus status)
    {
        if (status != null)
        {
            status.set(matchedSource, matchedTag, length / type.size(), type);
        }
    }

    boolean isProbe()
    {
        return type == null;
    }

    /** Whether a send has posted its last write: it waits for its completion only. */
    boolean isWritten()
    {
        return stage == Stage.WRITING && ordinal != 0 && complete + range == length;
    }

    /** Whether no call of the peer matches this one yet, as far as this rank knows. */
    boolean isUnmatched()
    {
        return stage == Stage.SEND_QUEUED || stage == Stage.POSTED || stage == Stage.NONE ||
            (stage == Stage.OFFERED && complete == 0);
    }

    /** Drops references to the user's memory. */
    void clearSegment()
    {
        if (segment != null)
        {
            segment = null;
        }
    }

    @Override
    public String toString()
    {
        return isProbe() ? "probe(" + match(false, peer, tag) : text(isSend, count, type.shortName(), peer, tag);
    }

    /** Describes a send or receive, for messages. */
    static String text(
        final boolean sends, final long count, final String type, final int peer, final int tag)
    {
        return (sends ? "send(" : "recv(") + count + " × " + type + ", " + match(sends, peer, tag);
    }

    private static String match(final boolean sends, final int peer, final int tag)
    {
        return (sends ? "to " : "from ") + (peer == PointToPoint.ANY_SOURCE ? "any rank" : "rank " + peer) +
            (tag == PointToPoint.ANY_TAG ? ", any tag)" : ", tag " + tag + ')');
    }
}
