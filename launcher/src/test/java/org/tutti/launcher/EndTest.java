/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.bootstrap.JobDirectory;
import org.tutti.launcher.host.Cores;
import org.tutti.launcher.host.SpawnPrefix;

/** No process and no file of a job is left, however it ends. */
class EndTest
{
    /** A rank's command: prints its job directory, leaves child processes behind, and waits. */
    private static final String WITH_CHILDREN =
        "sleep 600 & setsid sleep 600 & (setsid sh -c 'sleep 600; :' &) ; echo \"dir $TUTTI_JOB_DIR\"; sleep 600";

    /** The command of ranks with files in shared memory. */
    private static final String WITH_SHARED_FILES =
        "echo \"dir $TUTTI_SHM_DIR\"; head -c 1000 /dev/zero >\"$TUTTI_SHM_DIR/ctx-$RANK\" || exit 3; ";

    private final String marker = "TUTTI_MARKER=" + UUID.randomUUID();

    @TempDir
    private Path shared;

    @Test
    void shouldLeaveNothingWhenLauncherIsKilled()
    {
        try (TuttiProcess tutti = TuttiProcess.start("run", "-np", "2", "-x", marker, "sh", "-c", WITH_CHILDREN))
        {
            final List<String> out = outputOfBoth(tutti);
            tutti.signal("KILL");

            assertEquals(128 + 9, tutti.awaitEnd().code());
            TuttiProcess.await("no process left", () -> TuttiProcess.processesWith(marker).isEmpty());
            TuttiProcess.await("no file left", () -> !Files.exists(directory(out)));
        }
    }

    @Test
    void shouldLeaveNothingWhenLauncherIsKilledAtAnyTime() throws IOException, InterruptedException
    {
        final int stepMs = Boolean.getBoolean("tutti.test.torture") ? 25 : 100;
        for (int delayMs = 0; delayMs < 500; delayMs += stepMs)
        {
            try (TuttiProcess tutti = TuttiProcess.start("run", "-np", "2", "-x", marker, "sleep", "600"))
            {
                Thread.sleep(delayMs);
                tutti.signal("KILL");
                tutti.awaitEnd();
                TuttiProcess.await("no process left", () -> TuttiProcess.processesWith(marker).isEmpty());
                TuttiProcess.await("no file left", () -> filesOf(tutti.pid()).isEmpty());
            }
        }
    }

