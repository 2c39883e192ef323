/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.disni;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests the example with {@code rping} of librdmacm, in both roles. */
@Tag("soft-roce")
class RpingInteropTest
{
    private static final String ADDRESS = "10.77.0.1";
    private static final int TIMEOUT_S = 180;
    private static final int COUNT = 5;
    private static final boolean IS_TORTURE = Boolean.getBoolean("tutti.test.torture");

    /** One size for each role; torture takes all. */
    static IntStream clients()
    {
        return IS_TORTURE ? IntStream.of(100, 65_000) : IntStream.of(65_000);
    }

    static IntStream servers()
    {
        return IS_TORTURE ? IntStream.of(100, 65_000) : IntStream.of(100);
    }

    @ParameterizedTest
    @MethodSource("clients")
    void shouldExchangePingsAsClient(final int size) throws Exception
    {
        final String port = freePort();
        final Process server = theirs("-s", port, size);
        try
        {
            // The server listens some time after its start, which cannot be observed.
            String said = ours("--connect", port, size);
            for (int i = 0; i < 50 && said.contains("REJECTED"); i++)
            {
                TimeUnit.MILLISECONDS.sleep(200);
                said = ours("--connect", port, size);
            }

            assertTrue(said.contains("rping client: " + COUNT + " pings of " + size + " bytes, all intact"), said);
            assertTrue(server.waitFor(TIMEOUT_S, TimeUnit.SECONDS));
        }
        finally
        {
            server.destroyForcibly();
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void shouldExchangePingsAsServer(final int size) throws Exception
    {
        final String port = freePort();
        final CompletableFuture<String> server = CompletableFuture.supplyAsync(() -> ours("--listen", port, size));
        // A client that connects too early is rejected.
        String said = "";
        int code = 1;
        for (int i = 0; i < 50 && code != 0 && !server.isDone(); i++)
        {
            TimeUnit.MILLISECONDS.sleep(200);
            final Process client = theirs("-c", port, size);
            said = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(client.waitFor(TIMEOUT_S, TimeUnit.SECONDS));
            code = client.exitValue();
        }

        assertEquals(0, code, said);
        final String text = server.get(TIMEOUT_S, TimeUnit.SECONDS);
        assertTrue(text.contains("rping server: " + COUNT + " pings of " + size + " bytes"), text);
    }

    private static String ours(final String role, final String port, final int size)
    {
        final StringWriter output = new StringWriter();
        final CommandLine command = new CommandLine(new RpingJob());
        command.setOut(new PrintWriter(output));
        command.setErr(new PrintWriter(output));
        command.execute(role, ADDRESS, "--port", port, "--size", Integer.toString(size), "--count",
            Integer.toString(COUNT), "--timeout", Integer.toString(TIMEOUT_S));
        return output.toString();
    }

    private static Process theirs(final String role, final String port, final int size) throws IOException
    {
        final List<String> command = new ArrayList<>(List.of("rping", role, "-a", ADDRESS, "-p", port,
            "-C", Integer.toString(COUNT), "-S", Integer.toString(size)));
        if (role.equals("-c"))
        {
            command.add("-V");
        }
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    /** A free TCP port; rdma_cm has its own ports, but no other process uses those here. */
    private static String freePort() throws IOException
    {
        try (ServerSocket socket = new ServerSocket(0))
        {
            return Integer.toString(socket.getLocalPort());
        }
    }
}
