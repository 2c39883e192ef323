/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.contract.LocalNode;
import org.tutti.rdma.contract.Node;
import org.tutti.rdma.tcp.stream.WireTransport;
import org.tutti.rdma.tcp.wire.PrivateData;

import java.util.Arrays;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Two contexts on the loopback interface, with a queue pair each. The connector is the side that connects. */
final class TcpPair implements AutoCloseable
{
    /** Longer than a loaded machine needs for anything. */
    static final long PATIENCE_MS = 60_000;
    static final long FOREVER_NS = Long.MAX_VALUE / 2;

    /** Length of the region of each side, in bytes. */
    static final int LENGTH = 4096;

    /** One of the contexts. */
    static final class Side
    {
        private final LocalNode node;
        private TcpContext context;
        private final Node.Info info;
        private final Node.Region region;
        private int qpNum;

        Side(final TcpDevice device, final long handshakeLimitNs)
        {
            node = new LocalNode(() -> context = new TcpContext(device, handshakeLimitNs));
            info = node.open(Node.Shape.DEFAULT);
            region = node.register(0, LENGTH, AccessFlags.ALL);
            qpNum = node.createQueuePair();
        }

        TcpContext context()
        {
            return context;
        }

        LocalNode node()
        {
            return node;
        }

        Node.Region region()
        {
            return region;
        }

        int qpNum()
        {
            return qpNum;
        }

        int port()
        {
            return info.lid();
        }

        PrivateData.Place place()
        {
            return new PrivateData.Place(TcpDevice.gid(((TcpDevice)context.device()).address()), port(), qpNum);
        }

        /** The transport of the present queue pair, which is connected or about to be. */
        WireTransport transport()
        {
            return Arrays.stream(context.poller().transports())
                .filter((transport) -> transport.here().qpNum() == qpNum).findFirst().orElseThrow();
        }

        /** Replaces the queue pair, which closes its connection. */
        void renew()
        {
            node.destroyQueuePair(qpNum);
            qpNum = node.createQueuePair();
        }

        void post(final Node.Send send)
        {
            assertEquals(Node.Posted.ALL, node.postSend(qpNum, List.of(send)));
        }

        void postReceive(final long wrId)
        {
            assertEquals(Node.Posted.ALL, node.postReceive(qpNum, List.of(Node.Receive.of(wrId, region.sge(0, 8)))));
        }

        /** The statuses of the next completions of sends. */
        List<WorkCompletionStatus> sent(final int count)
        {
            return node.pollSends(count, PATIENCE_MS).stream().map(Node.Completion::status).toList();
        }
    }

    private final byte[] secret = TcpProvider.randomSecret();
    private final TcpDevice device;
    private final Side connector;
    private final Side acceptor;

    TcpPair(final long handshakeLimitNs)
    {
        this(handshakeLimitNs, TcpOptions.DEFAULT, TcpOptions.DEFAULT);
    }

    /** Gives the contexts these options, either of them to the connector. */
    TcpPair(final long handshakeLimitNs, final TcpOptions options, final TcpOptions otherOptions)
    {
        device = device(options);
        final Side one = new Side(device, handshakeLimitNs);
        final Side other = new Side(device(otherOptions), handshakeLimitNs);
        final boolean isOrdered = one.place().compareTo(other.place()) < 0;
        connector = isOrdered ? one : other;
        acceptor = isOrdered ? other : one;
    }

    private TcpDevice device(final TcpOptions options)
    {
        return (TcpDevice)new TcpProvider(secret, options).devices().getLast();
    }

    byte[] secret()
    {
        return secret;
    }

    TcpDevice device()
    {
        return device;
    }

    Side connector()
    {
        return connector;
    }

    Side acceptor()
    {
        return acceptor;
    }

    void connectConnector()
    {
        connector.node.connect(connector.qpNum, acceptor.info, acceptor.qpNum, Node.Tuning.DEFAULT);
    }

    /** Moves the queue pair of the connector to RTR. */
    void listenConnector()
    {
        connector.node.listen(connector.qpNum, acceptor.info, acceptor.qpNum, Node.Tuning.DEFAULT);
    }

    void connectAcceptor()
    {
        acceptor.node.connect(acceptor.qpNum, connector.info, connector.qpNum, Node.Tuning.DEFAULT);
    }

    void connect()
    {
        connectAcceptor();
        connectConnector();
    }

    /** Asserts that a message from the connector to the acceptor, and one back, arrive. */
    void exchange(final long value)
    {
        connector.node.putLong(0, value);
        acceptor.node.putLong(0, 0);
        acceptor.postReceive(1);
        connector.post(Node.Send.send(2, connector.region.sge(0, 8)));
        assertEquals(List.of(WorkCompletionStatus.SUCCESS), connector.sent(1));
        assertEquals(1, acceptor.node.pollReceives(1, PATIENCE_MS).size());
        assertEquals(value, acceptor.node.getLong(0));
        connector.postReceive(3);
        acceptor.post(Node.Send.send(4, acceptor.region.sge(0, 8)));
        assertEquals(List.of(WorkCompletionStatus.SUCCESS), acceptor.sent(1));
        assertEquals(1, connector.node.pollReceives(1, PATIENCE_MS).size());
    }

    @Override
    public void close()
    {
        connector.node.close();
        acceptor.node.close();
    }
}
