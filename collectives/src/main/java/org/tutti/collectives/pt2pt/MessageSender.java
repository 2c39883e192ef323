/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

import org.tutti.collectives.endpoint.Endpoint;
import org.tutti.collectives.pt2pt.MessageOperation.Stage;
import org.tutti.collectives.util.Memory;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.util.ArrayList;
import java.util.List;

/**
 * Sends messages, in order for each peer, and writes the ranges that receivers request. Not thread-safe; allocates only
 * when more peers are busy at once than ever before.
 */
final class MessageSender
{
    private final OperationTable operations;
    private final StagingBuffers staging;
    /** The peers that have queued operations, ranges to write, or credits to send. */
    private final List<MessagePeer> busy = new ArrayList<>();

    MessageSender(final OperationTable operations, final StagingBuffers staging)
    {
        this.operations = operations;
        this.staging = staging;
    }

    boolean isBusy()
    {
        return !busy.isEmpty();
    }

    /** Begins a send; it may be done at once. */
    void send(final MessagePeer peer, final MessageOperation send)
    {
        if (!peer.queue.isEmpty() || !trySend(peer, send))
        {
            operations.add(send);
            enqueue(peer, send, Stage.SEND_QUEUED);
        }
    }

    private boolean trySend(final MessagePeer peer, final MessageOperation send)
    {
        if (!peer.isConnected())
        {
            return false;
        }
        if (peer.mayBeEager(send.length))
        {
            if (!peer.sendEager(send))
            {
                return false;
            }
            operations.finish(send);
            return true;
        }
        final boolean isNew = send.id < 0;
        if (isNew)
        {
            operations.add(send);
        }
        final RegisteredBuffer memory = send.memory;
        if (!peer.sendHeader(MessageHeader.READY_TO_SEND, send.tag(), send.length, send, send.id,
            memory == null ? 0 : memory.rkey(peer.endpoint().deviceIndex()), memory == null ? 0 : memory.address()))
        {
            if (isNew)
            {
                operations.remove(send);
            }
            return false;
        }
        send.stage = Stage.OFFERED;
        return true;
    }

    /** Queues an operation that has to send something. */
    void enqueue(final MessagePeer peer, final MessageOperation operation, final Stage stage)
    {
        operation.stage = stage;
        peer.queue.add(operation);
        busy(peer);
    }

    /** Makes sure that {@link #advance} tries a peer. */
    void busy(final MessagePeer peer)
    {
        if (!peer.isBusy)
        {
            peer.isBusy = true;
            busy.add(peer);
        }
    }

    /**
     * Sends what can be sent to the peers that are busy.
     *
     * @return amount of work done.
     */
    int advance()
    {
        int work = 0;
        for (int i = busy.size() - 1; i >= 0; i--)
        {
            final MessagePeer peer = busy.get(i);
            if (peer.isConnected())
            {
                work += advance(peer);
            }
            if (peer.queue.isEmpty() && peer.writing.isEmpty() && !peer.owesCredits())
            {
                peer.isBusy = false;
                busy.set(i, busy.getLast());
                busy.removeLast();
            }
        }
        return work;
    }

    private int advance(final MessagePeer peer)
    {
        int work = peer.owesCredits() && peer.sendCredits() ? 1 : 0;
        while (!peer.queue.isEmpty() && trySendQueued(peer))
        {
            work++;
        }
        MessageOperation write = peer.writing.first();
        while (write != null)
        {
            final MessageOperation following = write.next;
            if (tryWrite(peer, write))
            {
                peer.writing.remove(write);
                wrote(write);
                work++;
            }
            write = following;
        }
        return work;
    }

    /** Sends what the first queued operation has to send, and removes it from the queue. */
    private boolean trySendQueued(final MessagePeer peer)
    {
        // Removed first, because its thread may use it again once it is done.
        final MessageOperation first = peer.queue.remove();
        final boolean isSent = switch (first.stage)
        {
            case SEND_QUEUED -> trySend(peer, first);
            case REQUEST_QUEUED -> tryRequest(peer, first);
            default -> tryReport(peer, first);
        };
        if (!isSent)
        {
            peer.queue.addFirst(first);
        }
        return isSent;
    }

