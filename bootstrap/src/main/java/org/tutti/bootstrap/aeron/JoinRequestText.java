/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import org.tutti.bootstrap.JobSecret;
import org.tutti.bootstrap.codec.JoinRequestDecoder;
import org.tutti.bootstrap.codec.Role;

/** A decoded join request. Its fields are as the stranger gave them: nothing is checked yet. */
final class JoinRequestText
{
    final int version;
    final Role role;
    final int memberId;
    final int worldSize;
    final long pid;
    final int streamId;
    final byte[] nonce = new byte[JobSecret.NONCE_LENGTH];
    final String channel;
    final String jobId;
    final String host;

    JoinRequestText(final JoinRequestDecoder decoder)
    {
        version = decoder.protocolVersion();
        role = decoder.role();
        memberId = decoder.memberId();
        worldSize = decoder.worldSize();
        pid = decoder.pid();
        streamId = decoder.responseStreamId();
        decoder.getNonce(nonce, 0, nonce.length);
        channel = decoder.responseChannel();
        jobId = decoder.jobId();
        host = decoder.host();
    }
}
