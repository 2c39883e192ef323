/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

import org.tutti.collectives.endpoint.Connection;
import org.tutti.collectives.endpoint.Endpoint;
import org.tutti.collectives.exec.SendChain;
import org.tutti.collectives.util.Memory;
import org.tutti.collectives.util.ResourceScope;
import org.tutti.collectives.wireup.Team;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.lang.foreign.MemorySegment;

/**
 * Sends messages to one peer and keeps account of the peer's inbox, and of this rank's inbox for the peer. Both
 * directions are bounded by the credits of the receiver: positions in its ring, messages that it has taken, and eager
 * messages that its receives have matched.
 * <p>
 * Not thread-safe; allocates nothing after the first message.
 */
final class MessagePeer
{
    /**
     * The peer has this many receive requests per message that it has not taken, and twice as many per range that it
     * writes: so it never lacks one.
     */
    private static final int RECEIVES_PER_MESSAGE = 2;
    /** Copies of up to this number of bytes are made without a call. */
    private static final int SHORT_COPY = 64;
    /** Credits are sent when this fraction of one of them is not known to the peer. */
    private static final int CREDIT_FRACTION = 4;
    /** Length in bytes of local memory for headers and short messages, next to that for credits. */
    private static final int LINE = 64;

    /** Operations that wait to send something, in order. */
    final OperationQueue queue = new OperationQueue();
    /** Sends that write a range. */
    final OperationQueue writing = new OperationQueue();
    boolean isBusy;
    boolean hasClosed;
    /** When this rank learned from the bootstrap that the peer has closed, or 0. */
    long leftNs;
    /** Number of ranges that this rank has requested and the peer has not written. */
    int requested;

    private final int rank;
    private final Team team;
    private final Connection connection;
    private final SendChain chain;
    private final ResourceScope resources;
    private final long maxMessages;
    private final long inbox;
    /** The endpoint, once messages may be sent. */
    private Endpoint endpoint;
    /** Credits at the start, then a line, then a copy of the peer's ring unless the ring is mapped here. */
    private RegisteredBuffer outbox;
    /** The address of the peer's ring in this process, or 0. */
    private long mapped;
    private long remoteRing;

    // This rank's messages to the peer.
    private long used;
    private long sent;
    private long unmatched;
    private long freed;
    private long taken;
    private long matched;
    // The peer's messages to this rank.
    private long position;
    private long received;
    private long receivedMatched;
    private long reportedPosition;
    private long reportedReceived;
    private long reportedMatched;

    /**
     * Creates the state of a peer to which a connection has been opened.
     *
     * @param resources owner of the memory that is allocated when the peer is connected.
     */
    MessagePeer(final Team team, final Connection connection, final SendChain chain, final ResourceScope resources)
    {
        this.team = team;
        this.connection = connection;
        this.chain = chain;
        this.resources = resources;
        rank = connection.peer();
        inbox = connection.inbox().address();
        maxMessages = team.queues(rank).sizes().receive() / RECEIVES_PER_MESSAGE;
    }

    /** Returns whether this rank may request one more range. */
    boolean mayRequest()
    {
        return requested < maxMessages / 2;
    }

    int rank()
    {
        return rank;
    }

    /** Returns whether messages may be sent to the peer. */
    boolean isConnected()
    {
        return endpoint != null || connect();
    }

    private boolean connect()
    {
        if (!connection.isJoined())
        {
            return false;
        }
        final Endpoint joined = connection.endpoint();
        remoteRing = joined.scratchAddress() + MessageInbox.RING_OFFSET;
        mapped = joined.isDirect() ? joined.reach(remoteRing, ByteRing.LENGTH, joined.scratchRkey()) : 0;
        if (mapped == 0 && joined.isDirect())
        {
            throw new IllegalStateException("the memory of rank " + rank + " cannot be mapped here: set " +
                "TUTTI_DIRECT=0 on all ranks, or check ulimit -v and vm.max_map_count");
        }
        outbox = resources.add(
            team.pool().allocate(MessageInbox.RING_OFFSET + LINE + (mapped == 0 ? ByteRing.LENGTH : 0)));
        endpoint = joined;
        return true;
    }

    Endpoint endpoint()
    {
        return endpoint;
    }

    /** Returns the endpoint for a message that the caller sends next; requires {@link #canSend}. */
    Endpoint use()
    {
        chain.use(endpoint);
        return endpoint;
    }

    boolean canSend()
    {
        return endpoint.canSend();
    }

    /** Returns whether a message of a length in bytes can be sent now. */
    private boolean hasRoom(final int length)
    {
        return ByteRing.hasRoom(used, freed, length) && sent - taken < maxMessages && endpoint.canSend();
    }

    /** Returns whether the receiver has room to keep an eager message that no receive matches. */
    boolean mayBeEager(final long length)
    {
        return length <= MessageInbox.MAX_EAGER &&
            unmatched - matched + ByteRing.units((int)length + MessageHeader.EAGER_LENGTH) <=
            MessageInbox.MAX_UNMATCHED;
    }

