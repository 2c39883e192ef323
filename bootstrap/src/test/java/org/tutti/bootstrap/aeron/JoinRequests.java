/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.util.Arrays;

import org.agrona.concurrent.UnsafeBuffer;
import org.tutti.bootstrap.Hosts;
import org.tutti.bootstrap.JobSecret;
import org.tutti.bootstrap.codec.JoinRequestEncoder;
import org.tutti.bootstrap.codec.MessageHeaderEncoder;

/** Creates join requests for a job "j" of two ranks. */
final class JoinRequests
{
    private JoinRequests()
    {
    }

    static JoinRequestText of(final JobSecret secret, final int version, final int rank, final byte[] nonce)
    {
        final UnsafeBuffer message = new UnsafeBuffer(encode(secret, version, rank, nonce, new byte[0]));
        return JoinRequestText.open(secret, message, 0, message.capacity());
    }

    static byte[] encode(
        final JobSecret secret, final int version, final int rank, final byte[] nonce, final byte[] address)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
        final JoinRequestEncoder encoder = new JoinRequestEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .protocolVersion(version)
            .memberId(rank)
            .worldSize(2)
            .pid(ProcessHandle.current().pid())
            .putNonce(nonce, 0, nonce.length)
            .putResponseAddress(address, 0, address.length)
            .jobId("j")
            .host(Hosts.local());
        return JoinRequestText.seal(secret, Arrays.copyOf(buffer.byteArray(), encoder.limit()));
    }
}
