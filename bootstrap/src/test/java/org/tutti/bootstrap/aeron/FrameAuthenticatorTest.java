/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.tutti.bootstrap.JobSecret;

class FrameAuthenticatorTest
{
    private static final int LENGTH = 300;

    private final JobSecret secret = new JobSecret(new byte[]{1});
    private final byte[] request = new byte[JobSecret.PROOF_LENGTH];
    private final byte[] nonce = new byte[JobSecret.NONCE_LENGTH];
    private final FrameAuthenticator sender = of(secret, Protocol.MEMBER, nonce);
    private final FrameAuthenticator receiver = of(secret, Protocol.MEMBER, nonce);

    private FrameAuthenticator of(final JobSecret key, final String role, final byte[] coordinatorNonce)
    {
        return FrameAuthenticator.of(key, role, request, coordinatorNonce);
    }

    private static UnsafeBuffer sealedBy(final FrameAuthenticator authenticator)
    {
        final UnsafeBuffer frame = new UnsafeBuffer(new byte[LENGTH + FrameAuthenticator.TRAILER_LENGTH]);
        frame.setMemory(0, LENGTH, (byte)7);
        assertEquals(frame.capacity(), authenticator.seal(frame, LENGTH));
        return frame;
    }

    private static int open(final FrameAuthenticator authenticator, final UnsafeBuffer frame)
    {
        return authenticator.open(frame, 0, frame.capacity());
    }

    private static void assertRefused(
        final String reason, final FrameAuthenticator authenticator, final UnsafeBuffer frame)
    {
        final IllegalArgumentException refusal =
            assertThrows(IllegalArgumentException.class, () -> open(authenticator, frame));
        assertTrue(refusal.getMessage().contains(reason), refusal.getMessage());
    }

    @Test
    void shouldOpenFramesInOrder()
    {
        for (int i = 0; i < 3; i++)
        {
            assertEquals(LENGTH, open(receiver, sealedBy(sender)));
        }
    }

    @Test
    void shouldRejectFrameWhenAnyByteIsChanged()
    {
        final UnsafeBuffer frame = sealedBy(sender);
        for (int i = 0; i < frame.capacity(); i++)
        {
            frame.putByte(i, (byte)(frame.getByte(i) ^ 1));
            assertRefused("the authentication tag of frame 0 is wrong", receiver, frame);
            frame.putByte(i, (byte)(frame.getByte(i) ^ 1));
        }

        assertEquals(LENGTH, open(receiver, frame));
    }

    @Test
    void shouldRejectTruncatedFrame()
    {
        final UnsafeBuffer frame = sealedBy(sender);
        for (int length = 0; length < frame.capacity(); length++)
        {
            final UnsafeBuffer cut = new UnsafeBuffer(frame, 0, length);
            assertRefused("authentication tag", receiver, cut);
        }
    }

    @Test
    void shouldRejectReplayedFrame()
    {
        final UnsafeBuffer frame = sealedBy(sender);
        open(receiver, frame);

        assertRefused("frame 0 was sent in place of frame 1", receiver, frame);
    }

    @Test
    void shouldRejectFrameWhenEarlierFrameIsMissing()
    {
        sealedBy(sender);

        assertRefused("frame 1 was sent in place of frame 0", receiver, sealedBy(sender));
    }

    @Test
    void shouldRejectFrameThatIsReflectedToItsSender()
    {
        assertRefused("is wrong", of(secret, Protocol.COORDINATOR, nonce), sealedBy(sender));
    }

    @Test
    void shouldRejectFrameOfAnotherSessionOrSecret()
    {
        assertRefused("is wrong", of(secret, Protocol.MEMBER, JobSecret.nonce()), sealedBy(sender));
        assertRefused("is wrong", of(new JobSecret(new byte[]{2}), Protocol.MEMBER, nonce), sealedBy(sender));
        request[0]++;
        assertRefused("is wrong", of(secret, Protocol.MEMBER, nonce), sealedBy(sender));
    }
}
