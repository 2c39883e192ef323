/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.rdma.Errno;
import org.tutti.rdma.Gid;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.contract.Node;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Tests connections between contexts that regard each other as standard peers: as other implementations of iWARP, which
 * know neither Tutti's private data nor the secret.
 */
class StandardPeersTest
{
    private static final Gid LOCALHOST = TcpDevice.gid(InetAddress.getLoopbackAddress());

    private static TcpProvider provider(final boolean isCrcUsed)
    {
        return new TcpProvider(
            TcpProvider.randomSecret(), TcpOptions.of(Map.of("TUTTI_TCP_CRC", isCrcUsed ? "1" : "0")));
    }

    /** A device for standard peers. */
    static TcpDevice device(final String name, final boolean isCrcUsed, final int port)
    {
        return (TcpDevice)provider(isCrcUsed).acceptingStandardPeers(port).devices().stream()
            .filter((device) -> device.name().equals(name)).findFirst().orElseThrow();
    }

    private static RpingSide rping(final boolean isCrcUsed)
    {
        return new RpingSide(device("lo", isCrcUsed, 0)::open);
    }

    private static void connect(final RpingSide client, final RpingSide server)
    {
        server.listen();
        client.connect(LOCALHOST, server.port());
    }

    @ParameterizedTest
    @CsvSource({"true, true, 64", "true, false, 100000", "false, true, 5000", "false, false, 200000"})
    void shouldReadAndWriteAsRping(final boolean isServerCrcUsed, final boolean isClientCrcUsed, final int length)
    {
        try (RpingSide server = rping(isServerCrcUsed); RpingSide client = rping(isClientCrcUsed))
        {
            connect(client, server);
            final CompletableFuture<Void> served = CompletableFuture.runAsync(() -> server.serve(10));
            client.ping(10, length);
            served.join();
        }
    }

    @Test
    void shouldServeClientsInOrder()
    {
        try (RpingSide server = rping(true); RpingSide first = rping(true); RpingSide second = rping(true))
        {
            for (final RpingSide client : new RpingSide[]{first, second})
            {
                connect(client, server);
                final CompletableFuture<Void> served = CompletableFuture.runAsync(() -> server.serve(1));
                client.ping(1, 64);
                served.join();
                client.close();
                assertEquals(WorkCompletionStatus.WR_FLUSH_ERR, server.awaitEnd());
                assertEquals(QueuePairState.ERR, server.node().state(server.qpNum()));
                server.reset();
            }
        }
    }

    @Test
    void shouldReportWrongKeyOfReadAndWrite()
    {
        try (RpingSide server = rping(true); RpingSide client = rping(true))
        {
            for (final int opcode : new int[]{SendOpcode.RDMA_READ, SendOpcode.RDMA_WRITE})
            {
                connect(client, server);
                final CompletableFuture<Void> pinged = CompletableFuture.runAsync(() -> client.ping(1, 64));
                final RpingSide.Place place = server.receive();
                final WorkCompletionStatus status = server.post(Node.Send.rdma(opcode, 9, place.address(),
                    place.rkey() + 1, server.sge(64)));
                // A write is complete once it is sent, so that the error only flushes the receive.
                assertEquals(opcode == SendOpcode.RDMA_READ ? WorkCompletionStatus.REM_ACCESS_ERR :
                    WorkCompletionStatus.SUCCESS, status);
                assertEquals(WorkCompletionStatus.WR_FLUSH_ERR, server.awaitEnd());
                assertThrows(RuntimeException.class, pinged::join);
                server.reset();
                client.reset();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {SendOpcode.RDMA_WRITE_WITH_IMM, SendOpcode.SEND_WITH_IMM, SendOpcode.ATOMIC_CMP_AND_SWP,
        SendOpcode.ATOMIC_FETCH_AND_ADD})
    void shouldRejectRequestsThatStandardPeersDoNotKnow(final int opcode)
    {
        try (RpingSide server = rping(true); RpingSide client = rping(true))
        {
            connect(client, server);
            for (final RpingSide each : new RpingSide[]{server, client})
            {
                final Node.Send request = Node.Send.rdma(opcode, 1, 0, 0, each.sge(8));
                assertEquals(new Node.Posted(Errno.EINVAL, 0),
                    each.node().postSend(each.qpNum(), List.of(request)));
            }
        }
    }

    @Test
    void shouldRejectStandardPeerUnlessProviderAcceptsThem()
    {
        try (RpingSide rping = new RpingSide(provider(true).devices().getLast()::open))
        {
            final RdmaException e = assertThrows(RdmaException.class, rping::listen);
            assertEquals(Errno.EINVAL, e.errno());
            assertTrue(e.getMessage().contains("acceptingStandardPeers"), e.getMessage());
        }
    }

    @Test
    void shouldCloseConnectionOfStandardPeerUnlessProviderAcceptsThem() throws IOException
    {
        try (TcpPair pair = new TcpPair(TcpPair.FOREVER_NS))
        {
            pair.connectAcceptor();
            try (RawPeer stranger = new RawPeer(pair.device(), pair.acceptor().port()))
            {
                stranger.send(StandardFramesTest.basic(true, 1));
                assertArrayEquals(new byte[0], stranger.rest());
            }
        }
    }

    @Test
    void shouldListenAtPort()
    {
        final int port;
        try (RpingSide any = rping(true))
        {
            port = any.port();
        }
        final TcpDevice device = device("lo", true, port);
        try (RpingSide server = new RpingSide(device::open))
        {
            assertEquals(port, server.port());
            final RdmaException e = assertThrows(RdmaException.class, device::open);
            assertTrue(e.getMessage().contains("port " + port), e.getMessage());
        }
        assertThrows(IllegalArgumentException.class, () -> new TcpProvider().acceptingStandardPeers(65_536));
    }
}
