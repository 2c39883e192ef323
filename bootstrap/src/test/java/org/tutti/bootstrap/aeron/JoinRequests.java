/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import org.agrona.concurrent.UnsafeBuffer;
import org.tutti.bootstrap.codec.JoinRequestDecoder;
import org.tutti.bootstrap.codec.JoinRequestEncoder;
import org.tutti.bootstrap.codec.MessageHeaderDecoder;
import org.tutti.bootstrap.codec.MessageHeaderEncoder;
import org.tutti.bootstrap.codec.Role;

/** Requests of ranks of a job "j" of two ranks that nobody sent. */
final class JoinRequests
{
    private JoinRequests()
    {
    }

    static JoinRequestText of(final int version, final int rank, final byte[] nonce)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
        new JoinRequestEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .protocolVersion(version)
            .role(Role.RANK)
            .memberId(rank)
            .worldSize(2)
            .putNonce(nonce, 0, nonce.length)
            .responseChannel("aeron:ipc")
            .jobId("j")
            .host("h");
        return new JoinRequestText(
            new JoinRequestDecoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderDecoder()));
    }
}
