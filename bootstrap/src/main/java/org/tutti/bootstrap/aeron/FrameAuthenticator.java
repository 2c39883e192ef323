/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.nio.ByteOrder;
import java.util.Arrays;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.tutti.bootstrap.Hmac;
import org.tutti.bootstrap.JobSecret;

/**
 * Authenticates the frames of one direction of one session, on either end. Each frame ends with its sequence number,
 * counted from 0, and the first half of an HMAC-SHA256 over the number and the frame (RFC 2104, section 5):
 * <pre>
 *   | message, or a part of one | sequence number (8) | tag (16) |
 *     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ covered by the tag
 * </pre> The key is derived from the job's secret, the join request and the nonces of both sides, and differs by
 * direction, so that frames of another session or direction, and replayed frames, are rejected. For one thread at a
 * time.
 */
final class FrameAuthenticator
{
    /** The length of the trailer in bytes. */
    static final int TRAILER_LENGTH = Long.BYTES + 16;

    private static final int TAG_LENGTH = TRAILER_LENGTH - Long.BYTES;

    private final Hmac hmac;
    private final byte[] full = new byte[Hmac.LENGTH];
    private final byte[] tag = new byte[TAG_LENGTH];
    private final byte[] given = new byte[TAG_LENGTH];
    private byte[] frame = new byte[256];
    private long sequence;

    private FrameAuthenticator(final Hmac hmac)
    {
        this.hmac = hmac;
    }

    /**
     * Creates the authenticator for one direction of the session that a join request and the coordinator's nonce
     * identify.
     */
    static FrameAuthenticator of(
        final JobSecret secret, final String sender, final byte[] requestProof, final byte[] coordinatorNonce)
    {
        return new FrameAuthenticator(secret.derive(sender, requestProof, coordinatorNonce));
    }

    /** Appends the trailer of the next frame; returns the total length. */
    int seal(final MutableDirectBuffer buffer, final int length)
    {
        computeTag(buffer, 0, length, sequence);
        buffer.putLong(length, sequence++, ByteOrder.LITTLE_ENDIAN);
        buffer.putBytes(length + Long.BYTES, tag);
        return length + TRAILER_LENGTH;
    }

    /**
     * Verifies a frame before it is decoded, and returns the length of its payload.
     *
     * @throws IllegalArgumentException if it is not the next frame of this session; the message contains the reason.
     */
    int open(final DirectBuffer buffer, final int offset, final int frameLength)
    {
        final int length = frameLength - TRAILER_LENGTH;
        if (length < 0)
        {
            throw new IllegalArgumentException("a frame of " + frameLength + " bytes has no authentication tag");
        }
        final long number = buffer.getLong(offset + length, ByteOrder.LITTLE_ENDIAN);
        computeTag(buffer, offset, length, number);
        buffer.getBytes(offset + length + Long.BYTES, given);
        if (!JobSecret.matches(tag, given))
        {
            throw new IllegalArgumentException("the authentication tag of frame " + sequence + " is wrong");
        }
        if (number != sequence)
        {
            throw new IllegalArgumentException("frame " + number + " was sent in place of frame " + sequence);
        }
        sequence++;
        return length;
    }

    private void computeTag(final DirectBuffer buffer, final int offset, final int length, final long number)
    {
        if (frame.length < length)
        {
            frame = Arrays.copyOf(frame, Math.max(length, 2 * frame.length));
        }
        buffer.getBytes(offset, frame, 0, length);
        hmac.update(frame, length);
        hmac.update(number);
        hmac.end(full);
        System.arraycopy(full, 0, tag, 0, TAG_LENGTH);
    }
}
