/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.stream;

import org.tutti.rdma.tcp.wire.Checksum;
import org.tutti.rdma.tcp.wire.Fpdu;
import org.tutti.rdma.tcp.wire.Terminate;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;

/**
 * An established connection of a queue pair: sends the frames of requester and responder, and parses those of the peer.
 * A payload is placed only where a checked header says: its own, or one that announces it ({@link AnnouncedFrames}).
 * The CRC of a frame that fits the buffer is checked before, too; that of a longer one trails its payload, and a wrong
 * one ends the connection. Writing never waits for reading, nor reading for writing. All methods are called with the
 * posting lock held, {@link #progress} also with the guard. Allocates nothing after its first use.
 */
public final class WireConnection
{
    /** Payloads of which more than this is missing are read directly to their place. */
    private static final int DIRECT = 4096;
    /** Length of frames from which a short read of the next header costs less than a copy of its payload. */
    private static final int LONG = 32 << 10;
    private static final int MAX_READS = 16;
    /**
     * Number of received bytes after which frames are sent before more are received, so that long streams in both
     * directions advance alike while their data is in the cache.
     */
    private static final long RECEIVE_BYTES = 128 << 10;

    private final SocketChannel channel;
    private final WireNetwork network;
    private final Checksum checksum;
    private final FrameSender sender;
    private final FrameReader reader;
    private final WireTransport transport;
    private final WireSendQueue queue;
    private final WireResponder responder;
    private final ConnectionEnds ends;
    private final AnnouncedFrames announced = new AnnouncedFrames();
    private final boolean isStandard;
    /** Whether this side has to be silent before the first frame of the peer, as RFC 5044 demands. */
    private final boolean isSecond;
    private ScatterList target;
    private int opcode;
    private boolean isLast;
    private int immediate;
    private int payload;
    private int payloadLeft;
    private int frameLength;
    private boolean isStreaming;
    /** Whether a long frame is expected, so that only few bytes are read into the empty buffer. */
    private boolean isLong;
    /** Bytes at the head of the buffer whose responses were handled while a request in front waited for a receive. */
    private int looked;
    private boolean isPaused;
    /** Whether the CRC of the first frame in the buffer was checked before the frame had to wait for a receive. */
    private boolean isFirstIntact;
    private boolean isUsed;

    WireConnection(final SocketChannel channel, final WireNetwork network, final WireTransport transport,
        final WireSendQueue queue, final WireResponder responder, final ConnectionEnds ends,
        final HandshakeResult result)
    {
        this.channel = channel;
        this.network = network;
        this.transport = transport;
        this.queue = queue;
        this.responder = responder;
        this.ends = ends;
        isStandard = transport.incarnation().isStandard();
        isSecond = isStandard && result.isAccepted();
        checksum = new Checksum(result.isCrcUsed());
        reader = new FrameReader(checksum);
        sender = new FrameSender(channel, result.isCrcUsed(), network, transport, queue, responder.responses());
    }

    SocketChannel channel()
    {
        return channel;
    }

    private boolean isSilent()
    {
        return isSecond && !isUsed;
    }

    /** Whether frames are left to be sent. A snapshot. */
    boolean isWriting()
    {
        return sender.isWriting();
    }

    /** Sends what can be sent now, at most one batch. */
    void send(final boolean isForced)
    {
        if (!isSilent())
        {
            sender.send(isForced);
        }
    }

    /**
     * Receives and sends what is possible now.
     *
     * @return true if anything was received.
     */
    boolean progress()
    {
        boolean isActive = false;
        try
        {
            isActive = receive();
        }
        catch (final ClosedChannelException e)
        {
            transport.breakDown();
        }
        catch (final IOException e)
        {
            if (!sender.isClosed())
            {
                ends.lose();
            }
        }
        if (!sender.isClosed())
        {
            send(!isActive);
        }
        return isActive;
    }

    private boolean receive() throws IOException
    {
        boolean isActive = false;
        final long limit = reader.total() + RECEIVE_BYTES;
        for (int reads = 0; !sender.isClosed(); )
        {
            if (isStreaming ? stream() : parse())
            {
                isActive = true;
                if (reader.available() == 0 && reader.total() >= limit)
                {
                    break;
                }
                continue;
            }
            // Without a rest of a frame, another call would most likely find nothing.
            final boolean isWhole = isActive && !isStreaming && reader.available() == 0;
            final boolean isDirect = isStreaming && payloadLeft > 0;
            if (sender.isClosed() || isWhole || isDirect || reads++ == MAX_READS || reader.total() >= limit || !read())
            {
                break;
            }
        }
        if (!sender.isClosed() && reader.isEnded())
        {
            ends.lose();
        }
        return isActive;
    }

