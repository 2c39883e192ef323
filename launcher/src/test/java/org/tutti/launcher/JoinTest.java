/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Ranks that join the job's coordinator are notified of each other's ends. */
class JoinTest
{
    /** Longer than the heartbeat timeout, which these tests set to 2 s. */
    private static final long STOP_MS = 3_000;

    @TempDir
    private Path directory;

    @Test
    void shouldSucceedWhenRanksJoinAndLeave()
    {
        final TuttiProcess.Result result = TuttiProcess.run("run", "-np", "2", "-v", "sample-rank", "leave");

        assertEquals(0, result.code(), result.err());
        assertEquals("", result.out());
        assertTrue(result.err().contains("all ranks joined"), result.err());
    }

    /** RankProcessTest tests the same without a launcher, and StallTest that calls continue. */
    @Test
    @Tag("torture")
    void shouldSurviveWhenLauncherOrRankIsStoppedForLongerThanHeartbeatTimeout() throws Exception
    {
        final Path end = directory.resolve("end");
        try (TuttiProcess tutti = TuttiProcess.startWith(Map.of("TUTTI_HEARTBEAT_TIMEOUT", "2s"),
            "run", "-np", "2", "sample-rank", "linger", end.toString()))
        {
            final String rank = tutti.awaitOutput("rank 1 is ", 1).output().getFirst().split(" ", -1)[3];
            tutti.signal("TSTP");
            Thread.sleep(STOP_MS);
            tutti.signal("CONT");
            TuttiProcess.signal("STOP", rank);
            Thread.sleep(STOP_MS);
            TuttiProcess.signal("CONT", rank);
            Files.createFile(end);
            final TuttiProcess.Result result = tutti.awaitEnd();

            assertEquals(0, result.code(), result.err());
            // Whether the launcher reports a short stop depends on timing.
            assertTrue(result.err().lines().allMatch(line ->
                line.matches("tutti: rank 1 on .* (is stopped: .*|was resumed)")), result.err());
        }
    }

    @Test
    @Tag("torture")
    void shouldReportRankThatJoinsLate() throws Exception
    {
        final Path end = directory.resolve("end");
        try (TuttiProcess tutti = TuttiProcess.start("run", "-np", "2", "sample-rank", "come-late", end.toString()))
        {
            tutti.awaitError("tutti: rank 1 has not joined the job 5 s after the others\n");
            Files.createFile(end);

            assertEquals(0, tutti.awaitEnd().code());
        }
    }

    /** RemoteRunTest has a rank that dies, and the test below one that does not leave. */
    static Stream<Arguments> failures()
    {
        final Stream<Arguments> few = Stream.of(Arguments.of("abort", 3, "rank 1 has enough"));
        return !Boolean.getBoolean("tutti.test.torture") ? few : Stream.concat(few, Stream.of(
            Arguments.of("die", 9, "exited with code 9"), Arguments.of("forget", 1, "without leaving")));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void shouldNotifyOtherRanksWhenRankFails(final String end, final int code, final String cause)
    {
        // Ends long before the timeout of rank 0, which is notified.
        final TuttiProcess.Result result = TuttiProcess.run("run", "-np", "2", "sample-rank", end);

        assertEquals(code, result.code(), result.err());
        assertTrue(result.out().startsWith("rank 0 heard: ") && result.out().contains("rank 1"), result.out());
        assertTrue(result.err().matches("(?s).*tutti: rank 1 on \\S+ \\(pid \\d+\\) failed: [^\n]*" + cause + ".*"),
            result.err());
    }

    /** No other rank waits for it, and none is left to end: the job must not succeed before the check. */
    @Test
    void shouldFailWhenOnlyRankExitsWithoutLeaving()
    {
        final TuttiProcess.Result result = TuttiProcess.run("run", "-np", "1", "sample-rank", "forget");

        assertEquals(1, result.code(), result.err());
        assertTrue(result.err().matches(
            "tutti: rank 0 on \\S+ \\(pid \\d+\\) failed: exited with code 0 without leaving the job\n"), result.err());
    }
}
