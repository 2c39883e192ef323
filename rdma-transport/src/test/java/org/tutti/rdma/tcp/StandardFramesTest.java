/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.contract.Node;
import org.tutti.rdma.tcp.wire.Fpdu;
import org.tutti.rdma.tcp.wire.MpaFrame;
import org.tutti.rdma.tcp.wire.ReadLimits;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests the frames that a context exchanges with a standard peer, here a socket. */
class StandardFramesTest
{
    private static final int ACCEPT_MS = 1000;
    private static final byte[] NOTHING = {};
    private static final byte[] MESSAGE = new byte[16];
    private static final int FRAME = Fpdu.UNTAGGED_HEADER + 16 + Fpdu.CRC_SIZE;
    private static final PeerFrames FRAMES = new PeerFrames(true);

    private final TcpDevice device = StandardPeersTest.device("lo", true, 0);

    /** An MPA frame without limits or private data that requests no CRCs. */
    static byte[] basic(final boolean isRequest, final int revision)
    {
        final ByteBuffer frame = ByteBuffer.allocate(MpaFrame.HEADER);
        MpaFrame.putBasic(frame, isRequest, false, revision);
        return frame.array();
    }

    private static byte[] enhanced(final boolean isRequest, final ReadLimits limits, final byte[] privateData)
    {
        final ByteBuffer frame = ByteBuffer.allocate(MpaFrame.HEADER + ReadLimits.SIZE + privateData.length);
        MpaFrame.put(frame, isRequest, false, limits, privateData);
        return frame.array();
    }

    private static byte[] send(final int msn)
    {
        return FRAMES.sealed(FRAMES.untagged(Fpdu.SEND, true, msn, 0, MESSAGE), 0);
    }

    private RpingSide rping()
    {
        return rping(Handshakes.LIMIT_NS);
    }

    private RpingSide rping(final long limitNs)
    {
        return new RpingSide(() -> new TcpContext(device, limitNs));
    }

    /** Connects a peer by a request, to which the reply has no limits. */
    private RawPeer connected(final RpingSide server) throws IOException
    {
        server.listen();
        final RawPeer peer = new RawPeer(device, server.port());
        peer.send(basic(true, 1));
        peer.receive(MpaFrame.HEADER);
        return peer;
    }

