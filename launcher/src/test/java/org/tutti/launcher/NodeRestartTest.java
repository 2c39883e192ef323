/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Restarts of jobs whose nodes were started without ssh: node rank 0 decides, and the others follow. */
class NodeRestartTest
{
    private static final String SECRET = "0123456789abcdef0123456789abcdef";
    private static final String[] UP = {
        "sh", "-c", "echo up $TUTTI_RESTART_COUNT of $WORLD_SIZE; [ $TUTTI_RESTART_COUNT = ${LAST-1} ] || sleep 600"};

    private final String marker = "TUTTI_MARKER=" + UUID.randomUUID();
    private final int port = freePort();

    private static int freePort()
    {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            return socket.getLocalPort();
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    @Test
    void shouldRestartRanksOfAllNodesWhenRankFails()
    {
        final String[] command = {"sh", "-c", "echo up $TUTTI_RESTART_COUNT of $WORLD_SIZE; " +
            "[ $TUTTI_RESTART_COUNT = 1 ] || [ $RANK != 1 ] || exit 3; [ $TUTTI_RESTART_COUNT = 1 ] || sleep 600"};
        try (TuttiProcess two = node(Map.of(), 3, 2, List.of(), command);
            TuttiProcess one = node(Map.of(), 3, 1, List.of(), command);
            TuttiProcess zero = node(Map.of(), 3, 0, List.of("-q", "--max-restarts", "2"), command))
        {
            final TuttiProcess.Result result = zero.awaitEnd();
            assertEquals(0, result.code(), result.err());
            assertEquals(3, result.outLines().stream().filter("up 1 of 3"::equals).count(), result.out());
            assertTrue(result.err().contains(" failed: exited with code 3; restart 1 of 2\n"), result.err());
            assertEquals(new TuttiProcess.Result(0, "", ""), one.awaitEnd());
            assertEquals(new TuttiProcess.Result(0, "", ""), two.awaitEnd());
        }
    }

    @Test
    @Tag("torture")
    void shouldEndAllNodesWithTheLastCodeWhenRestartsAreUsedUp()
    {
        final String[] command = {"sh", "-c", "[ $RANK = 0 ] && sleep 600; exit $((3 + TUTTI_RESTART_COUNT))"};
        try (TuttiProcess one = node(Map.of(), 2, 1, List.of(), command);
            TuttiProcess zero = node(Map.of(), 2, 0, List.of("--max-restarts", "1"), command))
        {
            assertEquals(4, zero.awaitEnd().code());
            assertEquals(new TuttiProcess.Result(4, "", ""), one.awaitEnd());
        }
    }

    @Test
    void shouldRestartJobWithNodeThatWasStartedAgain()
    {
        try (TuttiProcess one = node(Map.of(), 2, 1, List.of(), UP);
            TuttiProcess zero = node(Map.of(), 2, 0, List.of("-x", marker, "--max-restarts", "1"), UP))
        {
            zero.awaitOutput("up 0 of 2", 2);
            one.signal("KILL");
            try (TuttiProcess again = node(Map.of(), 2, 1, List.of(), UP))
            {
                final TuttiProcess.Result result = zero.awaitEnd();
                assertEquals(0, result.code(), result.err());
                assertTrue(result.err().contains("with rank 1: node rank 1 closed its connection: its launcher has " +
                    "ended; restart 1 of 1\n"), result.err());
                assertEquals(2, result.outLines().stream().filter("up 1 of 2"::equals).count(), result.out());
                assertEquals(new TuttiProcess.Result(0, "", ""), again.awaitEnd());
            }
            TuttiProcess.await("nothing left", () -> TuttiProcess.processesWith(marker).isEmpty());
        }
    }

    /** A node with this number runs: the new one may only take its place once that one has ended. */
    @Test
    void shouldNotAdmitSecondNodeWithOneNumberWhileTheFirstRuns()
    {
        try (TuttiProcess one = node(Map.of(), 2, 1, List.of(), UP);
            TuttiProcess zero = node(Map.of(), 2, 0, List.of("-x", marker, "--max-restarts", "1"), UP))
        {
            zero.awaitOutput("up 0 of 2", 2);
            try (TuttiProcess second = node(Map.of("TUTTI_JOIN_TIMEOUT", "1s"), 2, 1, List.of(), UP))
            {
                final TuttiProcess.Result result = second.awaitEnd();
                assertEquals(1, result.code(), result.err());
                assertTrue(result.err().contains(": duplicate node rank 1 on "), result.err());
            }
            one.signal("KILL");
            try (TuttiProcess again = node(Map.of(), 2, 1, List.of(), UP))
            {
                assertEquals(0, zero.awaitEnd().code());
                assertEquals(new TuttiProcess.Result(0, "", ""), again.awaitEnd());
            }
            TuttiProcess.await("nothing left", () -> TuttiProcess.processesWith(marker).isEmpty());
        }
    }

    @Test
    void shouldEndNodesAtOnceWhenTheirCoordinatorIsKilled()
    {
        try (TuttiProcess one = node(Map.of(), 2, 1, List.of(), UP);
            TuttiProcess zero = node(Map.of(), 2, 0, List.of("-x", marker, "--max-restarts", "1"), UP))
        {
            zero.awaitOutput("up 0 of 2", 2);
            zero.signal("KILL");

            final TuttiProcess.Result result = one.awaitEnd();
            assertEquals(1, result.code());
            assertTrue(result.err().matches("tutti: agent and ranks ended.*\ntutti: node rank 1 on .* does not start " +
                "the job again: node rank 0 at 127\\.0\\.0\\.1:" + port + " \\(127\\.0\\.0\\.1\\) has ended\n"),
                result.err());
            TuttiProcess.await("nothing left", () -> TuttiProcess.processesWith(marker).isEmpty());
        }
    }

    /** A node that does not come back is missed for the join timeout. */
    @Test
    @Tag("torture")
    void shouldLeaveOutNodeThatWasLostAndDidNotComeBack()
    {
        final Map<String, String> patience = Map.of("TUTTI_JOIN_TIMEOUT", "30s");
        final List<String> options = List.of("-x", "LAST=2", "--max-restarts", "2", "--min-nodes", "2");
        try (TuttiProcess two = node(Map.of(), 3, 2, List.of(), UP);
            TuttiProcess one = node(Map.of(), 3, 1, List.of(), UP);
            TuttiProcess zero = node(patience, 3, 0, options, UP))
        {
            zero.awaitOutput("up 0 of 3", 3);
            two.signal("KILL");

            final TuttiProcess.Result result = zero.awaitEnd();
            assertEquals(0, result.code(), result.err());
            assertEquals(2, result.outLines().stream().filter("up 2 of 2"::equals).count(), result.out());
            assertTrue(result.err().contains("tutti: node rank 2 of 3 did not reach 127.0.0.1:" + port), result.err());
            assertTrue(result.err().contains(", lost twice: 2 ranks of 3 on 2 hosts\n"), result.err());
            assertEquals(new TuttiProcess.Result(0, "", ""), one.awaitEnd());
        }
    }

    private TuttiProcess node(
        final Map<String, String> variables,
        final int nodes,
        final int node,
        final List<String> options,
        final String... command)
    {
        final Map<String, String> environment = new HashMap<>(Map.of("TUTTI_SECRET", SECRET));
        environment.putAll(variables);
        return TuttiProcess.startWith(environment, Stream.of(
            List.of("run", "--nnodes", Integer.toString(nodes), "--node-rank", Integer.toString(node), "--coordinator",
            "127.0.0.1:" + port), options, List.of(command)).flatMap(List::stream).toArray(String[]::new));
    }
}
