/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import org.tutti.bootstrap.OwnAddress;

import java.net.InetAddress;
import java.util.concurrent.TimeUnit;

/** Constants of the bootstrap protocol. */
final class Protocol
{
    /** The protocol version; members with another version are refused. */
    static final int VERSION = 4;
    /** The coordinator's stream; members listen on streams with random ids. */
    static final int COORDINATOR_STREAM_ID = 1;
    static final String IPC_CHANNEL = "aeron:ipc?term-length=64k";
    static final long HEARTBEAT_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
    /** The interval of checks for silent peers. */
    static final long CHECK_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Labels of values derived from the secret: the sender's role, or the use. Each use has its own label. */
    static final String REQUEST = "request";
    static final String REFUSAL = "refusal";
    static final String SESSION = "session";
    static final String COORDINATOR = "coordinator";
    static final String MEMBER = "member";

    private Protocol()
    {
    }

    static String udpChannel(final String endpoint)
    {
        return "aeron:udp?term-length=64k|endpoint=" + endpoint;
    }

    static String udpChannel(final InetAddress address, final int port)
    {
        return udpChannel(OwnAddress.endpoint(address, port));
    }
}
