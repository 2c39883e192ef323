/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.bootstrap.Hosts;

/** Jobs that are started again after a failure, on this host and on simulated ones. */
class RestartTest
{
    /** Records what an attempt leaves behind if it is not cleaned up, and prints what is left of former ones. */
    private static final String CHECKED = """
        while read -r job pid
        do
            [ "$job" != "$TUTTI_JOB_DIR" ] || continue
            [ ! -e "$job" ] || echo "left $job"
            ! grep -qsF "$job" "/proc/$pid/environ" || echo "left $pid"
        done <"$0"
        [ "$RANK" = 1 ] || { setsid sleep 600 & echo "$TUTTI_JOB_DIR $!" >>"$0"; }
        echo "$RANK of $WORLD_SIZE, restart $TUTTI_RESTART_COUNT, job $TUTTI_JOB_ID"
        """;

    private final String marker = "TUTTI_MARKER=" + UUID.randomUUID();

    @TempDir
    private Path directory;

    @Test
    void shouldStartJobAgainUntilItSucceedsAndLeaveNothingInBetween() throws IOException
    {
        final Path left = Files.createFile(directory.resolve("left"));
        final TuttiProcess.Result result = TuttiProcess.run("run", "-q", "-np", "2", "--max-restarts", "3", "-x",
            marker, "sh", "-c", CHECKED + "[ $TUTTI_RESTART_COUNT = 2 ] && exit; [ $RANK = 0 ] && sleep 600; " +
            "[ $TUTTI_RESTART_COUNT = 1 ] || exit 3; kill -s KILL $$", left.toString());

        assertEquals(0, result.code(), result.err());
        assertFalse(result.out().contains("left"), result.out());
        final String host = "tutti: rank 1 on " + Hosts.local() + " \\(pid \\d+\\) failed: ";
        final List<String> errors = result.err().lines().filter(line -> line.startsWith("tutti: rank")).toList();
        assertEquals(2, errors.size(), result.err());
        assertTrue(errors.get(0).matches(host + "exited with code 3; restart 1 of 3"), result.err());
        assertTrue(errors.get(1).matches(host + "killed by SIGKILL; restart 2 of 3"), result.err());
        final List<String> starts = result.outLines();
        for (int restart = 0; restart < 3; restart++)
        {
            final String start = " of 2, restart " + restart + ", job ";
            final List<String> lines = starts.stream().filter(line -> line.contains(start)).toList();
            assertEquals(2, lines.size(), result.out());
            assertEquals(lines.get(0).substring(1), lines.get(1).substring(1));
        }
        assertEquals(3, starts.stream().map(line -> line.substring(line.lastIndexOf(' '))).distinct().count());
        assertEquals(List.of(), TuttiProcess.processesWith(marker));
    }

    @Test
    void shouldExitWithCodeOfLastStartWhenRestartsAreUsedUp()
    {
        final TuttiProcess.Result result = TuttiProcess.run(
            "run", "-q", "-np", "1", "--max-restarts", "1", "sh", "-c", "exit $((3 + TUTTI_RESTART_COUNT))");

        assertEquals(4, result.code(), result.err());
        assertTrue(result.err().matches("""
            tutti: rank 0 on .* failed: exited with code 3; restart 1 of 1
            tutti: rank 0 on .* failed: exited with code 4; restarts used up: 1 of 1
            """), result.err());
    }

    @Test
    void shouldCountRestartsFromZeroWithoutRestarts()
    {
        final TuttiProcess.Result result =
            TuttiProcess.run("run", "-q", "-np", "1", "sh", "-c", "echo $TUTTI_RESTART_COUNT; exit 3");

        assertEquals(3, result.code());
        assertEquals("0\n", result.out());
        assertTrue(result.err().endsWith("failed: exited with code 3\n"), result.err());
    }

    @Test
    void shouldAppendOutputOfAllStartsToFiles()
    {
        final TuttiProcess.Result result = TuttiProcess.run("run", "-q", "-np", "1", "--max-restarts", "1",
            "--output-dir", directory.toString(), "sh", "-c",
            "echo start $TUTTI_RESTART_COUNT; exit $((1 - TUTTI_RESTART_COUNT))");

        assertEquals(0, result.code(), result.err());
        assertEquals("start 0\nstart 1\n", TuttiProcess.read(directory.resolve("rank-0.out")));
    }

    @Test
    void shouldNotRestartJobThatUserEnds()
    {
        try (TuttiProcess tutti = TuttiProcess.start(
            "run", "-q", "-np", "2", "--max-restarts", "3", "sh", "-c", "echo up; sleep 600"))
        {
            tutti.awaitOutput("up", 2).signal("TERM");

            assertEquals(new TuttiProcess.Result(143, "up\nup\n", ""), tutti.awaitEnd());
        }
    }

    @Test
    void shouldNotRestartJobThatExceedsItsTimeout()
    {
        final TuttiProcess.Result result = TuttiProcess.run(
            "run", "-q", "-np", "1", "--max-restarts", "3", "--timeout", "500ms", "sleep", "600");

        assertEquals(124, result.code());
        assertEquals("tutti: the job exceeded --timeout 500 ms: ending rank 0 of 1\n", result.err());
    }