    @Test
    void shouldEndRanksWithLauncherWhenReaperIsKilled()
    {
        try (TuttiProcess tutti = TuttiProcess.start("run", "-np", "2", "-x", marker, "sh", "-c",
            "echo \"dir $TUTTI_JOB_DIR\"; exec sleep 600"))
        {
            outputOfBoth(tutti);
            TuttiProcess.processesCalled("tutti-reaper\0" + tutti.pid() + "-")
                .forEach(pid -> ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly));
            tutti.signal("KILL");
            tutti.awaitEnd();

            TuttiProcess.await("no process left", () -> TuttiProcess.processesWith(marker).isEmpty());
        }
    }

    /** A process without an environment is found by its process group, with as many ranks as cores, and with more. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldEndProcessesThatRankLeftInItsGroup(final int more)
    {
        final int ranks = Cores.count() + more;
        final String np = Integer.toString(ranks);
        final String duration = "600." + ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE);
        final String command = "env -i sleep " + duration + " & echo \"dir $TUTTI_JOB_DIR\"; ";

        final TuttiProcess.Result result = TuttiProcess.run("run", "-q", "-np", np, "sh", "-c", command + "exit 0");
        assertEquals(0, result.code(), result.err());
        TuttiProcess.await("no process left", () -> TuttiProcess.processesCalled(duration).isEmpty());
        try (TuttiProcess tutti = TuttiProcess.start("run", "-q", "-np", np, "sh", "-c", command + "exec sleep 600"))
        {
            tutti.awaitOutput("dir ", ranks);
            tutti.signal("KILL");
            tutti.awaitEnd();
            TuttiProcess.await("no process left", () -> TuttiProcess.processesCalled(duration).isEmpty());
        }
    }

    /** Files that ranks left in the user's directory are removed with the job. */
    @Test
    void shouldLeaveNothingInUsersSharedMemoryWhenRanksAreKilled()
    {
        try (TuttiProcess tutti = TuttiProcess.startWith(Map.of("TUTTI_SHM_DIR", shared.toString()),
            "run", "-np", "2", "-x", marker, "sh", "-c", WITH_SHARED_FILES + "kill -s KILL $$"))
        {
            final TuttiProcess.Result result = tutti.awaitEnd();

            assertEquals(128 + 9, result.code(), result.err());
            assertEquals(1, result.outLines().stream().distinct().count(), "the ranks do not share a directory");
            assertTrue(result.out().startsWith("dir " + shared + "/"), result.out());
            assertEquals(List.of(), filesIn(shared));
        }
    }

    /** No process of the job is left to remove its files, and its pids are meaningless in this namespace. */
    @Test
    void shouldRemoveFilesOfEndedPidNamespaceOnNextRun() throws Exception
    {
        if (!canMakePidNamespaces())
        {
            System.err.println("skipped: this user cannot make PID namespaces (unshare --pid)");
            return;
        }
        final Path files;
        try (TuttiProcess tutti = TuttiProcess.startInPidNamespace(Map.of("TUTTI_SHM_DIR", shared.toString()),
            "run", "-np", "2", "-x", marker, "sh", "-c",
            WITH_SHARED_FILES + "echo job $TUTTI_JOB_DIR; exec sleep 600"))
        {
            final List<String> out = tutti.awaitOutput("job ", 2).output();
            files = Path.of(
                out.stream().filter(line -> line.startsWith("job ")).findFirst().orElseThrow().substring(4));
            // Files of a running job are kept, also of one in another PID namespace.
            assertEquals(0, TuttiProcess.run("run", "-np", "1", "true").code());
            assertTrue(Files.exists(files));
            assertEquals(1, filesIn(shared).size());
            tutti.signal("KILL");
            tutti.awaitEnd();
            TuttiProcess.await("no process left", () -> TuttiProcess.processesWith(marker).isEmpty());
        }
        assertTrue(Files.exists(files), "no process was left to remove it");

        assertEquals(0, TuttiProcess.run("run", "-np", "1", "true").code());

        assertTrue(Files.notExists(files));
        assertEquals(List.of(), filesIn(shared));
    }

    /** Ranks are started before the coordinator is. */
    @Test
    void shouldLeaveNothingWhenCoordinatorCannotStart()
    {
        final TuttiProcess.Result result =
            TuttiProcess.runWithShortFiles("run", "-np", "64", "-q", "-x", marker, "sleep", "600");

        assertEquals(1, result.code(), result.err());
        assertTrue(result.err().matches("tutti: the media driver cannot start in .*: File too large\n"), result.err());
        assertEquals(List.of(), TuttiProcess.processesWith(marker));
    }

    @Test
    void shouldLeaveNothingWhenRankIsKilled()
    {
        final TuttiProcess.Result result = TuttiProcess.run("run", "-np", "2", "-x", marker, "sh", "-c",
            WITH_CHILDREN.replaceFirst("sleep 600$", "if [ \\$RANK = 1 ]; then kill -s KILL \\$\\$; fi; sleep 600"));

        assertEquals(128 + 9, result.code(), result.err());
        assertTrue(result.err().contains("failed: killed by SIGKILL"), result.err());
        assertEquals(List.of(), TuttiProcess.processesWith(marker));
        assertTrue(Files.notExists(directory(result.outLines())));
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143", "HUP, 129"})
    void shouldForwardSignalsAndExitWithTheirCode(final String signal, final int code)
    {
        try (TuttiProcess tutti = TuttiProcess.start("run", "-np", "2", "-x", marker, "sh", "-c",
            "trap 'echo rank $RANK got it; exit 5' " + signal + "; echo \"dir $TUTTI_JOB_DIR\"; " +
            "while :; do sleep 0.05; done"))
        {
            final List<String> out = outputOfBoth(tutti);
            tutti.signal(signal);
            final TuttiProcess.Result result = tutti.awaitEnd();

            assertEquals(code, result.code(), result.err());
            assertEquals(List.of("rank 0 got it", "rank 1 got it"),
                result.outLines().stream().filter(line -> line.startsWith("rank")).sorted().toList());
            assertFalse(result.err().contains("tutti:"), result.err());
            assertTrue(Files.notExists(directory(out)));
        }
    }

    @Test
    void shouldKillRanksThatIgnoreSignalAfterGracePeriod()
    {
        try (TuttiProcess tutti = TuttiProcess.start("run", "-np", "2", "-x", marker, "--grace", "300ms", "sh", "-c",
            "trap '' TERM; echo \"dir $TUTTI_JOB_DIR\"; while :; do sleep 0.05; done"))
        {
            outputOfBoth(tutti);
            final long startNs = System.nanoTime();
            tutti.signal("TERM");

            assertEquals(143, tutti.awaitEnd().code());
            assertTrue(System.nanoTime() - startNs >= TimeUnit.MILLISECONDS.toNanos(300));
            assertEquals(List.of(), TuttiProcess.processesWith(marker));
        }
    }

    @Test
    void shouldKillImmediatelyOnSecondSignal()
    {
        try (TuttiProcess tutti = TuttiProcess.start("run", "-np", "2", "-x", marker, "--grace", "1h", "sh", "-c",
            "trap 'echo heard' INT; echo \"dir $TUTTI_JOB_DIR\"; while :; do sleep 0.05; done"))
        {
            outputOfBoth(tutti);
            tutti.signal("INT");
            tutti.awaitOutput("heard", 2);
            tutti.signal("INT");

            assertEquals(130, tutti.awaitEnd().code());
            assertEquals(List.of(), TuttiProcess.processesWith(marker));
        }
    }

    private static boolean canMakePidNamespaces() throws Exception
    {
        return SpawnPrefix.find("unshare") != null &&
            new ProcessBuilder("unshare", "--pid", "--fork", "--mount-proc", "true").start().waitFor() == 0;
    }

    private static List<Path> filesIn(final Path directory)
    {
        try (Stream<Path> files = Files.list(directory))
        {
            return files.toList();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static List<String> outputOfBoth(final TuttiProcess tutti)
    {
        return tutti.awaitOutput("dir ", 2).output();
    }

    private static List<Path> filesOf(final long launcher)
    {
        final List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(JobDirectory.base(), "tutti-*-" + launcher + "-*"))
        {
            found.forEach(files::add);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        return files;
    }

    private static Path directory(final List<String> out)
    {
        return Path.of(out.stream().filter(line -> line.startsWith("dir ")).findFirst().orElseThrow().substring(4));
    }
}
