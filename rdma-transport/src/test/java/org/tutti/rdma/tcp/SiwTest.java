/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.contract.Node;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Tests connections with another implementation of iWARP: {@code rping}, the test program of librdmacm, over siw in the
 * Linux kernel, as client and as server. It validates the data, which the server reads by RDMA_READ and returns by
 * RDMA_WRITE. Both sides are on one emulated host, which has the device siw0.
 */
@Tag("iwarp")
@Tag("torture")
class SiwTest
{
    private static final String ADDRESS = "10.77.0.1";
    private static final int PORT = 7174;
    private static final int PINGS = 10;
    private static final int DEADLINE_S = 120;

    @TempDir
    private Path directory;

    private static RpingSide rping(final boolean isCrcUsed)
    {
        return new RpingSide(StandardPeersTest.device("dummy0", isCrcUsed, 0)::open);
    }

    private Process start(final int port, final int length, final String... options) throws IOException
    {
        final List<String> command = new ArrayList<>(List.of("rping", "-v", "-V", "-a", ADDRESS, "-p",
            Integer.toString(port), "-S", Integer.toString(length), "-C", Integer.toString(PINGS)));
        command.addAll(List.of(options));
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output().toFile()).start();
    }

    private Path output()
    {
        return directory.resolve("rping");
    }

    /** Waits for the end of rping, and returns what it printed. */
    private String end(final Process process) throws IOException, InterruptedException
    {
        final boolean isEnded = process.waitFor(DEADLINE_S, TimeUnit.SECONDS);
        process.destroyForcibly();
        final String printed = Files.readString(output());
        assertTrue(isEnded, () -> "rping has not ended: " + printed);
        return printed;
    }

    private static void assertPings(final String printed)
    {
        for (int i = 0; i < PINGS; i++)
        {
            assertTrue(printed.contains("ping data: rdma-ping-" + i + ": "), printed);
        }
    }

    @ParameterizedTest
    @CsvSource({"true, 64", "false, 64", "true, 65535", "false, 65535"})
    void shouldServeClientOfSiw(final boolean isCrcUsed, final int length) throws IOException, InterruptedException
    {
        try (RpingSide server = rping(isCrcUsed))
        {
            server.listen();
            final Process client = start(server.port(), length, "-c");
            server.serve(PINGS);
            final String printed = end(client);
            assertPings(printed);
            assertEquals(0, client.exitValue(), printed);
            assertEquals(WorkCompletionStatus.WR_FLUSH_ERR, server.awaitEnd());
        }
    }

    @ParameterizedTest
    @CsvSource({"true, 64", "false, 64", "true, 65535", "false, 65535"})
    void shouldBeServedBySiw(final boolean isCrcUsed, final int length) throws IOException, InterruptedException
    {
        final Process server = start(PORT, length, "-s");
        try (RpingSide client = rping(isCrcUsed))
        {
            client.connect(TcpDevice.gid(InetAddress.getByName(ADDRESS)), PORT);
            client.ping(PINGS, length);
        }
        catch (final AssertionError e)
        {
            server.destroy();
            throw new AssertionError(end(server), e);
        }
        assertPings(end(server));
    }

    @Test
    void shouldSeeClientOfSiwFailWhenDataIsChanged() throws IOException, InterruptedException
    {
        try (RpingSide server = rping(true))
        {
            server.listen();
            final Process client = start(server.port(), 64, "-c");
            final byte[] data = server.read(server.receive());
            data[20] ^= 1;
            server.answer(data);
            final String printed = end(client);
            assertTrue(printed.contains("data mismatch"), printed);
            assertNotEquals(0, client.exitValue());
        }
    }

    @Test
    void shouldReportAccessErrorOfSiwWhenKeyIsWrong() throws IOException, InterruptedException
    {
        try (RpingSide server = rping(true))
        {
            server.listen();
            final Process client = start(server.port(), 64, "-c");
            final RpingSide.Place place = server.receive();
            assertEquals(WorkCompletionStatus.REM_ACCESS_ERR, server.post(Node.Send.rdma(
                SendOpcode.RDMA_READ, 1, place.address(), place.rkey() ^ 0x5500, server.sge(64))));
            final String printed = end(client);
            assertFalse(printed.contains("ping data"), printed);
        }
    }
}
