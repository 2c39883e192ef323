/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

import org.tutti.collectives.endpoint.Endpoint;
import org.tutti.collectives.exec.StagingBuffer;
import org.tutti.collectives.pt2pt.MessageOperation.Stage;
import org.tutti.collectives.util.Memory;

import java.lang.foreign.MemorySegment;

/**
 * Takes messages from the inboxes, matches them with receives, and takes their data. Not thread-safe; allocates nothing
 * once as many messages have been unexpected before.
 */
final class MessageReceiver
{
    /** Maximum length in bytes of a range between registered memory: the length of a work request has 32 bits. */
    private static final long MAX_REGISTERED_RANGE = 1L << 30;

    private final OperationTable operations;
    private final StagingBuffers staging;
    private final MessageSender sender;
    private final MessageDiagnosis diagnosis;
    private final MessagePeers peers;
    private final MatchingQueues<MessageOperation, IncomingMessage> queues;
    private final UnexpectedStorage storage = new UnexpectedStorage();
    private IncomingMessage pooled;
    /** The message that is being matched. */
    private IncomingMessage arrived = new IncomingMessage();

    MessageReceiver(
        final OperationTable operations, final StagingBuffers staging, final MessageSender sender,
        final MatchingQueues<MessageOperation, IncomingMessage> queues, final MessageDiagnosis diagnosis,
        final MessagePeers peers)
    {
        this.operations = operations;
        this.staging = staging;
        this.sender = sender;
        this.diagnosis = diagnosis;
        this.peers = peers;
        this.queues = queues;
    }

    /** Begins a receive; it may be done at once. */
    void receive(final MessageOperation receive)
    {
        final IncomingMessage message = queues.takeUnexpected(receive.source(), receive.tag());
        if (message != null)
        {
            match(receive, message, message.data);
            release(message);
            return;
        }
        operations.add(receive);
        receive.stage = Stage.POSTED;
        queues.post(receive);
    }

    /** Takes the message at an offset of an inbox, in units. */
    void onMessage(final MessagePeer peer, final int units)
    {
        final int rank = peer.rank();
        final long header = peer.arrived(units);
        final IncomingMessage message = arrived;
        message.read(rank, header);
        if (message.kind == MessageHeader.CLEAR_TO_SEND)
        {
            peer.taken(units, MessageHeader.LENGTH);
            sender.onRequest(peer, message);
        }
        else
        {
            final boolean isEager = message.kind == MessageHeader.EAGER;
            if (message.elementSize <= 0 || message.length < 0 || (isEager && message.length > MessageInbox.MAX_EAGER))
            {
                throw peer.corrupt("a message of " + message.length + " bytes");
            }
            final MessageOperation receive = queues.takePosted(rank, message.tag());
            if (receive != null)
            {
                match(receive, message, header + MessageHeader.EAGER_LENGTH);
            }
            else
            {
                keep(message, header + MessageHeader.EAGER_LENGTH);
            }
            peer.taken(units, isEager ? MessageHeader.EAGER_LENGTH + (int)message.length : MessageHeader.LENGTH);
        }
        if (peer.owesCredits())
        {
            sender.busy(peer);
        }
    }

    /** Keeps a message until a receive matches it. */
    private void keep(final IncomingMessage message, final long data)
    {
        if (message.kind == MessageHeader.EAGER && message.length > 0)
        {
            message.data = storage.take((int)message.length);
            MessagePeer.copy(data, message.data, (int)message.length);
        }
        queues.add(message);
        operations.wakeProbes();
        arrived = pooled == null ? new IncomingMessage() : pooled;
        pooled = arrived.next;
    }

    private void release(final IncomingMessage message)
    {
        if (message.data != 0)
        {
            storage.give(message.data, (int)message.length);
            message.data = 0;
        }
        message.next = pooled;
        pooled = message;
    }

    /**
     * Matches a receive with a message.
     *
     * @param data address of the data of an eager message.
     */
    private void match(final MessageOperation receive, final IncomingMessage message, final long data)
    {
        final MessagePeer peer = peers.get(message.source());
        if (message.typeHash != MessageHeader.typeHash(receive.type) ||
            message.elementSize != receive.type.size() || message.length > receive.length)
        {
            throw diagnosis.mismatch(receive, message);
        }
        receive.matchedSource = message.source();
        receive.matchedTag = message.tag();
        receive.length = message.length;
        if (message.kind == MessageHeader.EAGER)
        {
            copyEager(receive, data, (int)message.length);
            peer.matched(message.length);
            if (peer.owesCredits())
            {
                sender.busy(peer);
            }
            operations.finish(receive);
            return;
        }
        if (receive.id < 0)
        {
            operations.add(receive);
        }
        receive.remoteId = message.sendId;
        receive.maxRange =
            receive.memory == null || message.memory == 0 ? StagingBuffer.MAX_LENGTH : MAX_REGISTERED_RANGE;
        sender.enqueue(peer, receive, message.length == 0 || isCopied(peer, receive, message) ?
            Stage.REPORT_QUEUED : Stage.REQUEST_QUEUED);
    }

    private static void copyEager(final MessageOperation receive, final long data, final int length)
    {
        if (receive.memory != null)
        {
            MessagePeer.copy(data, receive.memory.address(), length);
        }
        else
        {
            MemorySegment.copy(Memory.ALL, data, receive.segment, receive.segmentOffset, length);
        }
    }

    /** Copies the data from the sender's memory, if that is mapped in this process. */
    private boolean isCopied(final MessagePeer peer, final MessageOperation receive, final IncomingMessage message)
    {
        if (message.memory == 0 || !peer.isConnected() || !peer.endpoint().isDirect())
        {
            return false;
        }
        final Endpoint endpoint = peer.endpoint();
        final long source = endpoint.reach(message.memory, message.length, message.rkey);
        if (source == 0)
        {
            return false;
        }
        if (receive.memory == null)
        {
            Memory.copy(Memory.ALL, source, receive.segment, receive.segmentOffset, message.length);
        }
        else
        {
            Memory.copy(source, receive.memory.address(), message.length);
        }
        if (!endpoint.isInputValid())
        {
            throw diagnosis.gaveUp(receive.sequence, peer.rank());
        }
        return true;
    }

    /** Frees the memory of messages that no receive has matched. */
    void free()
    {
        storage.close();
    }

    /** Takes a range that a peer has written. */
    void onData(final MessagePeer peer, final int id)
    {
        final MessageOperation receive = operations.get(id);
        if (receive == null || receive.stage != Stage.REQUESTED)
        {
            throw peer.corrupt("data for receive " + id + ", which has requested none");
        }
        peer.requested--;
        if (receive.memory == null)
        {
            Memory.copy(Memory.ALL, staging.of(receive).address(), receive.segment,
                receive.segmentOffset + receive.complete, receive.range);
        }
        receive.complete += receive.range;
        if (receive.complete == receive.length)
        {
            operations.finish(receive);
        }
        else
        {
            sender.enqueue(peer, receive, Stage.REQUEST_QUEUED);
        }
    }
}
