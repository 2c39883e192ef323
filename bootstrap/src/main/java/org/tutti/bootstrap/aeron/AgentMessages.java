/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

import org.tutti.bootstrap.codec.AgentMessageDecoder;

/** Messages from the launcher that have arrived and not been handled yet. */
final class AgentMessages
{
    private final Queue<Consumer<MemberListener>> messages = new ConcurrentLinkedQueue<>();

    void add(final AgentMessageDecoder decoder)
    {
        final int kind = decoder.kind();
        final byte[] payload = new byte[decoder.payloadLength()];
        decoder.getPayload(payload, 0, payload.length);
        messages.add((listener) -> listener.onAgentMessage(kind, payload));
    }

    void deliver(final MemberListener listener)
    {
        for (Consumer<MemberListener> message = messages.poll(); message != null; message = messages.poll())
        {
            message.accept(listener);
        }
    }
}
