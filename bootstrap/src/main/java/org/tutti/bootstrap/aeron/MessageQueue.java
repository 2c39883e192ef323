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
 * Messages to be sent to one receiver, in order. Those that are too long for a frame go in parts:
 * <pre>
 *   Part(length of the whole, first bytes), Part(length of the whole, next bytes), …
 * </pre>
 * and {@link MessageAssembler} puts them together again. Once the session has its keys, each frame is authenticated. A
 * receiver that does not take its messages delays no other. Used by one thread at a time.
 */
final class MessageQueue
{
    private static final byte[] NOTHING = new byte[0];
    private static final int PART_OVERHEAD =
        MessageHeaderEncoder.ENCODED_LENGTH + PartEncoder.BLOCK_LENGTH + PartEncoder.bytesHeaderLength();

    private final ExclusivePublication publication;
    private final Queue<byte[][]> messages = new ArrayDeque<>();
    /** The frame that is next, kept until the receiver has room for it. */
    private final UnsafeBuffer frame;
    private final int capacity;
    private final PartEncoder partEncoder = new PartEncoder();
    private final MessageHeaderEncoder headerEncoder = new MessageHeaderEncoder();
    private FrameAuthenticator authenticator;
    /** How many of the messages were added before there was an authenticator. */
    private int plainCount;
    private int frameLength;
    /** How much of the first message is in frames. */
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

    /** A message of two halves, the second of which may be shared by many messages. */
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

    /** Sends what the receiver has room for; returns how many frames that were. */
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

    /** Makes the next frame, once, however often it is offered; returns false if there is nothing to send. */
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
            // The encoder writes the length of the bytes when it is given the bytes, which would be a copy too many.
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
