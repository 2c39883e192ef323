/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes started without ssh on a network with strangers, where connections are read and reset, and hosts lose power.
 * {@link NodesTest} has the other tests.
 */
class NodeNetworkTest
{
    private final String marker = "TUTTI_MARKER=" + UUID.randomUUID();
    private final int port = NodeCommands.freePort();

    @Test
    void shouldKeepSecretsFromTheNetwork(@TempDir final Path directory) throws IOException
    {
        final String command = "echo ran; printf %s $TUTTI_SECRET >" + directory + "/$RANK";
        try (RecordingProxy network = new RecordingProxy(port);
            TuttiProcess one = NodeCommands.start(network.port(), Map.of(), 2, 1, "sh", "-c", command);
            TuttiProcess zero = node(2, 0, "-q", "sh", "-c", command))
        {
            assertEquals(new TuttiProcess.Result(0, "ran\nran\n", ""), zero.awaitEnd());
            assertEquals(0, one.awaitEnd().code());

            final String secret = Files.readString(directory.resolve("1"));
            assertEquals(32, secret.length());
            assertEquals(secret, Files.readString(directory.resolve("0")));
            final String sent = network.recorded();
            assertTrue(sent.contains("tutti-node 1"), "the request of node 1 was not recorded");
            assertTrue(sent.contains("ran\n"), "the output of rank 1 was not recorded");
            for (final String kept : List.of(NodeCommands.SECRET, secret))
            {
                assertFalse(sent.toLowerCase(Locale.ROOT).contains(kept), sent);
                assertFalse(sent.contains(new String(HexFormat.of().parseHex(kept), StandardCharsets.ISO_8859_1)),
                    sent);
            }
        }
    }

    @Test
    void shouldNameNodeWhoseConnectionIsReset() throws IOException
    {
        final String command = "echo up; sleep 600";
        try (RecordingProxy network = new RecordingProxy(port);
            TuttiProcess one = NodeCommands.start(network.port(), Map.of(), 2, 1, "sh", "-c", command);
            TuttiProcess zero = node(2, 0, "-x", marker, "sh", "-c", command))
        {
            zero.awaitOutput("up", 2);
            network.reset();

            final String lost = zero.awaitEnd().err();
            assertTrue(lost.contains("(node rank 1) with rank 1: the connection failed: ") ||
                lost.contains("(node rank 1) with rank 1: node rank 1 closed its connection: "), lost);
            assertEquals(1, one.awaitEnd().code());
            TuttiProcess.await("nothing left", () -> TuttiProcess.processesWith(marker).isEmpty());
        }
    }

    /** A stopped process answers as little as a host without power, which does not end its connections. */
    @Test
    @Tag("torture")
    void shouldReplaceNodeThatNoLongerAnswers()
    {
        try (TuttiProcess zero = node(3, 0, "-q", "sh", "-c", "echo $RANK");
            TuttiProcess dead = node(3, 1, "sh", "-c", "echo $RANK"))
        {
            // A second one is refused as soon as the first has joined.
            try (TuttiProcess other = node(3, 1, "sh", "-c", "echo $RANK"))
            {
                TuttiProcess.await("a node has joined", () -> dead.hasEnded() || other.hasEnded());
                final TuttiProcess joined = dead.hasEnded() ? other : dead;
                joined.signal("STOP");
                try (TuttiProcess one = node(3, 1, "sh", "-c", "echo $RANK");
                    TuttiProcess two = node(3, 2, "sh", "-c", "echo $RANK"))
                {
                    final TuttiProcess.Result result = zero.awaitEnd();
                    assertEquals(0, result.code(), result.err());
                    assertEquals("012", result.outLines().stream().sorted().reduce("", String::concat));
                    assertEquals(0, one.awaitEnd().code());
                    assertEquals(0, two.awaitEnd().code());
                }
            }
        }
    }

    /** Each stranger sends a byte from time to time. */
    @Test
    @Tag("torture")
    void shouldAdmitNodeWhileStrangersHoldMoreConnectionsThanThereMayBe() throws IOException, InterruptedException
    {
        final List<Socket> strangers = new ArrayList<>();
        try (TuttiProcess zero = node(2, 0, "-q", "echo", "ran"))
        {
            strangers.add(connect());
            for (int i = 0; i < 200; i++)
            {
                strangers.add(new Socket(InetAddress.getLoopbackAddress(), port));
            }
            final Thread writer = Thread.ofVirtual().start(() -> writeSlowly(strangers));
            try (TuttiProcess one = node(2, 1, "echo", "ran"))
            {
                assertEquals(new TuttiProcess.Result(0, "ran\nran\n", ""), zero.awaitEnd());
                assertEquals(0, one.awaitEnd().code());
            }
            writer.interrupt();
            writer.join();
        }
        finally
        {
            for (final Socket stranger : strangers)
            {
                stranger.close();
            }
        }
    }

    private static void writeSlowly(final List<Socket> strangers)
    {
        try
        {
            for (final byte next : "tutti-node 1".getBytes(StandardCharsets.US_ASCII))
            {
                for (final Socket stranger : strangers)
                {
                    send(stranger, next);
                }
                // Less than the limit for a node's greeting.
                Thread.sleep(8_000);
            }
        }
        catch (final InterruptedException ex)
        {
            // The test has ended.
            return;
        }
    }

    private static void send(final Socket stranger, final byte value)
    {
        try
        {
            stranger.getOutputStream().write(value);
        }
        catch (final IOException ex)
        {
            // Node 0 has closed the connection.
            return;
        }
    }

    @Test
    void shouldIgnoreStrangers() throws IOException
    {
        try (TuttiProcess zero = node(2, 0, "-q", "echo", "ran"))
        {
            for (final String text : List.of("", "GET / HTTP/1.1\r\n\r\n", "tutti-node 1" + "x".repeat(16 + 32)))
            {
                try (Socket stranger = connect())
                {
                    stranger.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
                    stranger.shutdownOutput();
                    // A nonce and a proof at most.
                    assertTrue(stranger.getInputStream().readAllBytes().length <= 48);
                }
            }
            try (TuttiProcess one = node(2, 1, "echo", "ran"))
            {
                assertEquals(new TuttiProcess.Result(0, "ran\nran\n", ""), zero.awaitEnd());
                assertEquals(0, one.awaitEnd().code());
            }
        }
    }

    private Socket connect()
    {
        final List<Socket> sockets = new ArrayList<>();
        TuttiProcess.await("node 0 listens", () ->
        {
            try
            {
                return sockets.add(new Socket(InetAddress.getLoopbackAddress(), port));
            }
            catch (final IOException ex)
            {
                return false;
            }
        });
        return sockets.getFirst();
    }

    private TuttiProcess node(final int nodes, final int node, final String... words)
    {
        return NodeCommands.start(port, Map.of(), nodes, node, words);
    }
}
