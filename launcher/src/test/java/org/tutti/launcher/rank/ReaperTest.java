/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.rank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tutti.launcher.FakeHosts;
import org.tutti.launcher.TuttiProcess;

/** A reaper that is killed or stopped is reported and replaced. */
class ReaperTest implements Reaper.Listener
{
    /** Above the kernel's largest pid. */
    private static final long FIRST_FREE_PID = 5_000_000;
    private static final String WITH_CHILDREN =
        "sleep 600 & setsid sleep 600 & (setsid sh -c 'sleep 600; :' &) ; echo \"dir $TUTTI_JOB_DIR\"; ";

    private final String marker = "TUTTI_MARKER=" + UUID.randomUUID();

    @TempDir
    private Path directory;

    @Test
    void shouldEndJobAndLeaveNothingWhenReaperIsKilled()
    {
        try (TuttiProcess tutti =
            TuttiProcess.start("run", "-np", "2", "-x", marker, "sh", "-c", WITH_CHILDREN + "exec sleep 600"))
        {
            final Path files = directory(tutti.awaitOutput("dir ", 2), "");
            final String reaper = reaper(tutti, "");
            TuttiProcess.signal("KILL", reaper);
            final TuttiProcess.Result result = tutti.awaitEnd();

            assertEquals(1, result.code(), result.err());
            assertEquals("tutti: the job was ended: tutti-reaper (pid " + reaper + ") was killed, without it " +
                "processes could outlive the job: run the job again\n", result.err());
            assertNothingIsLeft(tutti, files);
        }
    }

    @Test
    void shouldReplaceStoppedReaperWhenJobEnds() throws IOException
    {
        final Path end = directory.resolve("end");
        try (TuttiProcess tutti = TuttiProcess.start("run", "-np", "2", "-x", marker, "sh", "-c",
            WITH_CHILDREN + "while [ ! -e '" + end + "' ]; do sleep 0.05; done"))
        {
            final Path files = directory(tutti.awaitOutput("dir ", 2), "");
            final String reaper = reaper(tutti, "");
            TuttiProcess.signal("STOP", reaper);
            Files.createFile(end);
            final TuttiProcess.Result result = tutti.awaitEnd();

            assertEquals(0, result.code(), result.err());
            assertReplaced("tutti: ", reaper, result.err());
            assertNothingIsLeft(tutti, files);
        }
    }

    @Test
    void shouldForwardSignalsWhenReaperIsStopped()
    {
        try (TuttiProcess tutti = TuttiProcess.start("run", "-np", "2", "-x", marker, "--grace", "1h", "sh", "-c",
            "trap 'echo rank $RANK got it; exit 5' TERM; " + WITH_CHILDREN + "while :; do sleep 0.05; done"))
        {
            final Path files = directory(tutti.awaitOutput("dir ", 2), "");
            final String reaper = reaper(tutti, "");
            TuttiProcess.signal("STOP", reaper);
            tutti.signal("TERM");
            final TuttiProcess.Result result = tutti.awaitEnd();

            assertEquals(143, result.code(), result.err());
            assertEquals(List.of("rank 0 got it", "rank 1 got it"),
                result.outLines().stream().filter(line -> line.startsWith("rank")).sorted().toList());
            assertReplaced("tutti: ", reaper, result.err());
            assertNothingIsLeft(tutti, files);
        }
    }

    /** An agent runs the reaper as a launcher does. */
    @Test
    @Tag("torture")
    void shouldReplaceReapersOnRemoteHosts() throws IOException
    {
        final FakeHosts hosts = new FakeHosts(directory);
        final Path end = directory.resolve("end");
        final String[] words = hosts.words("alpha,beta", "-x", marker, "sh", "-c",
            WITH_CHILDREN + "while [ ! -e '" + end + "' ]; do sleep 0.05; done");
        try (TuttiProcess killed = TuttiProcess.start(words); TuttiProcess stopped = TuttiProcess.start(words))
        {
            final Path filesOfKilled = directory(killed.awaitOutput("dir ", 2), "-h1");
            final Path filesOfStopped = directory(stopped.awaitOutput("dir ", 2), "-h1");
            final String first = reaper(killed, "-h1");
            final String second = reaper(stopped, "-h1");
            TuttiProcess.signal("KILL", first);
            TuttiProcess.signal("STOP", second);
            final TuttiProcess.Result ofKilled = killed.awaitEnd();
            Files.createFile(end);
            final TuttiProcess.Result ofStopped = stopped.awaitEnd();

            assertEquals(1, ofKilled.code(), ofKilled.err());
            assertTrue(ofKilled.err().startsWith("tutti: the job was ended: lost beta with rank 1: tutti-reaper " +
                "(pid " + first + ") was killed, "), ofKilled.err());
            assertEquals(0, ofStopped.code(), ofStopped.err());
            assertReplaced("tutti: beta: ", second, ofStopped.err());
            assertNothingIsLeft(killed, filesOfKilled);
            assertNothingIsLeft(stopped, filesOfStopped);
        }
    }

    /** The replacement receives ranks that ended before it started, whose process groups no longer exist. */
    @Test
    void shouldReplaceKilledReaperWhenManyRanksHaveEnded() throws IOException
    {
        final Path files = Files.createDirectory(directory.resolve("job"));
        try (Reaper reaper = new Reaper(marker, files, this))
        {
            for (long pid = FIRST_FREE_PID; pid < FIRST_FREE_PID + 40; pid++)
            {
                reaper.started(pid);
                reaper.ended(pid);
            }
            TuttiProcess.processesCalled("tutti-reaper\0" + marker).forEach(pid -> TuttiProcess.signal("KILL", pid));
        }
        assertTrue(Files.notExists(files), files.toString());
    }

    @Override
    public void onKilled(final String cause)
    {
        // The test checks the result only.
    }

    @Override
    public void onReplaced(final String notice)
    {
        // The test checks the result only.
    }

    private static void assertReplaced(final String start, final String reaper, final String err)
    {
        // Shells may report terminated children.
        assertEquals(1, err.lines().filter(line -> line.matches(start + "tutti-reaper \\(pid " + reaper +
            "\\) was stopped: it was killed and replaced by tutti-reaper \\(pid \\d+\\)")).count(), err);
    }

    private void assertNothingIsLeft(final TuttiProcess tutti, final Path files)
    {
        TuttiProcess.await("no process left", () -> TuttiProcess.processesWith(marker).isEmpty());
        TuttiProcess.await("no reaper left", () -> reapers(tutti).isEmpty());
        assertTrue(Files.notExists(files), files.toString());
    }

    /** Returns the job's directory on a host, as printed by its ranks. */
    private static Path directory(final TuttiProcess tutti, final String host)
    {
        return Path.of(tutti.output().stream().filter(line -> line.startsWith("dir ") && line.endsWith(host))
            .findFirst().orElseThrow().substring(4));
    }

    private static String reaper(final TuttiProcess tutti, final String host)
    {
        final List<String> found = new ArrayList<>(reapers(tutti));
        found.retainAll(TuttiProcess.processesCalled(host + "\0"));
        assertEquals(1, found.size(), found.toString());
        return found.getFirst();
    }

    private static List<String> reapers(final TuttiProcess tutti)
    {
        return TuttiProcess.processesCalled("tutti-reaper\0" + tutti.pid() + "-");
    }
}
