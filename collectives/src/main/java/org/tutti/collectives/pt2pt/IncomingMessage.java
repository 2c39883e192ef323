/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

/** A message that no posted receive has matched yet: its envelope, and the data if it is eager. */
final class IncomingMessage extends UnexpectedMessage
{
    /** Next message in the pool. */
    IncomingMessage next;
    int kind;
    long length;
    int typeHash;
    int elementSize;
    int sendId;
    int rkey;
    long memory;
    /** Address of the copy of an eager message's data, or 0 if it has none. */
    long data;
    private int source;
    private int tag;

    /** Copies the envelope from a header. */
    void read(final int rank, final long header)
    {
        source = rank;
        kind = MessageHeader.kind(header);
        tag = MessageHeader.tag(header);
        length = MessageHeader.length(header);
        typeHash = MessageHeader.typeHash(header);
        elementSize = MessageHeader.elementSize(header);
        if (kind != MessageHeader.EAGER)
        {
            sendId = MessageHeader.sendId(header);
            rkey = MessageHeader.rkey(header);
            memory = MessageHeader.memory(header);
        }
    }

    @Override
    int source()
    {
        return source;
    }

    @Override
    int tag()
    {
        return tag;
    }

    /** Describes the send of this message by the receiving rank's number. */
    String text(final int receiver)
    {
        return MessageOperation.text(
            true, length / elementSize, MessageHeader.type(typeHash, elementSize).shortName(), receiver, tag);
    }
}
