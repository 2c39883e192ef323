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
 * Messages on their way to one receiver, in order. Those that are too long for a frame go in parts:
 * <pre>
 *   Part(length of the whole, first bytes), Part(length of the whole, next bytes), …
 * </pre>
 * and {@link Inbox} puts them together again. A receiver that does not take its messages holds up nobody else. Used by
 * one thread at a time.
 */
final class Outbox
{
    private static final byte[] NOTHING = new byte[0];
    private static final int PART_OVERHEAD =
        MessageHeaderEncoder.ENCODED_LENGTH + PartEncoder.BLOCK_LENGTH + PartEncoder.bytesHeaderLength();

    private final ExclusivePublication publication;
    private final Queue<byte[][]> messages = new ArrayDeque<>();
    private final UnsafeBuffer head = new UnsafeBuffer();
    private final UnsafeBuffer body = new UnsafeBuffer();
    private final UnsafeBuffer part;
    private final PartEncoder partEncoder = new PartEncoder();
    private final MessageHeaderEncoder headerEncoder = new MessageHeaderEncoder();
    private int sent;

    Outbox(final ExclusivePublication publication)
    {
        this.publication = publication;
        part = new UnsafeBuffer(new byte[publication.maxPayloadLength()]);
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
        return messages.isEmpty();
    }

    void clear()
    {
        messages.clear();
        sent = 0;
    }

    /** Sends what the receiver has room for; returns how many frames that were. */
    int drain()
    {
        int frames = 0;
        while (!messages.isEmpty())
        {
            final byte[][] message = messages.element();
            final int length = message[0].length + message[1].length;
            head.wrap(message[0]);
            body.wrap(message[1]);
            if (length <= publication.maxPayloadLength())
            {
                if (!isSent(publication.offer(head, 0, head.capacity(), body, 0, body.capacity(), null)))
                {
                    return frames;
                }
                sent = length;
            }
            else if (!sendPart(length))
            {
                return frames;
            }
            frames++;
            if (sent == length)
            {
                messages.remove();
                sent = 0;
            }
        }
        return frames;
    }

    private boolean sendPart(final int length)
    {
        final int count = Math.min(length - sent, part.capacity() - PART_OVERHEAD);
        partEncoder.wrapAndApplyHeader(part, 0, headerEncoder).messageLength(length);
        // The length of the bytes comes first: it is written by the encoder when it is given the bytes, which would be
        // a copy too many.
        final int lengthOffset = partEncoder.limit();
        part.putInt(lengthOffset, count, PartEncoder.BYTE_ORDER);
        final int bytesOffset = lengthOffset + PartEncoder.bytesHeaderLength();
        final int fromHead = Math.clamp(head.capacity() - sent, 0, count);
        part.putBytes(bytesOffset, head, Math.min(sent, head.capacity()), fromHead);
        part.putBytes(
            bytesOffset + fromHead, body, Math.max(0, sent - head.capacity()), count - fromHead);
        if (!isSent(publication.offer(part, 0, PART_OVERHEAD + count)))
        {
            return false;
        }
        sent += count;
        return true;
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