    /** Prepares for a peer that does not connect. */
    private void expectTuttiPeer(final RpingSide server)
    {
        server.node().connect(server.qpNum(),
            new Node.Info("", 0, TcpDevice.gid(device.address()).low(), 1, 0, 0, 0, 0), 5, Node.Tuning.DEFAULT);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldReplyInRevisionOfRequestWithoutLimits(final int revision) throws IOException
    {
        try (RpingSide server = rping())
        {
            server.listen();
            try (RawPeer peer = new RawPeer(device, server.port()))
            {
                peer.send(basic(true, revision));
                final ByteBuffer reply = ByteBuffer.wrap(peer.receive(MpaFrame.HEADER));
                assertTrue(MpaFrame.isPlausible(reply, MpaFrame.HEADER, false));
                assertEquals(revision, MpaFrame.revision(reply));
                assertEquals(MpaFrame.HEADER, MpaFrame.length(reply));
                assertTrue(MpaFrame.isCrcUsed(reply));
                peer.send(send(1));
                server.receive();
            }
        }
    }

    @Test
    void shouldReplyWithLimitsAndWithoutPrivateDataWhenRequestIsEnhanced() throws IOException
    {
        try (RpingSide server = rping())
        {
            server.listen();
            try (RawPeer peer = new RawPeer(device, server.port()))
            {
                peer.send(enhanced(true, new ReadLimits(2, 5), new byte[]{1, 2, 3}));
                final ByteBuffer reply = ByteBuffer.wrap(peer.receive(MpaFrame.HEADER + ReadLimits.SIZE));
                assertTrue(MpaFrame.isPlausible(reply, reply.capacity(), false));
                assertEquals(new ReadLimits(5, 2), MpaFrame.readLimits(reply));
                assertEquals(reply.capacity(), MpaFrame.length(reply));
                peer.send(send(1));
                server.receive();
            }
        }
    }

    @Test
    void shouldStartNoMoreReadsThanPeerAnswers() throws IOException
    {
        try (RpingSide server = rping())
        {
            server.listen();
            try (RawPeer peer = new RawPeer(device, server.port()))
            {
                peer.send(enhanced(true, new ReadLimits(1, 1), NOTHING));
                peer.receive(MpaFrame.HEADER + ReadLimits.SIZE);
                peer.send(send(1));
                server.receive();
                final Node.Send read = Node.Send.rdma(SendOpcode.RDMA_READ, 1, 0, 7, server.sge(8));
                server.node().postSend(server.qpNum(), List.of(read, read));
                final int request = Fpdu.UNTAGGED_HEADER + 28 + Fpdu.CRC_SIZE;
                for (int i = 1; i <= 2; i++)
                {
                    final byte[] frame = peer.receive(request);
                    assertEquals(frame.length, FRAMES.next(frame, 0));
                    assertEquals(i, Fpdu.msn(FRAMES.address()));
                    assertEquals(0, peer.available());
                    final Node.Sge sge = server.sge(8);
                    peer.send(FRAMES.sealed(
                        FRAMES.tagged(Fpdu.READ_RESPONSE, true, sge.lkey(), sge.address(), new byte[8]), 0));
                    assertEquals(1, server.node().pollSends(1, TcpPair.PATIENCE_MS).size());
                }
            }
        }
    }

    @Test
    void shouldFailReadWhenPeerAnswersNone() throws IOException
    {
        try (RpingSide server = rping())
        {
            server.listen();
            try (RawPeer peer = new RawPeer(device, server.port()))
            {
                peer.send(enhanced(true, new ReadLimits(0, 1), NOTHING));
                peer.receive(MpaFrame.HEADER + ReadLimits.SIZE);
                peer.send(send(1));
                server.receive();
                assertEquals(WorkCompletionStatus.LOC_QP_OP_ERR,
                    server.post(Node.Send.rdma(SendOpcode.RDMA_READ, 1, 0, 7, server.sge(8))));
            }
        }
    }

    @Test
    void shouldBeSilentBeforeFirstFrameOfPeer() throws IOException
    {
        try (RpingSide server = rping(); RawPeer peer = connected(server))
        {
            server.node().postSend(server.qpNum(), List.of(Node.Send.send(1, server.sge(16))));
            // Whatever the server sent is there at once: both are on one host.
            server.node().pollSends(1, 50);
            assertEquals(0, peer.available());

            // An empty WRITE, as RFC 6581 proposes.
            peer.send(FRAMES.sealed(FRAMES.tagged(Fpdu.WRITE, true, 0, 0, NOTHING), 0));
            assertEquals(FRAME, FRAMES.next(peer.receive(FRAME), 0));
            assertEquals(Fpdu.SEND, Fpdu.opcode(FRAMES.address()));
            assertEquals(1, Fpdu.msn(FRAMES.address()));
            assertEquals(1, server.node().pollSends(1, TcpPair.PATIENCE_MS).size());
        }
    }

    @Test
    void shouldConnectByRevision1WhenPeerDoesNotKnowRevision2() throws IOException
    {
        try (ServerSocket listening = new ServerSocket(0, 8, device.address()); RpingSide client = rping())
        {
            client.connect(TcpDevice.gid(device.address()), listening.getLocalPort());
            client.node().postSend(client.qpNum(), List.of(Node.Send.send(1, client.sge(16))));
            try (RawPeer peer = new RawPeer(listening.accept()))
            {
                final ByteBuffer request = ByteBuffer.wrap(peer.receive(MpaFrame.HEADER + ReadLimits.SIZE));
                assertTrue(MpaFrame.isPlausible(request, request.capacity(), true));
                assertEquals(2, MpaFrame.revision(request));
                assertEquals(new ReadLimits(16, 16), MpaFrame.readLimits(request));
            }
            try (RawPeer peer = new RawPeer(listening.accept()))
            {
                final ByteBuffer request = ByteBuffer.wrap(peer.receive(MpaFrame.HEADER));
                assertEquals(1, MpaFrame.revision(request));
                assertNull(MpaFrame.readLimits(request));
                peer.send(basic(false, 1));
                assertEquals(FRAME, FRAMES.next(peer.receive(FRAME), 0));
                assertEquals(1, Fpdu.msn(FRAMES.address()));
            }
        }
    }

    @Test
    void shouldFailRequestsWhenPeerRejectsConnection() throws IOException
    {
        try (ServerSocket listening = new ServerSocket(0, 8, device.address()); RpingSide client = rping())
        {
            client.connect(
                TcpDevice.gid(device.address()), listening.getLocalPort(), Node.Tuning.DEFAULT.withTimeout(7));
            client.node().postSend(client.qpNum(), List.of(Node.Send.send(1, client.sge(16))));
            listening.setSoTimeout(ACCEPT_MS);
            List<Node.Completion> done = List.of();
            while (done.isEmpty())
            {
                try (RawPeer peer = new RawPeer(listening.accept()))
                {
                    peer.receive(MpaFrame.HEADER + ReadLimits.SIZE);
                    final byte[] reply = enhanced(false, new ReadLimits(1, 1), NOTHING);
                    reply[16] |= 0x20;
                    peer.send(reply);
                    done = client.node().pollSends(1, 100);
                }
                catch (final SocketTimeoutException ex)
                {
                    // The queue pair does not connect again once its timeout is over.
                    done = client.node().pollSends(1, 100);
                }
            }
            assertEquals(WorkCompletionStatus.RETRY_EXC_ERR, done.getFirst().status());
        }
    }

    @Test
    void shouldCloseConnectionWhenDataFollowsRequestBeforeReply() throws IOException
    {
        try (RpingSide server = rping(TcpPair.FOREVER_NS); RawPeer peer = new RawPeer(device, server.port()))
        {
            expectTuttiPeer(server);
            peer.send(basic(true, 1));
            peer.send(send(1));
            assertArrayEquals(NOTHING, peer.rest());
        }
    }

    @Test
    void shouldGiveStandardPeerNoQueuePairOfTuttiPeer() throws IOException
    {
        try (RpingSide server = rping(100_000_000L); RawPeer peer = new RawPeer(device, server.port()))
        {
            expectTuttiPeer(server);
            peer.send(basic(true, 1));
            assertArrayEquals(NOTHING, peer.rest());
            assertEquals(QueuePairState.RTS, server.node().state(server.qpNum()));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Fpdu.SEND_INVALIDATE, Fpdu.SEND_SOLICITED_INVALIDATE, Fpdu.IMMEDIATE, Fpdu.IMMEDIATE_SOLICITED,
        Fpdu.ATOMIC_REQUEST})
    void shouldTerminateWhenStandardPeerSendsOtherMessages(final int opcode) throws IOException
    {
        try (RpingSide server = rping(); RawPeer peer = connected(server))
        {
            peer.send(FRAMES.sealed(FRAMES.untagged(opcode, true, 1, 0, new byte[8]), 0));
            final byte[] rest = peer.rest();
            assertEquals(rest.length, FRAMES.next(rest, 0));
            assertEquals(Fpdu.UNTAGGED_HEADER + 4 + Fpdu.CRC_SIZE, rest.length);
            assertEquals(Fpdu.TERMINATE, Fpdu.opcode(FRAMES.address()));
            assertEquals(0x02FF_0000, Fpdu.getInt(FRAMES.address() + Fpdu.UNTAGGED_HEADER));
            assertEquals(WorkCompletionStatus.WR_FLUSH_ERR, server.awaitEnd());
        }
    }

    /** The TERMINATE of siw, with layer and type swapped, and the header of the read that failed behind it. */
    @ParameterizedTest
    @CsvSource({"1000, REM_ACCESS_ERR", "0100, REM_ACCESS_ERR", "2102, RNR_RETRY_EXC_ERR"})
    void shouldFailReadWithErrorOfTerminate(final String error, final WorkCompletionStatus status) throws IOException
    {
        try (RpingSide server = rping(); RawPeer peer = connected(server))
        {
            peer.send(send(1));
            server.receive();
            server.node().postSend(server.qpNum(),
                List.of(Node.Send.rdma(SendOpcode.RDMA_READ, 1, 0, 7, server.sge(8))));
            final byte[] payload = ByteBuffer.allocate(52).putShort((short)Integer.parseInt(error, 16)).array();
            peer.send(FRAMES.sealed(FRAMES.untagged(Fpdu.TERMINATE, true, 1, 0, payload), 0));
            assertEquals(status, server.node().pollSends(1, TcpPair.PATIENCE_MS).getFirst().status());
            assertEquals(WorkCompletionStatus.WR_FLUSH_ERR, server.awaitEnd());
        }
    }

    @Test
    @SuppressWarnings("try") // The test closes it a first time.
    void shouldSayNothingWhenClosed() throws IOException
    {
        try (RpingSide server = rping(); RawPeer peer = connected(server))
        {
            peer.send(send(1));
            server.receive();
            server.close();
            assertArrayEquals(NOTHING, peer.rest());
        }
    }
}
