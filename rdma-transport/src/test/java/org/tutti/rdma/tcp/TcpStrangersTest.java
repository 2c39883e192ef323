/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.junit.jupiter.api.Test;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.tcp.wire.Fpdu;
import org.tutti.rdma.tcp.wire.PrivateData;
import org.tutti.rdma.tcp.wire.Proof;
import org.tutti.rdma.tcp.wire.Terminate;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

/**
 * Tests that sockets that connect to a context without being its peer reach no memory, are closed, and keep out no
 * peer. Where handshakes have no limit of time, a socket is closed for what it said.
 */
class TcpStrangersTest
{
    private static final byte[] NOTHING = {};

    @Test
    void shouldCloseConnectionWhenStrangerIsSilent() throws IOException
    {
        try (TcpPair pair = new TcpPair(10_000_000L))
        {
            pair.connectAcceptor();
            try (RawPeer stranger = new RawPeer(pair.device(), pair.acceptor().port()))
            {
                assertArrayEquals(NOTHING, stranger.rest());
            }
        }
    }

    @Test
    void shouldCloseConnectionWhenRequestIsNotComplete() throws IOException
    {
        try (TcpPair pair = new TcpPair(10_000_000L))
        {
            pair.connectAcceptor();
            try (RawPeer stranger = new RawPeer(pair.device(), pair.acceptor().port()))
            {
                stranger.send("MPA ID Req Frame".getBytes(StandardCharsets.US_ASCII));
                assertArrayEquals(NOTHING, stranger.rest());
            }
        }
    }

    @Test
    void shouldCloseConnectionWhenStrangerSendsAnythingButRequest() throws IOException
    {
        try (TcpPair pair = new TcpPair(TcpPair.FOREVER_NS))
        {
            pair.connectAcceptor();
            final List<byte[]> garbage = List.of("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
                "MPA ID Rep Frame".getBytes(StandardCharsets.US_ASCII), RawPeer.write(pair.acceptor().region()));
            for (final byte[] bytes : garbage)
            {
                try (RawPeer stranger = new RawPeer(pair.device(), pair.acceptor().port()))
                {
                    stranger.send(bytes);
                    assertArrayEquals(NOTHING, stranger.rest());
                }
            }
            pair.connectConnector();
            assertEquals(0, pair.acceptor().node().getLong(0));
            pair.exchange(5);
        }
    }

    @Test
    void shouldCloseConnectionWhenSecretIsWrong() throws IOException
    {
        try (TcpPair pair = new TcpPair(TcpPair.FOREVER_NS))
        {
            pair.connectAcceptor();
            try (RawPeer stranger = new RawPeer(pair.device(), pair.acceptor().port()))
            {
                stranger.send(RawPeer.request(TcpProvider.randomSecret(), pair.connector().place(),
                    pair.acceptor().place(), 1, RawPeer.nonce(1)));
                stranger.send(RawPeer.write(pair.acceptor().region()));
                assertArrayEquals(NOTHING, stranger.rest());
            }
            pair.connectConnector();
            assertEquals(0, pair.acceptor().node().getLong(0));
            pair.exchange(6);
        }
    }

    @Test
    void shouldConnectPeerWhenItsRequestIsReplayed() throws IOException
    {
        try (TcpPair pair = new TcpPair(TcpPair.FOREVER_NS))
        {
            pair.connectAcceptor();
            final byte[] recorded = request(pair, 1, 1);
            try (RawPeer stranger = new RawPeer(pair.device(), pair.acceptor().port());
                RawPeer another = new RawPeer(pair.device(), pair.acceptor().port()))
            {
                stranger.send(recorded);
                final PrivateData reply = stranger.reply();
                assertNotNull(reply);
                another.send(recorded);
                assertArrayEquals(NOTHING, another.rest());

                // The confirmation that was recorded with the request, for another nonce of the acceptor.
                stranger.send(confirmation(pair, RawPeer.nonce(1), RawPeer.nonce(2)));
                stranger.send(RawPeer.write(pair.acceptor().region()));
                assertArrayEquals(NOTHING, stranger.rest());
            }
            pair.connectConnector();
            assertEquals(0, pair.acceptor().node().getLong(0));
            pair.exchange(7);
        }
    }