    /** Reads into the buffer: behind a long frame only few bytes, as the payload of the next has its own place. */
    private boolean read() throws IOException
    {
        isLong &= isStreaming || reader.available() == 0;
        return reader.read(channel, isLong);
    }

    /** Handles the next frame; false if more bytes or a receive must come first. */
    private boolean parse()
    {
        final int available = reader.available();
        final long frame = reader.address();
        if (available < Fpdu.TAGGED_HEADER || available < Fpdu.headerLength(frame))
        {
            return false;
        }
        final int header = Fpdu.headerLength(frame);
        final int length = Fpdu.length(frame);
        if (length < header || !isValid(frame) || !announced.admits(frame))
        {
            return isBad();
        }
        final int padded = length + Fpdu.pad(length);
        if (available < padded + Fpdu.CRC_SIZE)
        {
            return padded - available > DIRECT && Fpdu.isPlaced(frame) && looked == 0 &&
                startStreaming(frame, header, length, available);
        }
        return handleWhole(frame, header, length, padded);
    }

    private boolean isValid(final long frame)
    {
        return Fpdu.isValid(frame) && !(isStandard && Fpdu.announced(frame) > 0);
    }

    private boolean handleWhole(final long frame, final int header, final int length, final int padded)
    {
        final boolean isHandled = looked > 0 && Fpdu.isResponse(frame);
        if (!isHandled)
        {
            if (!isFirstIntact && !reader.isIntact(0, padded))
            {
                transport.fail(Terminate.PROTOCOL);
                return false;
            }
            isFirstIntact = true;
            if (!handle(frame, length - header))
            {
                if (isPaused && !sender.isClosed())
                {
                    lookAhead(padded + Fpdu.CRC_SIZE);
                }
                return false;
            }
        }
        isFirstIntact = false;
        reader.consume(padded + Fpdu.CRC_SIZE);
        looked = Math.max(0, looked - padded - Fpdu.CRC_SIZE);
        return true;
    }

    /** Handles a whole frame; false if it must wait for a receive or the connection was closed. */
    private boolean handle(final long frame, final int length)
    {
        if (!begin(frame, length))
        {
            return false;
        }
        if (Fpdu.isPlaced(frame))
        {
            final boolean isLastOfMessage = isLast;
            target.put(frame + Fpdu.headerLength(frame), length);
            end(opcode, isLastOfMessage, length, immediate);
        }
        return !sender.isClosed();
    }

    /** Checks a header and finds the place of the payload; executes frames without one. */
    private boolean begin(final long frame, final int length)
    {
        opcode = Fpdu.opcode(frame);
        isLast = Fpdu.isLast(frame);
        immediate = Fpdu.isTagged(frame) ? 0 : Fpdu.immediate(frame);
        isUsed |= opcode != Fpdu.TERMINATE;
        if (opcode == Fpdu.READ_RESPONSE)
        {
            target = queue.beginRead(frame, length);
            return target != null || isBad();
        }
        if (opcode == Fpdu.ATOMIC_RESPONSE)
        {
            return queue.endAtomic(frame, length) || isBad();
        }
        if (opcode == Fpdu.TERMINATE)
        {
            ends.terminated(frame, length, isUsed);
            return false;
        }
        if (opcode == Fpdu.WRITE)
        {
            announced.begin(frame);
        }
        final int result = responder.begin(frame, length);
        if (result == WireResponder.ACCEPTED)
        {
            if (isPaused)
            {
                isPaused = false;
                transport.pause(false);
            }
            target = transport.target();
            if (responder.responses().isUrgent())
            {
                // Before a later write of the peer changes the data.
                sender.send(false);
            }
            return !sender.isClosed();
        }
        if (result == WireResponder.NO_RECEIVE)
        {
            isPaused = true;
            transport.pause(true);
            return false;
        }
        transport.fail(result);
        return false;
    }

    private boolean isBad()
    {
        if (!sender.isClosed())
        {
            transport.fail(Terminate.PROTOCOL);
        }
        return false;
    }

    private void end(final int ended, final boolean isLastOfMessage, final int length, final int data)
    {
        if (ended == Fpdu.READ_RESPONSE)
        {
            queue.endRead(length, isLastOfMessage);
        }
        else
        {
            responder.end(ended, isLastOfMessage, length, data);
        }
    }

