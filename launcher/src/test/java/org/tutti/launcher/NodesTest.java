/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tutti.bootstrap.Hosts;

/** Nodes started without ssh, by {@code tutti run --nnodes}, as processes of this host. */
class NodesTest
{
    private static final String SECRET = NodeCommands.SECRET;
    private static final int MAX_JOIN_S = 256;

    private final String marker = "TUTTI_MARKER=" + UUID.randomUUID();
    private final int port = NodeCommands.freePort();

    @Test
    void shouldRunRanksOfAllNodesAndPrintTheirOutputOnTheFirst()
    {
        final String command = "echo $RANK of $WORLD_SIZE, $LOCAL_RANK of $LOCAL_WORLD_SIZE";
        // Node 0 comes last.
        try (TuttiProcess two = node(3, 2, "-np", "1", "sh", "-c", command);
            TuttiProcess one = node(3, 1, "-np", "2", "sh", "-c", command);
            TuttiProcess zero = node(3, 0, "-q", "-np", "2", "sh", "-c", command))
        {
            final TuttiProcess.Result result = zero.awaitEnd();
            assertEquals(0, result.code(), result.err());
            assertEquals(List.of("0 of 5, 0 of 2", "1 of 5, 1 of 2", "2 of 5, 0 of 2", "3 of 5, 1 of 2",
                "4 of 5, 0 of 1"), result.outLines().stream().sorted().toList());
            for (final TuttiProcess node : List.of(one, two))
            {
                assertEquals(new TuttiProcess.Result(0, "", ""), node.awaitEnd());
            }
        }
    }

    @Test
    void shouldJoinRanksOfAllNodes()
    {
        try (TuttiProcess one = node(2, 1, "sample-rank", "leave");
            TuttiProcess zero = node(2, 0, "-q", "sample-rank", "leave"))
        {
            final TuttiProcess.Result result = zero.awaitEnd();
            assertEquals(0, result.code(), result.err());
            assertEquals(0, one.awaitEnd().code());
        }
    }

    @Test
    void shouldEndAllNodesWithTheCodeOfTheRankThatFails()
    {
        final String command = "[ $RANK = 0 ] && sleep 600; exit 3";
        try (TuttiProcess one = node(2, 1, "sh", "-c", command);
            TuttiProcess zero = node(2, 0, "sh", "-c", command))
        {
            assertEquals(3, zero.awaitEnd().code());
            assertEquals(3, one.awaitEnd().code());
        }
    }

    /** If node 2 is so slow to start that it is missing too, the next attempt has twice the time. */
    @Test
    void shouldNameMissingNodesOnAllNodes()
    {
        for (int seconds = 4; !namesMissingNodes(seconds); seconds *= 2)
        {
            assertTrue(seconds < MAX_JOIN_S, "node 2 was missing after " + seconds + " s");
        }
    }

    private boolean namesMissingNodes(final int seconds)
    {
        try (TuttiProcess two = node(4, 2, "true");
            TuttiProcess zero = start(Map.of("TUTTI_JOIN_TIMEOUT", seconds + "s"), 4, 0, "true"))
        {
            final TuttiProcess.Result result = zero.awaitEnd();
            if (result.err().startsWith("tutti: node ranks 1, 2, 3 of 4 did not reach "))
            {
                return false;
            }
            final String text = "node ranks 1, 3 of 4 did not reach 127.0.0.1:" + port + " on " + Hosts.local() +
                " within " + seconds + " s: start 'tutti run --nnodes 4 --node-rank 1 --coordinator 127.0.0.1:" + port +
                " ...' there, or raise TUTTI_JOIN_TIMEOUT\n";
            assertEquals(new TuttiProcess.Result(1, "", "tutti: " + text), result);
            assertEquals(new TuttiProcess.Result(1, "", "tutti: " + text), two.awaitEnd());
            return true;
        }
    }

    @Test
    void shouldRefuseNodeThatComesTwiceAndReplaceOneThatHasEnded()
    {
        final String command = "echo $RANK";
        try (TuttiProcess zero = node(3, 0, "-q", "sh", "-c", command))
        {
            try (TuttiProcess one = node(3, 1, "sh", "-c", command);
                TuttiProcess other = node(3, 1, "sh", "-c", command))
            {
                TuttiProcess.await("a node is refused", () -> !isRunning(one) || !isRunning(other));
                final TuttiProcess refused = isRunning(one) ? other : one;
                final TuttiProcess.Result result = refused.awaitEnd();
                assertEquals(1, result.code());
                assertTrue(Pattern.matches("tutti: duplicate node rank 1 on .* \\(127\\.0\\.0\\.1, process " +
                    refused.pid() + "\\): .* \\(127\\.0\\.0\\.1, process \\d+\\) has joined as node rank 1: give " +
                    "each node its own --node-rank\n", result.err()), result.err());
                final TuttiProcess admitted = refused == one ? other : one;
                admitted.signal("KILL");
                admitted.awaitEnd();
            }
            try (TuttiProcess one = node(3, 1, "sh", "-c", command);
                TuttiProcess two = node(3, 2, "sh", "-c", command))
            {
                final TuttiProcess.Result result = zero.awaitEnd();
                assertEquals(0, result.code(), result.err());
                assertEquals("012", result.outLines().stream().sorted().reduce("", String::concat));
                assertEquals(0, one.awaitEnd().code());
                assertEquals(0, two.awaitEnd().code());
            }
        }
    }

