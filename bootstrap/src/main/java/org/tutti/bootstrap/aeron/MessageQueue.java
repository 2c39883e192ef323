/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.util.ArrayDeque;
import java.util.Queue;

import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import org.agrona.concurrent.UnsafeBuffer;
import org.tutti.bootstrap.codec.MessageHeaderEncoder;
import org.tutti.bootstrap.codec.PartEncoder;

/**
 * A queue of messages to one receiver, sent in order. Messages that are too long for a frame are sent in parts:
 * <pre>
 *   Part(length of the whole, first bytes), Part(length of the whole, next bytes), …
 * </pre> which {@link MessageAssembler} reassembles. Once the session has its keys, each frame is authenticated. A slow
 * receiver does not delay others. For one thread at a time.
 */
final class MessageQueue
{
    private static final byte[] NOTHING = new byte[0];
    private static final int PART_OVERHEAD =
        MessageHeaderEncoder.ENCODED_LENGTH + PartEncoder.BLOCK_LENGTH + PartEncoder.bytesHeaderLength();

    private final ExclusivePublication publication;
    private final Queue<byte[][]> messages = new ArrayDeque<>();
    /** The next frame, kept until the receiver can take it. */
    private final UnsafeBuffer frame;
    private final int capacity;
    private final PartEncoder partEncoder = new PartEncoder();
    private final MessageHeaderEncoder headerEncoder = new MessageHeaderEncoder();
    private FrameAuthenticator authenticator;
    /** The number of queued messages that were added before the authenticator was set, and are sent without a tag. */
    private int plainCount;
    private int frameLength;
    /** The number of bytes of the first message that were put into frames. */
    private int framed;

    MessageQueue(final ExclusivePublication publication)
    {
        this.publication = publication;
        frame = new UnsafeBuffer(new byte[publication.maxPayloadLength()]);
        capacity = frame.capacity() - FrameAuthenticator.TRAILER_LENGTH;
    }

    /** Authenticates the messages that are added from now on. */
    void authenticate(final FrameAuthenticator frameAuthenticator)
    {
        authenticator = frameAuthenticator;
        plainCount = messages.size();
    }

    void add(final byte[] message)
    {
        add(message, NOTHING);
    }

    /** Adds a message of two parts; the body may be shared by many messages. */
    void add(final byte[] messageHead, final byte[] messageBody)
    {
        messages.add(new byte[][]{messageHead, messageBody});
    }

    boolean isEmpty()
    {
        return messages.isEmpty() && frameLength == 0;
    }

    void clear()
    {
        messages.clear();
        plainCount = 0;
        frameLength = 0;
        framed = 0;
    }

    /** Sends as much as the receiver can take; returns the number of frames sent. */
    int drain()
    {
        int frames = 0;
        while (frameLength > 0 || makeFrame())
        {
            if (!isSent(publication.offer(frame, 0, frameLength)))
            {
                return frames;
            }
            frameLength = 0;
            frames++;
        }
        return frames;
    }

    /**
     * Builds the next frame; returns false if there is nothing to send. A frame is built once, however often it is
     * offered.
     */
    private boolean makeFrame()
    {
        final byte[][] message = messages.peek();
        if (message == null)
        {
            return false;
        }
        final int length = message[0].length + message[1].length;
        final int overhead = length > capacity ? PART_OVERHEAD : 0;
        final int count = Math.min(length - framed, capacity - overhead);
        if (overhead > 0)
        {
            partEncoder.wrapAndApplyHeader(frame, 0, headerEncoder).messageLength(length);
            // The encoder would write the length together with the bytes, at the cost of another copy.
            frame.putInt(partEncoder.limit(), count, PartEncoder.BYTE_ORDER);
        }
        copy(message, count, overhead);
        framed += count;
        frameLength = overhead + count;
        if (authenticator != null && plainCount == 0)
        {
            frameLength = authenticator.seal(frame, frameLength);
        }
        if (framed == length)
        {
            messages.remove();
            framed = 0;
            plainCount = Math.max(0, plainCount - 1);
        }
        return true;
    }

    private void copy(final byte[][] message, final int count, final int frameOffset)
    {
        final byte[] head = message[0];
        final int fromHead = Math.clamp(head.length - framed, 0, count);
        frame.putBytes(frameOffset, head, Math.min(framed, head.length), fromHead);
        frame.putBytes(frameOffset + fromHead, message[1], Math.max(0, framed - head.length), count - fromHead);
    }

    private static boolean isSent(final long result)
    {
        if (result == Publication.CLOSED || result == Publication.MAX_POSITION_EXCEEDED)
        {
            throw new IllegalStateException("the publication is " + Publication.errorString(result));
        }
        return result > 0;
    }
}