    /** Handles the responses behind a request that waits for a receive, and the peer's end of the connection. */
    private void lookAhead(final int from)
    {
        int offset = Math.max(from, looked);
        while (!sender.isClosed() && reader.available() - offset >= Fpdu.UNTAGGED_HEADER)
        {
            final long frame = reader.address() + offset;
            final int length = Fpdu.length(frame);
            final int padded = length + Fpdu.pad(length);
            if (length < Fpdu.headerLength(frame) || !isValid(frame))
            {
                transport.fail(Terminate.PROTOCOL);
                return;
            }
            if (reader.available() - offset < padded + Fpdu.CRC_SIZE)
            {
                return;
            }
            if (Fpdu.isResponse(frame) || Fpdu.opcode(frame) == Fpdu.TERMINATE)
            {
                if (!reader.isIntact(offset, padded))
                {
                    transport.fail(Terminate.PROTOCOL);
                    return;
                }
                if (!handle(frame, length - Fpdu.headerLength(frame)))
                {
                    return;
                }
            }
            offset += padded + Fpdu.CRC_SIZE;
            looked = offset;
        }
    }

    private boolean startStreaming(final long frame, final int header, final int length, final int available)
    {
        if (!begin(frame, length - header))
        {
            return false;
        }
        isLong = length >= LONG;
        checksum.reset();
        reader.check(0, header);
        reader.consume(header);
        payload = length - header;
        payloadLeft = payload;
        frameLength = length;
        isStreaming = true;
        takeBuffered(Math.min(payloadLeft, available - header));
        return true;
    }

    private void takeBuffered(final int length)
    {
        if (length > 0)
        {
            reader.check(0, length);
            target.put(reader.address(), length);
            reader.consume(length);
            payloadLeft -= length;
        }
    }

    /** Continues a long frame; false if more bytes must come first. */
    private boolean stream() throws IOException
    {
        if (payloadLeft > 0)
        {
            if (reader.available() > 0)
            {
                takeBuffered(Math.min(payloadLeft, reader.available()));
                return true;
            }
            if (reader.isEnded())
            {
                return false;
            }
            final int rest = (int)Math.min(payloadLeft, target.contiguous());
            final int placed = reader.read(channel, target.address(), rest, payload, announced.left());
            target.advance(placed);
            payloadLeft -= placed;
            return placed > 0;
        }
        final int pad = Fpdu.pad(frameLength);
        if (reader.available() < pad + Fpdu.CRC_SIZE)
        {
            return false;
        }
        reader.check(0, pad);
        if (checksum.isUsed() && checksum.value() != Fpdu.getCrc(reader.address() + pad))
        {
            transport.fail(Terminate.PROTOCOL);
            return false;
        }
        reader.consume(pad + Fpdu.CRC_SIZE);
        isStreaming = false;
        end(opcode, isLast, payload, immediate);
        return !sender.isClosed() && (!reader.isAhead() || streamNext());
    }

    /** Begins the announced frame of whose payload bytes were read with that of the frame before. */
    private boolean streamNext()
    {
        final long frame = reader.address();
        if (!isValid(frame) || !announced.admits(frame))
        {
            return isBad();
        }
        if (Fpdu.opcode(frame) == Fpdu.TERMINATE)
        {
            reader.returnAhead();
            return true;
        }
        if (!begin(frame, payload))
        {
            return false;
        }
        checksum.reset();
        reader.check(0, Fpdu.TAGGED_HEADER);
        reader.consume(Fpdu.TAGGED_HEADER);
        final int placed = reader.takeAhead(payload);
        target.advance(placed);
        payloadLeft = payload - placed;
        isStreaming = true;
        return true;
    }

    /**
     * Ends all use of a region that was deregistered. Data of the peer that is on its way to the region ends the
     * connection, as any access to the region now does.
     */
    void deregistered(final int key)
    {
        sender.detach();
        if (isStreaming && payloadLeft > 0 && target.isIn(key))
        {
            transport.fail(Terminate.ACCESS);
        }
    }

    /**
     * Tells the peer why, and hands the socket over to be closed. To a standard peer, the end of the stream alone says
     * that there is no error.
     */
    void terminate(final int error)
    {
        if (sender.isClosed())
        {
            return;
        }
        if (!isStandard)
        {
            sender.terminate(error, responder.executed());
        }
        else if (isSilent() || error == Terminate.CLOSED)
        {
            sender.end();
        }
        else
        {
            sender.terminateStandard(error);
        }
        network.linger(channel, sender::writeRest);
    }

    /** Closes the socket after the peer has closed it. */
    void abandon()
    {
        if (!sender.isClosed())
        {
            sender.abandon();
            network.linger(channel, sender::writeRest);
        }
    }
}