    @Test
    void shouldRefuseNodeThatComesWhenTheJobRuns()
    {
        try (TuttiProcess one = node(2, 1, "sh", "-c", "echo up; sleep 600");
            TuttiProcess zero = node(2, 0, "sh", "-c", "echo up; sleep 600"))
        {
            zero.awaitOutput("up", 2);
            try (TuttiProcess late = node(2, 1, "sh", "-c", "echo up; sleep 600"))
            {
                final TuttiProcess.Result result = late.awaitEnd();
                assertEquals(1, result.code());
                assertTrue(result.err().endsWith("has joined as node rank 1 and the job has started: if a node was " +
                    "restarted, restart all of them\n"), result.err());
            }
            zero.signal("TERM");
            assertEquals(143, zero.awaitEnd().code());
            assertEquals(143, one.awaitEnd().code());
        }
    }

    @Test
    void shouldNameLostNodeAndLeaveNothing()
    {
        final String command = "echo up; sleep 600";
        try (TuttiProcess one = node(2, 1, "sh", "-c", command);
            TuttiProcess zero = node(2, 0, "-x", marker, "sh", "-c", command))
        {
            zero.awaitOutput("up", 2);
            one.signal("KILL");

            final TuttiProcess.Result result = zero.awaitEnd();
            assertEquals(1, result.code());
            assertTrue(result.err().contains("(node rank 1) with rank 1: node rank 1 closed its connection: its " +
                "launcher has ended, and cannot be restarted without the other nodes"), result.err());
            TuttiProcess.await("nothing left", () -> TuttiProcess.processesWith(marker).isEmpty());
        }
    }

    @Test
    void shouldEndNodeWhenTheCoordinatorIsKilled()
    {
        final String command = "echo up; sleep 600";
        try (TuttiProcess one = node(2, 1, "sh", "-c", command);
            TuttiProcess zero = node(2, 0, "-x", marker, "sh", "-c", command))
        {
            zero.awaitOutput("up", 2);
            zero.signal("KILL");

            final TuttiProcess.Result result = one.awaitEnd();
            assertEquals(1, result.code());
            assertTrue(result.err().startsWith("tutti: agent and ranks ended"), result.err());
            TuttiProcess.await("nothing left", () -> TuttiProcess.processesWith(marker).isEmpty());
        }
    }

    @Test
    void shouldSayFromWhereToWhereWhenTheCoordinatorCannotBeReached()
    {
        final TuttiProcess.Result result = end(start(Map.of("TUTTI_JOIN_TIMEOUT", "1s"), 2, 1, "true"));

        assertEquals(new TuttiProcess.Result(1, "", "tutti: node rank 1 on " + Hosts.local() +
            " (127.0.0.1) cannot reach the coordinator at 127.0.0.1:" + port + " (127.0.0.1) within 1 s: " +
            "Connection refused; start node rank 0 there, open TCP and UDP port " + port +
            ", or raise TUTTI_JOIN_TIMEOUT\n"), result);
    }

    @Test
    void shouldSayThatTheNameServiceDoesNotKnowTheCoordinator()
    {
        // A name that no name service knows (RFC 6761).
        final String coordinator = "node-0.invalid:" + port;
        final TuttiProcess.Result zero = TuttiProcess.startWith(
            Map.of("TUTTI_SECRET", SECRET, "TUTTI_JOIN_TIMEOUT", "3s"),
            "run", "--nnodes", "2", "--node-rank", "0", "--coordinator", coordinator, "true").awaitEnd();

        assertEquals(new TuttiProcess.Result(2, "", "tutti: the name service does not know node-0.invalid, the host " +
            "of --coordinator: trying again for 3 s\n" +
            "tutti run: cannot listen at --coordinator " + coordinator + " on " + Hosts.local() + ": the name " +
            "service does not know node-0.invalid after 3 s: give a name of this host, or raise " +
            "TUTTI_JOIN_TIMEOUT\n"), zero);
    }