    private boolean tryReport(final MessagePeer peer, final MessageOperation receive)
    {
        if (!peer.canSend())
        {
            return false;
        }
        peer.use().signal(MessageImmediate.of(MessageImmediate.COPIED, receive.remoteId), 0);
        operations.finish(receive);
        return true;
    }

    /** Requests the next range of a message. */
    private boolean tryRequest(final MessagePeer peer, final MessageOperation receive)
    {
        if (!peer.mayRequest())
        {
            return false;
        }
        receive.range = Math.min(receive.length - receive.complete, receive.maxRange);
        final RegisteredBuffer memory = receive.memory == null ? staging.of(receive) : receive.memory;
        if (!peer.sendHeader(MessageHeader.CLEAR_TO_SEND, receive.id, receive.range, receive, receive.remoteId,
            memory.rkey(peer.endpoint().deviceIndex()),
            memory.address() + (receive.memory == null ? 0 : receive.complete)))
        {
            return false;
        }
        peer.requested++;
        receive.stage = Stage.REQUESTED;
        return true;
    }

    /** Writes the requested range; returns whether the memory of the range may be written again. */
    private boolean tryWrite(final MessagePeer peer, final MessageOperation send)
    {
        final Endpoint endpoint = peer.endpoint();
        if (send.ordinal != 0)
        {
            return endpoint.isDone(send.ordinal);
        }
        if (!endpoint.canSend())
        {
            return false;
        }
        final int immediate = MessageImmediate.of(MessageImmediate.DATA, send.remoteId);
        final long mapped = send.memory == null && endpoint.isDirect() ?
            endpoint.reach(send.remoteAddress, send.range, send.remoteRkey) : 0;
        if (mapped != 0)
        {
            copyRange(send, mapped);
            peer.use().signal(immediate, 0);
            return true;
        }
        RegisteredBuffer memory = send.memory;
        long address = memory == null ? 0 : memory.address() + send.complete;
        if (memory == null)
        {
            memory = staging.of(send);
            address = memory.address();
            copyRange(send, address);
        }
        if (!peer.use().putWithImmediate(address, memory.lkey(endpoint.deviceIndex()), (int)send.range,
            send.remoteAddress, send.remoteRkey, immediate, 0, true))
        {
            return false;
        }
        send.ordinal = endpoint.lastPut();
        return endpoint.isDone(send.ordinal);
    }

    private static void copyRange(final MessageOperation send, final long address)
    {
        Memory.copy(send.segment, send.segmentOffset + send.complete, Memory.ALL, address, send.range);
    }

    private void wrote(final MessageOperation send)
    {
        send.complete += send.range;
        if (send.complete == send.length)
        {
            operations.finish(send);
        }
        else
        {
            send.stage = Stage.OFFERED;
        }
    }

    /** Begins to write the range that a receiver has requested. */
    void onRequest(final MessagePeer peer, final IncomingMessage request)
    {
        final MessageOperation written = operations.get(request.sendId);
        if (written != null && written.stage == Stage.WRITING && written.ordinal != 0)
        {
            // The receiver has the previous range, whose completion this rank has not seen yet.
            peer.writing.remove(written);
            wrote(written);
        }
        final MessageOperation send = offered(peer, request.sendId);
        if (request.length > send.length - send.complete)
        {
            throw peer.corrupt("a request for " + request.length + " bytes");
        }
        send.stage = Stage.WRITING;
        send.remoteId = request.tag();
        send.remoteRkey = request.rkey;
        send.remoteAddress = request.memory;
        send.range = request.length;
        send.ordinal = 0;
        peer.writing.add(send);
        busy(peer);
    }

    /** Ends a send whose data the receiver has copied. */
    void onCopied(final MessagePeer peer, final int id)
    {
        operations.finish(offered(peer, id));
    }

    private MessageOperation offered(final MessagePeer peer, final int id)
    {
        final MessageOperation found = operations.get(id);
        if (found == null || found.stage != Stage.OFFERED)
        {
            throw peer.corrupt("a message for send " + id + ", which is not offered");
        }
        return found;
    }

    /** Sends nothing more, because all operations have failed. */
    void clear()
    {
        for (final MessagePeer peer : busy)
        {
            peer.queue.clear();
            peer.writing.clear();
        }
    }
}