    /** Sends a message with its data; returns false if it cannot be sent now. */
    boolean sendEager(final MessageOperation send)
    {
        final int length = MessageHeader.EAGER_LENGTH + (int)send.length;
        if (!hasRoom(length))
        {
            return false;
        }
        final long place = ByteRing.place(used, length);
        final long header = header(place, length);
        MessageHeader.encode(header, MessageHeader.EAGER, send.tag(), send.length, send.type);
        final long data = header + MessageHeader.EAGER_LENGTH;
        if (send.memory == null)
        {
            MemorySegment.copy(send.segment, send.segmentOffset, Memory.ALL, data, send.length);
        }
        else
        {
            copy(send.memory.address(), data, (int)send.length);
        }
        unmatched += ByteRing.units(length);
        publish(place, header, length);
        return true;
    }

    /** Sends a message without data: READY_TO_SEND or CLEAR_TO_SEND; returns false if it cannot be sent now. */
    boolean sendHeader(
        final int kind, final int tag, final long length, final MessageOperation operation, final int sendId,
        final int rkey, final long memory)
    {
        if (!hasRoom(MessageHeader.LENGTH))
        {
            return false;
        }
        final long place = ByteRing.place(used, MessageHeader.LENGTH);
        final long header = header(place, MessageHeader.LENGTH);
        MessageHeader.encode(header, kind, tag, length, operation.type);
        MessageHeader.encodeMemory(header, sendId, rkey, memory);
        publish(place, header, MessageHeader.LENGTH);
        return true;
    }

    /** Returns the address at which a message is written. */
    private long header(final long place, final int length)
    {
        return mapped == 0 ? outbox.address() + MessageInbox.RING_OFFSET + LINE + ByteRing.offset(place) :
            length <= MessageHeader.LENGTH ? outbox.address() + MessageInbox.RING_OFFSET :
            mapped + ByteRing.offset(place);
    }

    private void publish(final long place, final long header, final int length)
    {
        final int immediate = MessageImmediate.of(MessageImmediate.MESSAGE, ByteRing.offset(place) / ByteRing.UNIT);
        used = ByteRing.after(place, length);
        sent++;
        if (mapped != 0 && length > MessageHeader.LENGTH)
        {
            use().signal(immediate, 0);
        }
        else
        {
            put(header, length, remoteRing + ByteRing.offset(place), immediate);
        }
    }

    /** Writes a few bytes, which fit a line of a receive FIFO, or any number of bytes over a queue pair. */
    private void put(final long address, final int length, final long remote, final int immediate)
    {
        if (mapped != 0)
        {
            use().sendEager(address, length, remote, immediate, 0);
        }
        else
        {
            use().putWithImmediate(address, outbox.lkey(endpoint.deviceIndex()), length, remote,
                endpoint.scratchRkey(), immediate, 0, false);
        }
    }

    static void copy(final long source, final long destination, final int length)
    {
        if (length <= SHORT_COPY)
        {
            Memory.copyShort(source, destination, length);
        }
        else
        {
            Memory.copy(source, destination, length);
        }
    }

    /** Returns the exception for a message that no rank can have sent. */
    IllegalStateException corrupt(final String what)
    {
        return corrupt(rank, what);
    }

    static IllegalStateException corrupt(final int rank, final String what)
    {
        return new IllegalStateException("memory is corrupt: rank " + rank + " sent " + what + "; find the process " +
            "that writes to files in the job's directory, or the code that uses memory after freeing it");
    }

    /** Returns the address of a message that has arrived. */
    long arrived(final int units)
    {
        return inbox + MessageInbox.RING_OFFSET + (long)units * ByteRing.UNIT;
    }

    /**
     * Counts a message as taken: the peer may write over it.
     *
     * @param units  offset in the ring in units.
     * @param length length of the message in bytes.
     */
    void taken(final int units, final int length)
    {
        position = ByteRing.after(ByteRing.received(position, units), length);
        received++;
    }

    /** Counts an eager message as matched. */
    void matched(final long length)
    {
        receivedMatched += ByteRing.units((int)length + MessageHeader.EAGER_LENGTH);
    }

    /** Reads the credits that the peer has written. */
    void readCredits()
    {
        freed = MessageInbox.freed(inbox);
        taken = MessageInbox.taken(inbox);
        matched = MessageInbox.matched(inbox);
    }

    /** Returns whether the peer needs to know this rank's credits; a peer that has closed may no longer exist. */
    boolean owesCredits()
    {
        return !hasClosed && (position - reportedPosition >= ByteRing.LENGTH / CREDIT_FRACTION ||
            received - reportedReceived >= maxMessages / CREDIT_FRACTION ||
            receivedMatched - reportedMatched >= MessageInbox.MAX_UNMATCHED / CREDIT_FRACTION);
    }

    /** Sends this rank's credits to the peer; returns false if that is not possible now. */
    boolean sendCredits()
    {
        if (!isConnected() || !endpoint.canSend())
        {
            return false;
        }
        MessageInbox.encodeCredits(outbox.address(), position, received, receivedMatched);
        put(outbox.address(), MessageInbox.CREDITS_LENGTH, endpoint.scratchAddress(),
            MessageImmediate.of(MessageImmediate.CREDITS, 0));
        reportedPosition = position;
        reportedReceived = received;
        reportedMatched = receivedMatched;
        return true;
    }
}
