/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests pingpong with the programs of libibverbs: each type in one role, and in both in torture mode. */
@Tag("soft-roce")
class PingpongInteropTest
{
    private static final int TIMEOUT_S = 300;
    private static final Arguments RC = Arguments.of("rc", 4096);
    private static final Arguments LONG_RC = Arguments.of("rc", 100_000);
    private static final Arguments UC = Arguments.of("uc", 4096);
    private static final Arguments UD = Arguments.of("ud", 1024);
    private static final Arguments SRQ = Arguments.of("srq", 4096);
    private static final boolean IS_TORTURE = Boolean.getBoolean("tutti.test.torture");
    private static final String ITERATIONS = IS_TORTURE ? "60" : "20";

    static Stream<Arguments> clients()
    {
        return IS_TORTURE ? Stream.of(RC, LONG_RC, UC, UD, SRQ) : Stream.of(LONG_RC, UD);
    }

    static Stream<Arguments> servers()
    {
        return IS_TORTURE ? Stream.of(RC, LONG_RC, UC, UD, SRQ) : Stream.of(UC, SRQ);
    }

    @ParameterizedTest
    @MethodSource("clients")
    void shouldExchangeMessagesAsClient(final String type, final int size) throws Exception
    {
        final String port = freePort();
        final Process server = theirs(type, port, size, "-c");
        try
        {
            final Run client = Run.of(ours(type, port, size, "--connect", "127.0.0.1"));

            assertEquals(0, client.code(), client.text());
            assertTrue(client.text().contains(", the bytes intact"), client.text());
            assertEnds(server);
        }
        finally
        {
            server.destroyForcibly();
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void shouldExchangeMessagesAsServer(final String type, final int size) throws Exception
    {
        final String port = freePort();
        final Run server = new Run();
        final Thread thread =
            Thread.ofPlatform().daemon().start(() -> server.execute(ours(type, port, size, "--listen")));
        while (thread.isAlive() && !server.text().contains("# waiting for a client on port " + port))
        {
            Thread.sleep(10);
        }
        final Process client = theirs(type, port, size, "127.0.0.1");
        try
        {
            assertEnds(client);
            thread.join(TimeUnit.SECONDS.toMillis(TIMEOUT_S));
            assertEquals(0, server.code(), server.text());
            assertTrue(server.text().contains(type + " server: "), server.text());
        }
        finally
        {
            client.destroyForcibly();
        }
    }

    private static String[] ours(final String type, final String port, final int size, final String... role)
    {
        final List<String> words = new ArrayList<>(List.of("pingpong", "--transport", "verbs", "--type", type,
            "--port", port, "--size", Integer.toString(size), "--iters", ITERATIONS));
        words.addAll(List.of(role));
        return words.toArray(String[]::new);
    }

    private static Process theirs(final String type, final String port, final int size, final String last)
        throws IOException
    {
        return new ProcessBuilder("ibv_" + type + "_pingpong", "-d", "rxe0", "-g", "1", "-p", port, "-n", ITERATIONS,
            "-s", Integer.toString(size), last).redirectErrorStream(true).start();
    }

    private static void assertEnds(final Process process) throws Exception
    {
        assertTrue(process.waitFor(TIMEOUT_S, TimeUnit.SECONDS), "the process is still running");
        final String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.exitValue(), text);
        assertTrue(text.contains(" bytes in "), text);
        assertFalse(text.contains("invalid data"), text);
    }

    private static String freePort() throws IOException
    {
        try (ServerSocket socket = new ServerSocket(0))
        {
            return Integer.toString(socket.getLocalPort());
        }
    }
}
