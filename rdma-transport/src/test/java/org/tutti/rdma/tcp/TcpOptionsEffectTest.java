/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.rdma.Device;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.contract.LocalNode;
import org.tutti.rdma.contract.Node;
import org.tutti.rdma.os.SocketCalls;
import org.tutti.rdma.select.InterfaceDevice;
import org.tutti.rdma.select.InterfaceKind;
import org.tutti.rdma.tcp.wire.Fpdu;
import org.tutti.rdma.tcp.wire.MpaFrame;
import org.tutti.rdma.tcp.wire.PrivateData;
import org.tutti.rdma.tcp.wire.Proof;
import org.tutti.rdma.tcp.wire.ReadLimits;
import org.tutti.rdma.tcp.wire.ReadRequest;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests that options take effect on sockets and frames of both sides. */
class TcpOptionsEffectTest
{
    private static final int BUFFER = 70_000;
    private static final int LENGTH = 1200;

    @Test
    void shouldSetOptionsOfSocketsOfBothSides() throws ReflectiveOperationException
    {
        final TcpOptions options = new TcpOptions(true, "reno", BUFFER, 2 * BUFFER, Fpdu.MAX_PAYLOAD, 0);
        try (TcpPair pair = new TcpPair(TcpPair.FOREVER_NS, options, options))
        {
            pair.connect();
            pair.exchange(1);
            for (final TcpPair.Side side : List.of(pair.connector(), pair.acceptor()))
            {
                final int fd = descriptor(side.transport().channel());
                assertEquals("reno", SocketCalls.congestionControl(fd));
                // The kernel reports twice the size.
                assertEquals(2 * BUFFER, SocketCalls.option(fd, SocketCalls.SO_SNDBUF));
                assertEquals(4 * BUFFER, SocketCalls.option(fd, SocketCalls.SO_RCVBUF));
            }
        }
    }

    @Test
    void shouldChangeCongestionControlOfTheKernelOnLoopbackOnly()
    {
        final TcpOptions cubic = new TcpOptions(true, "cubic", 0, 0, Fpdu.MAX_PAYLOAD, 0);
        final String onLoopback = KernelOptions.problem(cubic) == null ? "cubic" : KernelOptions.congestionControl();
        for (final Device device : new TcpProvider(TcpProvider.randomSecret(), TcpOptions.DEFAULT).devices())
        {
            final InterfaceDevice tcp = (InterfaceDevice)device;
            final boolean isLoopback = tcp.networkInterface().kind() == InterfaceKind.LOOPBACK;
            assertEquals(isLoopback ? onLoopback : KernelOptions.congestionControl(),
                tcp.settings().get("tcp_congestion_control"), tcp::name);
        }
        assertEquals("reno", new TcpOptions(true, "reno", 0, 0, Fpdu.MAX_PAYLOAD, 0).onLoopback().congestionControl());
    }