    @Test
    void shouldConnectPeerWhenReplayedRequestIsNotConfirmed() throws IOException
    {
        try (TcpPair pair = new TcpPair(TcpPair.FOREVER_NS))
        {
            pair.connectAcceptor();
            try (RawPeer stranger = new RawPeer(pair.device(), pair.acceptor().port()))
            {
                stranger.send(request(pair, 0, 1));
                assertNotNull(stranger.reply());
                pair.connectConnector();
                pair.exchange(8);
                assertTerminated(stranger.rest());
            }
        }
    }

    @Test
    void shouldAnswerOnlyTheLatestIncarnationOfPeer() throws IOException
    {
        try (TcpPair pair = new TcpPair(TcpPair.FOREVER_NS))
        {
            pair.connectAcceptor();
            try (RawPeer second = new RawPeer(pair.device(), pair.acceptor().port());
                RawPeer third = new RawPeer(pair.device(), pair.acceptor().port());
                RawPeer first = new RawPeer(pair.device(), pair.acceptor().port()))
            {
                second.send(request(pair, 2, 1));
                assertNotNull(second.reply());
                third.send(request(pair, 3, 2));
                assertNotNull(third.reply());
                assertTerminated(second.rest());
                first.send(request(pair, 1, 3));
                assertArrayEquals(NOTHING, first.rest());
            }
        }
    }

    @Test
    void shouldEndHandshakeWhenQueuePairIsReset() throws IOException
    {
        try (TcpPair pair = new TcpPair(TcpPair.FOREVER_NS))
        {
            pair.connectAcceptor();
            try (RawPeer early = new RawPeer(pair.device(), pair.acceptor().port()))
            {
                early.send(request(pair, 1, 1));
                final PrivateData reply = early.reply();
                pair.acceptor().node().toState(pair.acceptor().qpNum(), QueuePairState.RESET);
                pair.connectAcceptor();
                early.send(confirmation(pair, RawPeer.nonce(1), reply.nonce()));
                early.send(RawPeer.write(pair.acceptor().region()));
                assertTerminated(early.rest());
            }
            pair.connectConnector();
            assertEquals(0, pair.acceptor().node().getLong(0));
            pair.exchange(9);
        }
    }

    @Test
    void shouldConnectPeerWhenMoreStrangersThanTheLimitAreSilent() throws IOException
    {
        final List<RawPeer> strangers = new ArrayList<>();
        try (TcpPair pair = new TcpPair(TcpPair.FOREVER_NS))
        {
            pair.connectAcceptor();
            for (int i = 0; i < Handshakes.MAX_STRANGERS + 10; i++)
            {
                strangers.add(new RawPeer(pair.device(), pair.acceptor().port()));
            }
            pair.connectConnector();
            pair.exchange(10);
            for (int i = 0; i < 10; i++)
            {
                assertArrayEquals(NOTHING, strangers.get(i).rest());
            }
        }
        finally
        {
            for (final RawPeer stranger : strangers)
            {
                stranger.close();
            }
        }
    }

    private static byte[] request(final TcpPair pair, final long incarnation, final int nonce)
    {
        return RawPeer.request(pair.secret(), pair.connector().place(), pair.acceptor().place(), incarnation,
            RawPeer.nonce(nonce));
    }

    private static byte[] confirmation(final TcpPair pair, final byte[] connectorNonce, final byte[] acceptorNonce)
    {
        final byte[] proof = new Proof(pair.secret()).of(
            "confirm", pair.connector().place(), pair.acceptor().place(), 0, 1, connectorNonce, acceptorNonce);
        return RawPeer.confirmation(proof);
    }

    /** Asserts that the end of a connection was announced, so that the peer does not take it for a failure. */
    private static void assertTerminated(final byte[] rest)
    {
        assertEquals(Fpdu.UNTAGGED_HEADER + Terminate.SIZE + Fpdu.CRC_SIZE, rest.length);
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment frame = arena.allocate(rest.length);
            frame.copyFrom(MemorySegment.ofArray(rest));
            assertEquals(Fpdu.TERMINATE, Fpdu.opcode(frame.address()));
            assertEquals(Terminate.CLOSED, Terminate.error(frame.address() + Fpdu.UNTAGGED_HEADER));
            assertEquals(0, Terminate.executed(frame.address() + Fpdu.UNTAGGED_HEADER));
            assertNotEquals(0, Fpdu.getCrc(frame.address() + Fpdu.UNTAGGED_HEADER + Terminate.SIZE));
        }
    }
}