    @Test
    void shouldRefuseOtherSecretsCommandsAndNumbersOfNodes()
    {
        try (TuttiProcess zero = node(2, 0, "sleep", "600"))
        {
            assertTrue(Files.exists(Path.of("/proc", Long.toString(zero.pid()))));
            assertEquals("tutti: node rank 1 on " + Hosts.local() + " (127.0.0.1) cannot join the coordinator at " +
                "127.0.0.1:" + port + " (127.0.0.1): it has another secret; give all nodes the same TUTTI_SECRET or " +
                "TUTTI_SECRET_FILE\n",
                end(start(Map.of("TUTTI_SECRET", SECRET.replace('0', '1')), 2, 1, "sleep", "600")).err());
            final String other = end(node(2, 1, "sleep", "700")).err();
            assertTrue(other.endsWith(") runs 'sleep 700', node rank 0 on " + Hosts.local() +
                " runs 'sleep 600': give all nodes the same command\n"), other);
            final String count = end(node(3, 1, "sleep", "600")).err();
            assertTrue(count.endsWith(") has --nnodes 3, node rank 0 on " + Hosts.local() +
                " has 2: give all nodes the same\n"), count);
        }
    }

    @Test
    void shouldReportPortInUse() throws IOException
    {
        try (ServerSocket other = new ServerSocket(0))
        {
            final int used = other.getLocalPort();
            assertEquals("tutti run: cannot listen at --coordinator 127.0.0.1:" + used + " on " + Hosts.local() +
                ": Address already in use; another job may use this port: give all nodes another one\n",
                end(TuttiProcess.startWith(Map.of("TUTTI_SECRET", SECRET), "run", "--nnodes", "2", "--node-rank", "0",
                "--coordinator", "127.0.0.1:" + used, "true")).err());
        }
    }

    @Test
    void shouldReportUdpPortInUse() throws IOException
    {
        try (DatagramSocket other = new DatagramSocket())
        {
            final int used = other.getLocalPort();
            assertEquals("tutti run: cannot listen at --coordinator 127.0.0.1:" + used + " on " + Hosts.local() +
                ": UDP: Address already in use; another job may use this port: give all nodes another one\n",
                end(TuttiProcess.startWith(Map.of("TUTTI_SECRET", SECRET), "run", "--nnodes", "2", "--node-rank", "0",
                "--coordinator", "127.0.0.1:" + used, "true")).err());
        }
    }

    @Test
    void shouldRejectAllocationWithFewerNodes()
    {
        assertEquals(new TuttiProcess.Result(2, "", "tutti run: --nnodes 2 exceeds the 1 node of Slurm job 7, n1: " +
            "request more (sbatch -N 2), or give fewer\n"), end(start(
            Map.of("SLURM_JOB_ID", "7", "SLURM_JOB_NUM_NODES", "1", "SLURM_JOB_NODELIST", "n1"), 2, 0, "true")));
    }

    @Test
    void shouldRequireSecretThatOthersCannotReadOrGuess(@TempDir final Path directory) throws IOException
    {
        assertTrue(end(start(Map.of("TUTTI_SECRET", ""), 2, 0, "true")).err().startsWith("tutti run: --nnodes needs " +
            "a secret, the same on all nodes: set TUTTI_SECRET, "));
        assertTrue(end(start(Map.of("TUTTI_SECRET", "short"), 2, 0, "true")).err().startsWith(
            "tutti run: TUTTI_SECRET gives a secret of 5 characters: must have 16 to 256"));
        final Path file = Files.writeString(directory.resolve("secret"), SECRET + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        final Map<String, String> variables = Map.of("TUTTI_SECRET", "", "TUTTI_SECRET_FILE", file.toString());
        final String uid = Files.getAttribute(Path.of("/proc/self"), "unix:uid").toString();
        assertEquals(new TuttiProcess.Result(2, "", "tutti run: TUTTI_SECRET_FILE='" + file + "' is not trusted: it " +
            "is a file of uid " + uid + " with mode 0644, but must be a file of uid " + uid + " with mode 0600 at " +
            "most, or of uid 0 with mode 0640 at most: chmod it (Kubernetes: defaultMode: 0440), or give another\n"),
            end(start(variables, 2, 0, "true")));

        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        try (TuttiProcess one = node(2, 1, "true"); TuttiProcess zero = start(variables, 2, 0, "true"))
        {
            assertEquals(0, zero.awaitEnd().code());
            assertEquals(0, one.awaitEnd().code());
        }
    }

    private static boolean isRunning(final TuttiProcess process)
    {
        return !process.hasEnded();
    }

    private TuttiProcess node(final int nodes, final int node, final String... words)
    {
        return start(Map.of(), nodes, node, words);
    }

    private TuttiProcess start(
        final Map<String, String> variables, final int nodes, final int node, final String... words)
    {
        return NodeCommands.start(port, variables, nodes, node, words);
    }

    private static TuttiProcess.Result end(final TuttiProcess process)
    {
        try (process)
        {
            final TuttiProcess.Result result = process.awaitEnd();
            assertFalse(result.err().lines().count() > 1, result.err());
            return result;
        }
    }
}
