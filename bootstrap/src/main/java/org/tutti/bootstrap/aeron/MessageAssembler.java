/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tutti.bootstrap.codec.MessageHeaderDecoder;
import org.tutti.bootstrap.codec.PartDecoder;

/** Assembles the frames of one sender into messages; the receiving end of {@link MessageQueue}. */
final class MessageAssembler
{
    /** Receives complete messages. */
    @FunctionalInterface
    interface Handler
    {
        void onMessage(DirectBuffer buffer, int offset, int length);
    }

    private final int maxMessageLength;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final PartDecoder partDecoder = new PartDecoder();
    private byte[] message;
    private int received;

    MessageAssembler(final int maxMessageLength)
    {
        this.maxMessageLength = maxMessageLength;
    }

    /** Handles a frame, and passes on the message that it contains or completes. */
    void onFrame(final DirectBuffer buffer, final int offset, final int length, final Handler handler)
    {
        header.wrap(buffer, offset);
        if (header.schemaId() != MessageHeaderDecoder.SCHEMA_ID || header.templateId() != PartDecoder.TEMPLATE_ID)
        {
            handler.onMessage(buffer, offset, length);
            return;
        }
        partDecoder.wrapAndApplyHeader(buffer, offset, header);
        final int messageLength = partDecoder.messageLength();
        final int count = partDecoder.bytesLength();
        if (message == null)
        {
            if (messageLength <= 0 || messageLength > maxMessageLength)
            {
                throw new IllegalArgumentException(
                    "invalid message length: " + messageLength + ": must be from 1 to " + maxMessageLength + " bytes");
            }
            message = new byte[messageLength];
            received = 0;
        }
        received += partDecoder.getBytes(message, received, Math.min(count, message.length - received));
        if (received == message.length)
        {
            final byte[] whole = message;
            message = null;
            handler.onMessage(new UnsafeBuffer(whole), 0, whole.length);
        }
    }
}
