/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.stream;

import org.tutti.rdma.tcp.wire.Checksum;
import org.tutti.rdma.tcp.wire.Fpdu;
import org.tutti.rdma.tcp.wire.Terminate;

import java.io.IOException;
import java.nio.channels.SocketChannel;

/**
 * Sends the frames of requester and responder of a connection, batch by batch, and its end. All methods are called with
 * the posting lock held, except {@link #isWriting}, and {@link #writeRest} once the connection is closed. Allocates
 * nothing until then.
 */
final class FrameSender
{
    private final SocketChannel channel;
    private final FrameWriter writer;
    private final WireNetwork network;
    private final WireTransport transport;
    private final WireSendQueue queue;
    private final Responses responses;
    /** Whether more frames were to be sent than a batch takes. */
    private boolean isBatchFull;
    private boolean isWriteBroken;
    private boolean isClosed;

    FrameSender(final SocketChannel channel, final boolean isCrcUsed, final WireNetwork network,
        final WireTransport transport, final WireSendQueue queue, final Responses responses)
    {
        this.channel = channel;
        this.network = network;
        this.transport = transport;
        this.queue = queue;
        this.responses = responses;
        writer = new FrameWriter(new Checksum(isCrcUsed));
    }

    /** Whether the connection was ended by this side, or its end was noticed. */
    boolean isClosed()
    {
        return isClosed;
    }

    /** Whether frames are left to be sent. A snapshot. */
    boolean isWriting()
    {
        return !isWriteBroken && (isBatchFull || !writer.isEmpty());
    }

    /**
     * Sends what can be sent now, but at most one batch, so that frames of the peer are received between two.
     *
     * @param isForced whether to send responses that could wait for other frames.
     */
    void send(final boolean isForced)
    {
        boolean withAll = isForced;
        isBatchFull = false;
        try
        {
            while (!isClosed && !isWriteBroken && !isBatchFull)
            {
                isBatchFull = true;
                while (writer.hasRoom() && isBatchFull)
                {
                    isBatchFull = !isClosed && fill(withAll);
                    // With other frames to send, confirmations need no write of their own.
                    withAll |= isBatchFull;
                }
                if (isClosed || writer.isEmpty())
                {
                    return;
                }
                if (!writer.write(channel))
                {
                    network.wake();
                    return;
                }
                queue.written();
            }
            if (isBatchFull)
            {
                network.wake();
            }
        }
        catch (final IOException e)
        {
            // What the peer sent before it closed the connection, such as the reason, can still be read.
            isWriteBroken = true;
            network.wake();
        }
    }

    private boolean fill(final boolean withAll)
    {
        if (!queue.isAnnounced() && (responses.isUrgent() || (withAll && !responses.isEmpty())))
        {
            if (!responses.fill(writer))
            {
                transport.fail(Terminate.ACCESS);
                return false;
            }
            return true;
        }
        return queue.fill(writer);
    }

    /** Copies what is left of the batch, so that the memory that it refers to may be freed. */
    void detach()
    {
        writer.detach();
    }

    /**
     * Sends the last frame.
     *
     * @param error    reason of the end, of {@link Terminate}.
     * @param executed number of the peer's messages that were executed.
     */
    void terminate(final int error, final long executed)
    {
        if (writer.hasRoom())
        {
            Terminate.put(beginTerminate(Terminate.SIZE), error, executed);
            writer.end();
        }
        end();
    }

    /** As {@link #terminate}, to a standard peer. */
    void terminateStandard(final int error)
    {
        if (writer.hasRoom())
        {
            Terminate.putStandard(beginTerminate(Terminate.STANDARD_SIZE), error);
            writer.end();
        }
        end();
    }

    private long beginTerminate(final int size)
    {
        final long frame = writer.begin(Fpdu.UNTAGGED_HEADER);
        Fpdu.putUntagged(frame, Fpdu.TERMINATE, true, Fpdu.TERMINATE_QUEUE, 1, 0, size);
        return writer.room(size);
    }

    /** Ends the stream without a last frame. */
    void end()
    {
        isClosed = true;
        writeRest();
        // What is left is written later, when the memory of requests and regions may be freed.
        writer.detach();
    }

    /** Writes what is left after the end, and ends the stream. */
    void writeRest()
    {
        if (isWriteBroken)
        {
            return;
        }
        try
        {
            if (writer.write(channel))
            {
                isWriteBroken = true;
                channel.shutdownOutput();
            }
        }
        catch (final IOException e)
        {
            isWriteBroken = true;
        }
    }

    /** Sends nothing more. */
    void abandon()
    {
        isClosed = true;
        isWriteBroken = true;
    }
}
