/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.junit.jupiter.api.Test;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.QueuePairAttributeMask;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.contract.Node;
import org.tutti.rdma.contract.Node.Send;
import org.tutti.rdma.tcp.stream.HandshakeResult;
import org.tutti.rdma.tcp.stream.WireTransport;
import org.tutti.rdma.tcp.wire.ReadLimits;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tutti.rdma.WorkCompletionStatus.LOC_QP_OP_ERR;
import static org.tutti.rdma.WorkCompletionStatus.RETRY_EXC_ERR;
import static org.tutti.rdma.WorkCompletionStatus.WR_FLUSH_ERR;

/** Tests that requests fail with a status, and events are raised, when sockets, the selector or the code fail. */
class TcpFailureTest
{
    @Test
    void shouldFailRequestsWhenConnectionIsResetWithinFrame() throws IOException
    {
        try (TcpPair pair = connected())
        {
            // These wait for receives of the peer.
            pair.acceptor().post(Send.send(11));
            pair.acceptor().post(Send.send(12));
            final SocketChannel channel = pair.connector().transport().channel();
            channel.write(ByteBuffer.wrap(Arrays.copyOf(RawPeer.write(pair.acceptor().region()), 20)));
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            channel.close();

            assertEquals(List.of(RETRY_EXC_ERR, WR_FLUSH_ERR), pair.acceptor().sent(2));
            awaitEvents(pair.connector().node(), AsyncEventType.QP_FATAL);
            assertWorksWhenRenewed(pair);
        }
    }

    @Test
    void shouldFailQueuePairWhenItsChannelIsClosed() throws IOException
    {
        try (TcpPair pair = connected())
        {
            pair.acceptor().post(Send.send(11));
            pair.acceptor().post(Send.send(12));
            pair.acceptor().transport().channel().close();

            assertEquals(List.of(LOC_QP_OP_ERR, WR_FLUSH_ERR), pair.acceptor().sent(2));
            awaitEvents(pair.acceptor().node(), AsyncEventType.QP_FATAL);
            assertEquals(QueuePairState.ERR, pair.acceptor().node().state(pair.acceptor().qpNum()));
            assertWorksWhenRenewed(pair);
        }
    }

    @Test
    void shouldFailQueuePairWhenServingItThrows()
    {
        try (TcpPair pair = new TcpPair(TcpPair.FOREVER_NS))
        {
            // No peer connects.
            pair.connectAcceptor();
            pair.acceptor().post(Send.send(11));
            final WireTransport transport = pair.acceptor().transport();
            final ScriptedChannel channel = new ScriptedChannel();
            channel.breakReads();
            assertTrue(transport.established(channel, transport.incarnation(),
                new HandshakeResult(true, true, 1, 2, transport.incarnation().psn(), ReadLimits.MAX)));

            assertEquals(List.of(LOC_QP_OP_ERR), pair.acceptor().sent(1));
            awaitEvents(pair.acceptor().node(), AsyncEventType.QP_FATAL);
            assertWorksWhenRenewed(pair);
        }
    }

    @Test
    void shouldFailAllQueuePairsWhenSelectorIsClosed() throws IOException
    {
        try (TcpPair pair = connected())
        {
            pair.acceptor().post(Send.send(11));
            pair.connector().post(Send.send(12));
            pair.acceptor().context().poller().selector().close();

            assertEquals(List.of(LOC_QP_OP_ERR), pair.acceptor().sent(1));
            awaitEvents(pair.acceptor().node(), AsyncEventType.DEVICE_FATAL, AsyncEventType.QP_FATAL);
            assertEquals(List.of(RETRY_EXC_ERR), pair.connector().sent(1));

            pair.acceptor().renew();
            pair.connectAcceptor();
            pair.acceptor().node().postSend(pair.acceptor().qpNum(), List.of(Send.send(13)));
            awaitEvents(pair.acceptor().node(), AsyncEventType.QP_FATAL);
            assertEquals(QueuePairState.ERR, pair.acceptor().node().state(pair.acceptor().qpNum()));
        }
    }

    @Test
    void shouldFailDeviceWhenThreadThrows()
    {
        try (TcpPair pair = connected())
        {
            pair.acceptor().post(Send.send(11));
            pair.acceptor().context().poller().run(() ->
            {
                throw new IllegalStateException("thrown on purpose");
            });
            assertEquals(List.of(LOC_QP_OP_ERR), pair.acceptor().sent(1));
            awaitEvents(pair.acceptor().node(), AsyncEventType.DEVICE_FATAL, AsyncEventType.QP_FATAL);
        }
    }

    @Test
    void shouldFailRequestsWhenPeerExpectsAnotherSequenceNumber()
    {
        try (TcpPair pair = new TcpPair(TcpPair.FOREVER_NS))
        {
            pair.connectAcceptor();
            pair.connectConnector();
            pair.exchange(1);
            pair.connector().renew();
            pair.acceptor().renew();
            pair.connectAcceptor();
            pair.listenConnector();
            final QueuePairAttributes attributes = new QueuePairAttributes();
            attributes.state = QueuePairState.RTS;
            attributes.sqPsn = pair.acceptor().transport().incarnation().psn() + 1;
            attributes.timeout = 1;
            pair.connector().context().queuePair(pair.connector().qpNum())
                .modify(attributes, QueuePairAttributeMask.RC_RTS);
            pair.connector().post(Send.send(11));
            assertEquals(List.of(RETRY_EXC_ERR), pair.connector().sent(1));
        }
    }

    private static TcpPair connected()
    {
        final TcpPair pair = new TcpPair(TcpPair.FOREVER_NS);
        pair.connect();
        pair.exchange(1);
        return pair;
    }

    private static void awaitEvents(final Node node, final AsyncEventType... expected)
    {
        final Set<AsyncEventType> missing = EnumSet.copyOf(List.of(expected));
        while (!missing.isEmpty())
        {
            final Node.Event event = node.awaitAsync(TcpPair.PATIENCE_MS);
            assertNotNull(event, "no event; still missing " + missing);
            missing.remove(event.type());
        }
    }

    /** Asserts that new queue pairs of the same contexts work. */
    private static void assertWorksWhenRenewed(final TcpPair pair)
    {
        pair.connector().renew();
        pair.acceptor().renew();
        pair.connect();
        pair.exchange(2);
    }
}
