/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Emulated hosts have what the tests of verbs rely on, and run the programs of libibverbs. */
class SoftRoceTest
{
    private static final Path PORT = Path.of("/sys/class/infiniband/rxe0/ports/1");
    private static final int DEADLINE_S = 180;

    @TempDir
    private Path directory;

    @Test
    @Tag("soft-roce")
    void shouldHaveActivePortWithAddressOfHost() throws IOException
    {
        assertEquals("4: ACTIVE", Files.readString(PORT.resolve("state")).strip());
        assertEquals("0000:0000:0000:0000:0000:ffff:0a4d:0001", Files.readString(PORT.resolve("gids/1")).strip());
        assertEquals("RoCE v2", Files.readString(PORT.resolve("gid_attrs/types/1")).strip());
    }

    @Test
    @Tag("soft-roce")
    void shouldNotLimitLockedMemory() throws IOException
    {
        final String limits = Files.readString(Path.of("/proc/self/limits"));

        assertTrue(limits.matches("(?s).*Max locked memory +unlimited +unlimited.*"), limits);
    }

    /** PingpongInteropTest runs these programs too, and the transfers of many tests prove more. */
    @Test
    @Tag("soft-roce")
    @Tag("torture")
    void shouldTransferMessagesWithinHost() throws IOException, InterruptedException
    {
        pingpong("localhost", "sh", "-c");
    }

    /** Jobs of TwoHostsTest transfer messages between these hosts, too. */
    @Test
    @Tag("two-hosts")
    @Tag("torture")
    void shouldTransferMessagesBetweenHosts() throws IOException, InterruptedException
    {
        pingpong("node1", "ssh", "node1");
    }

    private void pingpong(final String host, final String... shell) throws IOException, InterruptedException
    {
        final Process server = start("server", shell[0], shell[1], "ibv_rc_pingpong -g 1");
        try
        {
            // No other process listens on the port of the exchange.
            final Process wait = start("wait", shell[0], shell[1],
                "until ss -Hltn sport 18515 | grep -q .; do sleep 0.1; done");
            assertSucceeds("wait", wait);
            assertSucceeds("client", start("client", "ibv_rc_pingpong", "-g", "1", host));
            assertSucceeds("server", server);
        }
        finally
        {
            server.destroyForcibly();
        }
        final String output = Files.readString(directory.resolve("client"));
        assertTrue(output.contains("1000 iters in"), output);
    }

    private void assertSucceeds(final String name, final Process process) throws IOException, InterruptedException
    {
        final boolean ended = process.waitFor(DEADLINE_S, TimeUnit.SECONDS);
        final String output = Files.readString(directory.resolve(name));
        assertTrue(ended, name + " is still running: " + output);
        assertEquals(0, process.exitValue(), output);
    }

    private Process start(final String name, final String... command) throws IOException
    {
        return new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve(name).toFile())
            .start();
    }
}