    @Test
    void shouldPollBusilyIfTheKernelPermitsIt() throws ReflectiveOperationException
    {
        final TcpOptions options = new TcpOptions(true, "", 0, 0, Fpdu.MAX_PAYLOAD, 77);
        final String problem = KernelOptions.problem(options);
        if (problem != null)
        {
            assertTrue(problem.startsWith("TUTTI_TCP_BUSY_POLL='77' is not p"), problem);
            assertEquals(problem,
                assertThrows(IllegalArgumentException.class, options::requirePermitted).getMessage());
            return;
        }
        try (TcpPair pair = new TcpPair(TcpPair.FOREVER_NS, options, options))
        {
            pair.connect();
            pair.exchange(1);
            for (final TcpPair.Side side : List.of(pair.connector(), pair.acceptor()))
            {
                assertEquals(77, SocketCalls.option(
                    descriptor(side.transport().channel()), SocketCalls.SO_BUSY_POLL));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false"})
    void shouldSendCrcIfEitherSideWantsIt(final boolean isWanted, final boolean isWantedByPeer) throws IOException
    {
        final TcpOptions options = new TcpOptions(isWanted, "", 0, 0, Fpdu.MAX_PAYLOAD, 0);
        try (TcpPair pair = new TcpPair(TcpPair.FOREVER_NS, options, options);
            RawPeer peer = connected(pair, isWanted, isWantedByPeer))
        {
            pair.acceptor().post(Node.Send.send(1, pair.acceptor().region().sge(0, 8)));

            final byte[] frame = peer.frame();
            final PeerFrames frames = new PeerFrames(isWanted || isWantedByPeer);
            // Throws if the CRC is wrong, or not 0.
            assertEquals(frame.length, frames.next(frame, 0));
            assertEquals(Fpdu.SEND, Fpdu.opcode(frames.address()));
        }
    }

    @Test
    void shouldExchangeMessagesWhenOneSideWantsCrc()
    {
        final TcpOptions without = new TcpOptions(false, "", 0, 0, Fpdu.MAX_PAYLOAD, 0);
        try (TcpPair pair = new TcpPair(TcpPair.FOREVER_NS, TcpOptions.DEFAULT, without))
        {
            pair.connect();
            pair.exchange(1);
        }
    }

    @Test
    void shouldSendFramesOfMaximumPayload() throws IOException
    {
        final TcpOptions options = new TcpOptions(true, "", 0, 0, 512, 0);
        try (TcpPair pair = new TcpPair(TcpPair.FOREVER_NS, options, options);
            RawPeer peer = connected(pair, true, true))
        {
            final Node.Region region = pair.acceptor().region();
            pair.acceptor().post(Node.Send.send(1, region.sge(0, LENGTH)));
            assertEquals(List.of(512, 512, 176), payloads(peer, Fpdu.SEND, Fpdu.UNTAGGED_HEADER));

            final PeerFrames frames = new PeerFrames(true);
            peer.send(frames.sealed(frames.untagged(Fpdu.READ_REQUEST, true, 1, 0, read(region)), 0));
            assertEquals(List.of(512, 512, 176), payloads(peer, Fpdu.READ_RESPONSE, Fpdu.TAGGED_HEADER));
        }
    }

    @Test
    void shouldTransferMessagesInShortFramesThroughSmallBuffers()
    {
        final TcpOptions options = new TcpOptions(true, "", 4096, 4096, 512, 0);
        try (TcpPair pair = new TcpPair(TcpPair.FOREVER_NS, options, TcpOptions.DEFAULT))
        {
            pair.connect();
            for (int offset = 0; offset < TcpPair.LENGTH; offset += Long.BYTES)
            {
                pair.connector().node().putLong(offset, offset + 1);
            }
            final Node.Region target = pair.acceptor().region();
            for (int i = 0; i < 100; i++)
            {
                pair.connector().post(
                    Node.Send.write(i, target, 0, pair.connector().region().sge(0, TcpPair.LENGTH)));
                assertEquals(List.of(WorkCompletionStatus.SUCCESS), pair.connector().sent(1));
            }
            for (int offset = 0; offset < TcpPair.LENGTH; offset += Long.BYTES)
            {
                assertEquals(offset + 1, pair.acceptor().node().getLong(offset));
            }
        }
    }

    /** Connects to the acceptor in place of the connector. */
    private static RawPeer connected(final TcpPair pair, final boolean isWanted, final boolean isWantedByPeer)
        throws IOException
    {
        pair.connectAcceptor();
        final RawPeer peer = new RawPeer(pair.device(), pair.acceptor().port());
        final PrivateData.Place from = pair.connector().place();
        final PrivateData.Place to = pair.acceptor().place();
        final byte[] nonce = RawPeer.nonce(1);
        final Proof proof = new Proof(pair.secret());
        final ByteBuffer request = ByteBuffer.allocate(MpaFrame.HEADER + MpaFrame.MAX_PRIVATE_DATA);
        MpaFrame.put(request, true, isWantedByPeer, ReadLimits.MAXIMUM, new PrivateData(from, to, LocalNode.PSN, 1,
            nonce, proof.of("request", from, to, LocalNode.PSN, 1, nonce)).encoded());
        peer.send(Arrays.copyOf(request.array(), request.position()));
        final byte[] confirmation = RawPeer.confirmation(
            proof.of("confirm", from, to, LocalNode.PSN, 1, nonce, peer.reply().nonce()));
        if (!isWanted && !isWantedByPeer)
        {
            Arrays.fill(confirmation, confirmation.length - Fpdu.CRC_SIZE, confirmation.length, (byte)0);
        }
        peer.send(confirmation);
        return peer;
    }

    private static byte[] read(final Node.Region source)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment request = arena.allocate(ReadRequest.SIZE);
            ReadRequest.put(request.address(), 5, 0, LENGTH, source.rkey(), source.address());
            return request.toArray(JAVA_BYTE);
        }
    }

    /** The payloads of the frames of the next message, which must have this opcode. */
    private static List<Integer> payloads(final RawPeer peer, final int opcode, final int header) throws IOException
    {
        final PeerFrames frames = new PeerFrames(true);
        final List<Integer> payloads = new ArrayList<>();
        do
        {
            final byte[] frame = peer.frame();
            assertEquals(frame.length, frames.next(frame, 0));
            assertNotEquals(Fpdu.TERMINATE, Fpdu.opcode(frames.address()));
            if (Fpdu.opcode(frames.address()) == opcode)
            {
                payloads.add(Fpdu.length(frames.address()) - header);
            }
        }
        while (Fpdu.opcode(frames.address()) != opcode || !Fpdu.isLast(frames.address()));
        return payloads;
    }

    /** The descriptor as the JDK has it. */
    private static int descriptor(final SocketChannel channel) throws ReflectiveOperationException
    {
        return (int)Class.forName("sun.nio.ch.SelChImpl").getMethod("getFDVal").invoke(channel);
    }
}