    @Test
    void shouldNotRestartJobThatRefusesItsArguments()
    {
        final TuttiProcess.Result result = TuttiProcess.run(
            "run", "-q", "-np", "1", "--max-restarts", "3", "sample-rank", "leave", "too", "many");

        assertEquals(2, result.code());
        assertFalse(result.err().contains("restart"), result.err());
    }

    /** Files can be read again, from where they were. */
    @ParameterizedTest
    @ValueSource(strings = {"localhost", "alpha"})
    void shouldPassFileOnStdinToEachStart(final String host) throws IOException
    {
        final Path input = Files.writeString(directory.resolve("input"), "all of it\n");

        final TuttiProcess.Result result = TuttiProcess.runWithInput(input, new FakeHosts(directory).words(
            host, "-q", "--max-restarts", "1", "sh", "-c", "cat; exit $((1 - TUTTI_RESTART_COUNT))"));

        assertEquals(0, result.code(), result.err());
        assertEquals("all of it\nall of it\n", result.out());
    }

    @Test
    void shouldPassPipeOnStdinToFirstStartOnlyAndSaySo()
    {
        final TuttiProcess.Result result = TuttiProcess.runWithPipe(
            "all of it", "run", "-np", "1", "--max-restarts", "2", "sh", "-c",
            "cat; echo \", start $TUTTI_RESTART_COUNT\"; exit $((2 - TUTTI_RESTART_COUNT))");

        assertEquals(0, result.code(), result.err());
        assertEquals(List.of("all of it, start 0", ", start 1", ", start 2"), result.outLines());
        assertEquals(1, result.err().lines().filter(line -> line.equals("tutti: rank 0 gets no input after a " +
            "restart: stdin is not a file that can be read again")).count(), result.err());
    }

    @Test
    void shouldLeaveOutHostThatWasLostTwice()
    {
        final FakeHosts hosts = new FakeHosts(directory);
        try (TuttiProcess tutti = TuttiProcess.start(hosts.words(
            "alpha,beta:2", "-q", "-x", marker, "--max-restarts", "3", "--min-nodes", "1", "sh", "-c",
            "echo up $TUTTI_RESTART_COUNT of $WORLD_SIZE; [ $TUTTI_RESTART_COUNT = 2 ] || sleep 600")))
        {
            for (int restart = 0; restart < 2; restart++)
            {
                tutti.awaitOutput("up " + restart + " of 3", 3);
                hosts.sshTo("beta").forEach(pid -> TuttiProcess.signal("KILL", pid));
            }
            final TuttiProcess.Result result = tutti.awaitEnd();

            assertEquals(0, result.code(), result.err());
            assertTrue(result.out().endsWith("up 2 of 1\n"), result.out());
            final List<String> lines = result.err().lines().filter(line -> !line.startsWith(" ")).toList();
            assertEquals(3, lines.size(), result.err());
            assertTrue(lines.get(0).matches("tutti: .*lost beta with ranks 1, 2: .*; restart 1 of 3"), result.err());
            assertTrue(lines.get(1).matches("tutti: .*lost beta with ranks 1, 2: .*; restart 2 of 3"), result.err());
            assertEquals("tutti: leaving out beta, lost twice: 1 rank of 3 on 1 host", lines.get(2));
            TuttiProcess.await("nothing left", () -> TuttiProcess.processesWith(marker).isEmpty());
        }
    }

    /** A host that was up counts as lost if it cannot be reached later; so many restarts are not used up at once. */
    @Test
    @Tag("torture")
    void shouldCountHostAsLostThatCannotBeReachedAgain()
    {
        final TuttiProcess.Result result = TuttiProcess.run(new FakeHosts(directory).words(
            "alpha,once", "-q", "--max-restarts", "3", "--min-nodes", "1", "sh", "-c",
            "[ $TUTTI_RESTART_COUNT = 0 ] || exec echo $WORLD_SIZE; [ $RANK = 1 ] || exec sleep 600; exit 5"));

        assertEquals(0, result.code(), result.err());
        assertEquals("1\n", result.out());
        final List<String> lines = result.err().lines().toList();
        assertEquals(4, lines.size(), result.err());
        assertTrue(lines.get(0).endsWith("failed: exited with code 5; restart 1 of 3"), result.err());
        assertTrue(lines.get(1).matches("tutti: cannot start on once: .*refused.*; restart 2 of 3"), result.err());
        assertTrue(lines.get(2).matches("tutti: cannot start on once: .*refused.*; restart 3 of 3"), result.err());
        assertEquals("tutti: leaving out once, lost twice: 1 rank of 2 on 1 host", lines.get(3));
    }

    @Test
    @Tag("torture")
    void shouldNotRestartJobWhoseHostWasNeverReached()
    {
        final TuttiProcess.Result result = TuttiProcess.run(
            new FakeHosts(directory).words("alpha,nowhere", "--max-restarts", "3", "true"));

        assertEquals(1, result.code());
        assertTrue(result.err().matches("tutti: cannot start on nowhere: .*\n"), result.err());
        assertFalse(result.err().contains("restart"), result.err());
    }
}
