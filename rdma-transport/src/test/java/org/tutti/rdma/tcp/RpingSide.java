/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.Context;
import org.tutti.rdma.Gid;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.contract.LocalNode;
import org.tutti.rdma.contract.Node;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * One side of {@code rping}, the test program of librdmacm. For each ping, the client sends the address, key and length
 * of its data; the server reads the data and sends a message; the client sends those of a buffer for the answer; the
 * server writes the data there and sends a message. Used by one thread.
 */
final class RpingSide implements AutoCloseable
{
    /** The message: address (8), rkey (4), length (4), all big-endian; that of the server has no meaning. */
    private static final int MESSAGE = 16;
    private static final int RECEIVED_OFFSET = 64;
    private static final int DATA_OFFSET = 4096;
    private static final int SECOND_OFFSET = 512 << 10;
    private static final int FIRST_LETTER = 'A';
    /** A request waits for the connection for 4.3 s × 8. */
    private static final Node.Tuning PATIENT = new Node.Tuning(20, 7, 7, 1, AccessFlags.ALL, 16);
    private static final int LETTERS = 'z' - 'A' + 1;

    /** What a message of the client says about its memory. */
    record Place(long address, int rkey, int length)
    {
    }

    private final LocalNode node;
    private final Node.Region region;
    private final int qpNum;
    private final int port;

    /**
     * Creates a side that is not connected.
     *
     * @param opener opens the context.
     */
    RpingSide(final Supplier<Context> opener)
    {
        node = new LocalNode(opener);
        port = node.open(Node.Shape.DEFAULT).lid();
        region = node.register(0, Node.Shape.DEFAULT.memoryLength(), AccessFlags.ALL);
        qpNum = node.createQueuePair();
    }

    LocalNode node()
    {
        return node;
    }

    int qpNum()
    {
        return qpNum;
    }

    /** The TCP port at which this side listens. */
    int port()
    {
        return port;
    }

    /** Waits for a peer to connect, from any address. */
    void listen()
    {
        connect(Gid.ZERO, 0);
    }

    /** Connects to a peer, which may start to listen within half a minute. */
    void connect(final Gid gid, final int peerPort)
    {
        connect(gid, peerPort, PATIENT);
    }

    /** Connects to a peer that listens. */
    void connect(final Gid gid, final int peerPort, final Node.Tuning tuning)
    {
        node.connect(qpNum, new Node.Info("", gid.high(), gid.low(), peerPort, 0, 0, 0, 0), 0, tuning);
        // Before, the queue pair takes no receives; an earlier message waits.
        postReceive();
    }

    /** Pings as the client; throws if the data comes back changed. */
    void ping(final int count, final int length)
    {
        for (int i = 0; i < count; i++)
        {
            final byte[] data = data(i, length);
            node.put(DATA_OFFSET, data);
            node.put(SECOND_OFFSET, new byte[length]);
            send(place(DATA_OFFSET, length));
            receive();
            send(place(SECOND_OFFSET, length));
            receive();
            final byte[] answer = node.get(SECOND_OFFSET, length);
            if (!Arrays.equals(data, answer))
            {
                throw new AssertionError("data mismatch in ping " + i + " at " + Arrays.mismatch(data, answer));
            }
        }
    }

    /** The text that rping sends: a number and letters, of which each ping begins with another one. */
    private static byte[] data(final int index, final int length)
    {
        final byte[] data = Arrays.copyOf(
            ("rdma-ping-" + index + ": ").getBytes(StandardCharsets.US_ASCII), length);
        for (int i = ("rdma-ping-" + index + ": ").length(); i < length - 1; i++)
        {
            data[i] = (byte)(FIRST_LETTER + (index + i) % LETTERS);
        }
        data[length - 1] = 0;
        return data;
    }

    /** Answers as the server; throws if the client sends anything but pings in order. */
    void serve(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            final byte[] data = read(receive());
            final String start = "rdma-ping-" + i + ": ";
            if (!new String(data, StandardCharsets.US_ASCII).startsWith(start))
            {
                throw new AssertionError("ping " + i + " does not begin with '" + start + "'");
            }
            answer(data);
        }
    }

    /** Reads the data of a client. */
    byte[] read(final Place place)
    {
        requireSuccess(post(Node.Send.rdma(
            SendOpcode.RDMA_READ, 1, place.address(), place.rkey(), region.sge(DATA_OFFSET, place.length()))));
        return node.get(DATA_OFFSET, place.length());
    }

    /** Writes data to the buffer that the client names next. */
    void answer(final byte[] data)
    {
        send(new byte[MESSAGE]);
        final Place place = receive();
        node.put(DATA_OFFSET, data);
        requireSuccess(post(Node.Send.rdma(
            SendOpcode.RDMA_WRITE, 2, place.address(), place.rkey(), region.sge(DATA_OFFSET, data.length))));
        send(new byte[MESSAGE]);
    }

    private byte[] place(final int offset, final int length)
    {
        return ByteBuffer.allocate(MESSAGE).putLong(region.address() + offset).putInt(region.rkey()).putInt(length)
            .array();
    }

    /** A piece of the memory that this side reads and writes. */
    Node.Sge sge(final int length)
    {
        return region.sge(DATA_OFFSET, length);
    }

    /** Makes the queue pair ready for another connection. */
    void reset()
    {
        node.toState(qpNum, QueuePairState.RESET);
    }

    private void send(final byte[] message)
    {
        node.put(0, message);
        requireSuccess(post(Node.Send.send(3, region.sge(0, MESSAGE))));
    }

    /** Posts a request, and waits for its completion. */
    WorkCompletionStatus post(final Node.Send request)
    {
        final Node.Posted posted = node.postSend(qpNum, List.of(request));
        if (posted.errno() != 0)
        {
            throw new AssertionError("posting failed with errno " + posted.errno());
        }
        final List<Node.Completion> done = node.pollSends(1, TcpPair.PATIENCE_MS);
        return done.isEmpty() ? WorkCompletionStatus.RESP_TIMEOUT_ERR : done.getFirst().status();
    }

    private static void requireSuccess(final WorkCompletionStatus status)
    {
        if (status != WorkCompletionStatus.SUCCESS)
        {
            throw new AssertionError("a request completed with " + status);
        }
    }

    private void postReceive()
    {
        final Node.Posted posted =
            node.postReceive(qpNum, List.of(Node.Receive.of(4, region.sge(RECEIVED_OFFSET, MESSAGE))));
        if (posted.errno() != 0)
        {
            throw new AssertionError("posting a receive failed with errno " + posted.errno());
        }
    }

    /** Waits for the next message. */
    Place receive()
    {
        final List<Node.Completion> done = node.pollReceives(1, TcpPair.PATIENCE_MS);
        requireSuccess(done.isEmpty() ? WorkCompletionStatus.RESP_TIMEOUT_ERR : done.getFirst().status());
        if (done.getFirst().byteLength() != MESSAGE)
        {
            throw new AssertionError("a message has " + done.getFirst().byteLength() + " bytes");
        }
        final ByteBuffer message = ByteBuffer.wrap(node.get(RECEIVED_OFFSET, MESSAGE));
        postReceive();
        return new Place(message.getLong(), message.getInt(), message.getInt());
    }

    /** Waits until the peer has closed the connection, which flushes the receive. */
    WorkCompletionStatus awaitEnd()
    {
        final List<Node.Completion> done = node.pollReceives(1, TcpPair.PATIENCE_MS);
        return done.isEmpty() ? WorkCompletionStatus.RESP_TIMEOUT_ERR : done.getFirst().status();
    }

    @Override
    public void close()
    {
        node.close();
    }
}
