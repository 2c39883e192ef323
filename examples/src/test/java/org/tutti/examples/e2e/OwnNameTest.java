/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Jobs on hosts that resolve their own name to 127.0.1.1, as Debian's installer has it: other hosts reach rank 0. */
@Timeout(240)
class OwnNameTest extends HostsFixture
{
    private static final String SECRET = "TUTTI_SECRET=0123456789abcdef0123456789abcdef";

    @BeforeAll
    void mapOwnNamesToLoopback() throws Exception
    {
        for (final String host : List.of("a", "b"))
        {
            final Path file = directory().resolve("hosts-" + host);
            Files.writeString(file, "127.0.0.1 localhost\n127.0.1.1 " + host + "\n" +
                (host.equals("a") ? "10.77.0.2 b\n" : "10.77.0.1 a\n"));
            hosts().run("on", host, "mount", "--bind", file.toString(), "/etc/hosts");
        }
    }

    @Test
    void shouldReachRankZeroByTheNameOfItsHost() throws Exception
    {
        final List<Process> ranks = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++)
        {
            // Two on the host of rank 0.
            ranks.add(hosts().start("on", rank == 2 ? "b" : "a", "env", SECRET, "MASTER_ADDR=a", "MASTER_PORT=29500",
                "WORLD_SIZE=3", "RANK=" + rank, "TUTTI_JOIN_TIMEOUT=120s", tutti(), "hello"));
        }

        assertGreeted(ranks, "together over shm/shm0+tcp/eth0: the ranks sum up to 3\n");
    }

    @Test
    void shouldReachCoordinatorByTheNameOfItsHost() throws Exception
    {
        final List<Process> nodes = new ArrayList<>();
        for (int node = 0; node < 2; node++)
        {
            nodes.add(hosts().start("on", node == 0 ? "a" : "b", "env", SECRET, "TUTTI_JOIN_TIMEOUT=120s", tutti(),
                "run", "-q", "--nnodes", "2", "--node-rank", Integer.toString(node), "--coordinator", "a:29501",
                "hello"));
        }

        assertGreeted(nodes, "together over tcp/eth0: the ranks sum up to 1\n");
    }

    private String tutti()
    {
        return hosts().installation().resolve("tutti").toString();
    }

    private void assertGreeted(final List<Process> processes, final String greeting) throws Exception
    {
        final StringBuilder output = new StringBuilder();
        for (final Process process : processes)
        {
            output.append(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        }
        for (final Process process : processes)
        {
            assertEquals(0, process.waitFor(), output.toString());
        }
        assertTrue(output.toString().contains(greeting), output.toString());
        hosts().awaitNothingLeft();
    }
}
