/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Jobs over TCP on three hosts, which are namespaces of this one, started by ssh as a user would: on a good and on a
 * lossy network, and when a host fails. {@link HostFaultsTest} has the other faults.
 */
@Timeout(240)
class HostsTest extends HostsFixture
{
    private static final List<String> HOSTS = List.of("a", "b", "c");
    private static final Pattern LOSS = Pattern.compile("(?m)^\\[0] +1 +([0-9.]+) +[0-9.]+ %");

    @Test
    void shouldUseNoBridgeByDefault() throws Exception
    {
        final String output = succeedBesideBridges("a,b,c");

        for (int rank = 0; rank < HOSTS.size(); rank++)
        {
            assertTrue(output.contains(
                "[" + rank + "] hello from rank " + rank + " of 3 on " + HOSTS.get(rank) + " "), output);
        }
        assertTrue(output.contains("[0] together over tcp/eth0: the ranks sum up to 3\n"), output);
        assertTrue(output.contains("] tutti: transport tcp uses eth0:1 (the only usable interface: virtual, "), output);
    }

    /** Uses IPv6 from the names of hosts to the data. */
    @Test
    @Tag("torture")
    void shouldUseNamedNetworkOverIpv6() throws Exception
    {
        assumeTrue(hosts().run("on", "a", "ip", "-6", "address").contains("fd77::1"), "this kernel lacks IPv6");

        final String output = succeedBesideBridges("a-v6,b-v6", "--device", "tcp:fd77::/64");

        assertTrue(output.contains(
            "] tutti: transport tcp uses eth0:1 (TUTTI_DEVICE='tcp:fd77::/64'), GID 0 fd77::1 (IPv6)\n"), output);
        assertTrue(output.contains("[0] together over tcp/eth0: the ranks sum up to 1\n"), output);
    }

    /** Runs a job while each host has a bridge of containers with the same address, which leads nowhere. */
    private String succeedBesideBridges(final String names, final String... options) throws Exception
    {
        for (final String host : HOSTS)
        {
            hosts().run("on", host, "sh", "-c", "ip link add docker0 type bridge && ip link set docker0 up && " +
                "ip address add 172.17.0.1/16 dev docker0");
        }
        try
        {
            return jobs().succeed(names, Stream.concat(
                Stream.of("-x", "TUTTI_VERBOSE=1"), Stream.of(options)).toList(), "hello");
        }
        finally
        {
            for (final String host : HOSTS)
            {
                hosts().run("on", host, "ip", "link", "delete", "docker0");
            }
        }
    }

    @Test
    void shouldComputeCorrectlyOverSharedMemoryAndTcp() throws Exception
    {
        final String output = jobs().succeed("a:2,b:1",
            List.of("--transport", "shm+tcp", "-J" + TuttiJob.FAST_TO_START),
            "perf", "allreduce", "-e", "1m", "-f", "32", "-n", "3", "-w", "1");

        assertTrue(output.contains("] # Using transport shm/shm0+tcp/eth0\n"), output);
        assertTrue(output.contains("] # Out of bounds values : 0 OK\n"), output);
    }

    @Test
    void shouldTrainToTheSameBitsAsOnOneHostWhenPacketsAreLost() throws Exception
    {
        final String here = train("a:3", "shm");
        hosts().run("loss", "2");
        final String lossy = train("a,b,c", "tcp");

        assertEquals(here, lossy);
        for (int rank = 0; rank < 3; rank++)
        {
            final List<String> expected = Files.readAllLines(directory().resolve("shm." + rank));
            assertFalse(expected.isEmpty());
            assertEquals(expected, Files.readAllLines(directory().resolve("tcp." + rank)), "rank " + rank);
        }
        final Matcher dropped = Pattern.compile("counter packets (\\d+)")
            .matcher(hosts().run("on", "b", "nft", "list", "ruleset"));
        assertTrue(dropped.find() && Long.parseLong(dropped.group(1)) > 0, "no packet was lost");
    }

    /** A stranger gets nothing but the end of the connection, and the job does not notice it. */
    @Test
    @Tag("torture")
    void shouldIgnoreStrangersThatConnectToRank() throws Exception
    {
        try (TuttiJob job = jobs().start("a,b"))
        {
            final List<Integer> ports = hosts().ports("b");
            assertEquals(1, ports.size(), "ports of rank 1");
            final String connect = "exec 3<>/dev/tcp/10.77.0.2/" + ports.getFirst() + "; ";
            final List<Process> strangers = new ArrayList<>();
            for (final String words : List.of(
                "head -c 5000 /dev/urandom >&3",
                // An MPA request without the private data that it announces.
                "printf 'MPA ID Req Frame\\120\\002\\000\\174' >&3",
                // The request of another protocol stack, with an empty proof.
                "{ printf 'MPA ID Req Frame\\120\\002\\000\\204'; head -c 132 /dev/zero; } >&3",
                ":"))
            {
                strangers.add(hosts().start("on", "c", "bash", "-c", connect + words + "; wc -c <&3"));
            }
            for (final Process stranger : strangers)
            {
                final String answer = new String(stranger.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertTrue(answer.lines().toList().contains("0"), answer);
            }
            jobs().endCorrectly(job, 2);
        }
    }

    @Test
    @Tag("torture")
    void shouldNameRankOfHostThatIsKilled() throws Exception
    {
        try (TuttiJob job = jobs().start("a,b,c"))
        {
            hosts().run("kill", "c");
            try
            {
                jobs().assertFails(job, 2, List.of(0, 1));
            }
            finally
            {
                hosts().run("start", "c");
            }
        }
    }

    /** Detected by the heartbeat, whose limit is shortened to 3 s here. */
    @Test
    void shouldNameRankOfHostWhoseCableIsCut() throws Exception
    {
        try (TuttiJob job = jobs().startWith(
            FaultJobs.LONG, Map.of("TUTTI_HEARTBEAT_TIMEOUT", "3s"), "a,b,c"))
        {
            hosts().run("cut", "c");
            jobs().assertFails(job, 2, List.of(0, 1));
        }
    }

    /** Trains for an epoch, writes hashes of all results, and returns the loss as printed. */
    private String train(final String places, final String name) throws Exception
    {
        final String output = jobs().succeed(places,
            List.of("-x", "TUTTI_REPRODUCIBLE=1", "-x", "TUTTI_RESULT_HASHES=" + directory().resolve(name)),
            "mnist", "--epochs", "1", "--hidden", "16", "--batch", "400");
        assertTrue(output.contains("[0] the weights of all ranks are bitwise equal\n"), output);
        assertTrue(output.contains("3 ranks over " + name + "/"), output);
        final Matcher loss = LOSS.matcher(output);
        assertTrue(loss.find(), output);
        return loss.group(1);
    }
}
