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
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.bootstrap.Hosts;
import org.tutti.bootstrap.JobDirectory;
import org.tutti.launcher.host.WorkingDirectory;

/** Jobs on several simulated hosts, with real processes. */
class RemoteRunTest
{
    private static final boolean IS_TORTURE = Boolean.getBoolean("tutti.test.torture");
    /** Longer than the heartbeat timeout of 3 s. */
    private static final long STOP_MS = 4_000;

    private final String marker = "TUTTI_MARKER=" + UUID.randomUUID();

    @TempDir
    private Path directory;
    private FakeHosts hosts;

    @BeforeEach
    void makeHosts()
    {
        hosts = new FakeHosts(directory);
    }

    @Test
    void shouldSetEnvironmentOfRanksOnAllHosts()
    {
        final TuttiProcess.Result result = TuttiProcess.run(hosts.words("alpha:2,beta", "-x", "MINE=a 'b'", "sh", "-c",
            "echo $RANK/$WORLD_SIZE $LOCAL_RANK/$LOCAL_WORLD_SIZE $LOGNAME $MASTER_ADDR \"$MINE\" $PWD; " +
            "test -d \"$TUTTI_JOB_DIR\" && test -n \"$TUTTI_JOB_ID$TUTTI_SECRET\" && test \"$MASTER_PORT\" -gt 0 && " +
            "test \"${TUTTI_COORDINATOR%:*}\" = 127.0.0.1"));

        final String here = WorkingDirectory.name();
        assertEquals(0, result.code(), result.err());
        assertEquals(List.of(
            "0/3 0/2 alpha 127.0.0.1 a 'b' " + here,
            "1/3 1/2 alpha 127.0.0.1 a 'b' " + here,
            "2/3 0/1 beta 127.0.0.1 a 'b' " + here), result.outLines().stream().sorted().toList());
    }

    @Test
    void shouldPlaceRanksByNodeAndUseWorkingDirectory()
    {
        final TuttiProcess.Result result = TuttiProcess.run(hosts.words("alpha:2,localhost:2", "-np", "3", "--map-by",
            "node", "--wdir", directory.toString(), "--tag", "sh", "-c", "echo ${LOGNAME-none} $LOCAL_RANK; pwd -P"));

        assertEquals(0, result.code(), result.err());
        assertTrue(result.out().contains("[0] alpha 0\n"), result.out());
        assertTrue(result.out().contains("[2] alpha 1\n"), result.out());
        assertFalse(result.out().contains("[1] alpha"), result.out());
        for (int rank = 0; rank < 3; rank++)
        {
            assertTrue(result.out().contains("[" + rank + "] " + directory + "\n"), result.out());
        }
    }

    @Test
    void shouldConnectRanksOfAllHosts()
    {
        final TuttiProcess.Result died = TuttiProcess.run(hosts.words("localhost,alpha:2", "sample-rank", "die"));

        assertEquals(9, died.code(), died.err());
        for (final int rank : new int[] {0, 2})
        {
            assertTrue(died.out().contains("rank " + rank + " heard: rank 1 on "), died.out() + died.err());
        }
        assertTrue(died.err().contains("tutti: rank 1 on alpha (pid "), died.err());
        if (IS_TORTURE)
        {
            // Ranks also leave the job when one was stopped before.
            final TuttiProcess.Result left = TuttiProcess.run(hosts.words("localhost,alpha:2", "sample-rank", "leave"));
            assertEquals(0, left.code(), left.err());
        }
    }

    /** JoinTest tests the same on one host. */
    @Test
    @Tag("torture")
    void shouldFailWhenOnlyRankOfRemoteHostExitsWithoutLeaving()
    {
        final TuttiProcess.Result result = TuttiProcess.run(hosts.words("alpha", "sample-rank", "forget"));

        assertEquals(1, result.code(), result.err());
        assertTrue(result.err().matches(
            "tutti: rank 0 on \\S+ \\(pid \\d+\\) failed: exited with code 0 without leaving the job\n"), result.err());
    }

    @Test
    void shouldPassOnOnlyTuttisSettings()
    {
        try (TuttiProcess tutti = TuttiProcess.startWith(
            Map.of("TUTTI_TIMEOUT", "77s", "TUTTI_HOST", "here", "OTHER", "here", "TUTTI_JOB_DIR", "/nonexistent"),
            hosts.words("alpha", "--transport", "mine", "sh", "-c",
            "echo $TUTTI_TIMEOUT ${OTHER-none} ${TUTTI_HOST-none} $TUTTI_TRANSPORT; test -d $TUTTI_JOB_DIR")))
        {
            final TuttiProcess.Result result = tutti.awaitEnd();

            assertEquals(new TuttiProcess.Result(0, "77s none none mine\n", ""), result);
        }
    }

    @Test
    void shouldNotExposeSecretInArgumentsOrEnvironmentOfSsh()
    {
        final TuttiProcess.Result result =
            TuttiProcess.run(hosts.words("alpha", "-q", "sh", "-c", "echo $TUTTI_SECRET"));

        assertTrue(result.out().matches("[0-9a-f]{32}\n"), result.out() + result.err());
        assertFalse(hosts.calls().contains(result.out().strip()), hosts.calls());
        assertTrue(hosts.calls().contains("alpha: exec '" + directory.resolve("home/tutti") + "' agent"));
    }

    @Test
    void shouldPassStdinToRankZeroOnRemoteHost() throws IOException
    {
        final byte[] bytes = new byte[3_000_000];
        new Random(7).nextBytes(bytes);
        final Path input = Files.write(directory.resolve("input"), bytes);
        final Path copy = directory.resolve("copy");

        final TuttiProcess.Result result = TuttiProcess.runWithInput(
            input, hosts.words("alpha,beta", "sh", "-c", "cat >" + copy + ".$RANK"));

        assertEquals(0, result.code(), result.err());
        assertEquals(-1, Files.mismatch(input, Path.of(copy + ".0")));
        assertEquals(0, Files.size(Path.of(copy + ".1")));
    }

    @Test
    void shouldPassOnAllOutputInCompleteLines()
    {
        final int lines = 20_000;
        final String line = "x".repeat(200);

        final TuttiProcess.Result result = TuttiProcess.run(hosts.words("alpha,beta", "sh", "-c",
            "i=0; while [ $i -lt " + lines + " ]; do echo \"$RANK $i " + line + "\"; i=$((i + 1)); done"));

        assertEquals(0, result.code(), result.err());
        for (int rank = 0; rank < 2; rank++)
        {
            final String start = rank + " ";
            final List<String> own = result.outLines().stream().filter(each -> each.startsWith(start)).toList();
            assertEquals(lines, own.size());
            for (int i = 0; i < lines; i++)
            {
                assertEquals(rank + " " + i + " " + line, own.get(i));
            }
        }
    }

    @Test
    void shouldReportFailedRankAndItsLastOutput()
    {
        final TuttiProcess.Result result = TuttiProcess.run(hosts.words("alpha,beta", "sh", "-c",
            "if [ $RANK = 1 ]; then echo what went wrong >&2; exit 7; fi; exec sleep 60"));

        assertEquals(7, result.code());
        assertTrue(result.err().matches("""
            what went wrong
            tutti: rank 1 on beta \\(pid \\d+\\) failed: exited with code 7
            tutti: its last output:
                what went wrong
            """), result.err());
    }

    @Test
    void shouldForwardSignalsAndExitWithTheirCode()
    {
        try (TuttiProcess tutti = TuttiProcess.start(hosts.words("alpha,localhost", "-x", marker, "sh", "-c",
            "trap 'echo rank $RANK got it; exit 5' INT; echo \"dir $TUTTI_JOB_DIR\"; while :; do sleep 0.05; done")))
        {
            tutti.awaitOutput("dir ", 2);
            tutti.signal("INT");
            final TuttiProcess.Result result = tutti.awaitEnd();

            assertEquals(130, result.code(), result.err());
            assertEquals(List.of("rank 0 got it", "rank 1 got it"),
                result.outLines().stream().filter(each -> each.startsWith("rank")).sorted().toList());
            assertEquals("", result.err());
        }
        assertNothingIsLeft();
    }

    /** The launcher is also killed at any time, and ranks by KillTest. */
    static List<String> victims()
    {
        return IS_TORTURE ? List.of("launcher", "agent", "ssh", "ssh and launcher", "rank") :
            List.of("agent", "ssh and launcher");
    }

    @ParameterizedTest
    @MethodSource("victims")
    void shouldLeaveNothingWhenAnyProcessIsKilled(final String victim)
    {
        try (TuttiProcess tutti = TuttiProcess.start(hosts.words("alpha,beta:2", "-x", marker, "sh", "-c",
            "sleep 600 & setsid sleep 600 & echo \"dir $TUTTI_JOB_DIR $$ $PPID\"; sleep 600")))
        {
            tutti.awaitOutput("dir ", 3);
            final String[] dir = tutti.output().stream().filter(each -> each.contains("-h1 ")).findFirst().orElseThrow()
                .split(" ", -1);
            if (victim.contains("ssh"))
            {
                hosts.sshTo("beta").forEach(RemoteRunTest::kill);
            }
            if (victim.contains("launcher"))
            {
                tutti.signal("KILL");
            }
            if (victim.equals("agent") || victim.equals("rank"))
            {
                kill(dir[victim.equals("agent") ? 3 : 2]);
            }
            final TuttiProcess.Result result = tutti.awaitEnd();

            switch (victim)
            {
                case "agent", "ssh" ->
                {
                    assertEquals(1, result.code(), result.err());
                    assertTrue(result.err().startsWith("tutti: the job was ended: lost beta with ranks 1, 2: " +
                        "the connection ended ("), result.err());
                }
                case "rank" ->
                {
                    assertEquals(137, result.code(), result.err());
                    assertTrue(result.err().contains(" on beta (pid " + dir[2] + ") failed: killed by SIGKILL"),
                        result.err());
                }
                default -> assertEquals(137, result.code(), result.err());
            }
        }
        assertNothingIsLeft();
    }

    @Test
    void shouldLeaveNothingWhenLauncherIsKilledAtAnyTime() throws InterruptedException
    {
        final int stepMs = Boolean.getBoolean("tutti.test.torture") ? 100 : 300;
        for (int delayMs = 100; delayMs < 1_200; delayMs += stepMs)
        {
            try (TuttiProcess tutti = TuttiProcess.start(hosts.words("alpha,beta", "-x", marker, "sleep", "600")))
            {
                Thread.sleep(delayMs);
                tutti.signal("KILL");
                tutti.awaitEnd();
                assertNothingIsLeft();
            }
        }
    }

    @Test
    void shouldReportHostAsLostWhenItsAgentIsStopped()
    {
        try (TuttiProcess tutti = TuttiProcess.startWith(Map.of("TUTTI_HEARTBEAT_TIMEOUT", "2s"),
            hosts.words("alpha,beta", "-x", marker, "sh", "-c", "echo \"dir $TUTTI_JOB_DIR $PPID\"; sleep 600")))
        {
            final String agent = tutti.awaitOutput("dir ", 2).output().stream().filter(each -> each.contains("-h1 "))
                .findFirst().orElseThrow().split(" ", -1)[2];
            signal(agent, "STOP");
            final TuttiProcess.Result result = tutti.awaitEnd();
            signal(agent, "CONT");

            assertEquals(1, result.code());
            assertTrue(result.err().matches(
                "tutti: the job was ended: lost beta with rank 1: no heartbeat for \\d+\\.\\d s\n"), result.err());
        }
        assertNothingIsLeft();
    }

    /** The rank sends nothing, but the agent of its host sees that its process is alive. */
    @Test
    @Tag("torture")
    void shouldReportStoppedRankOfRemoteHostAndWaitForIt() throws Exception
    {
        final Path end = directory.resolve("end");
        try (TuttiProcess tutti = TuttiProcess.startWith(Map.of("TUTTI_HEARTBEAT_TIMEOUT", "3s"),
            hosts.words("alpha,beta", "-x", marker, "sample-rank", "linger", end.toString())))
        {
            final String rank = tutti.awaitOutput("rank 1 is ", 1).output().getFirst().split(" ", -1)[3];
            signal(rank, "STOP");
            tutti.awaitError("tutti: rank 1 on beta (pid " + rank + ") is stopped: ");
            Thread.sleep(STOP_MS);
            signal(rank, "CONT");
            tutti.awaitError("tutti: rank 1 on beta (pid " + rank + ") was resumed");
            Files.createFile(end);

            final TuttiProcess.Result result = tutti.awaitEnd();
            assertEquals(0, result.code(), result.err());
        }
        assertNothingIsLeft();
    }

    @Test
    void shouldEndRanksOfHostThatLosesLauncher()
    {
        try (TuttiProcess tutti = TuttiProcess.startWith(Map.of("TUTTI_HEARTBEAT_TIMEOUT", "2s"),
            hosts.words("alpha", "-x", marker, "sh", "-c", "echo \"dir $TUTTI_JOB_DIR\"; sleep 600")))
        {
            tutti.awaitOutput("dir ", 1);
            tutti.signal("STOP");
            TuttiProcess.await("no process left", () -> TuttiProcess.processesWith(marker).isEmpty());
            TuttiProcess.await("no file left", () -> directoriesOfAgents().isEmpty());
            tutti.signal("CONT");

            assertEquals(1, tutti.awaitEnd().code());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "nowhere | home | ssh-of-ours exited with code 255: ssh: Could not resolve hostname nowhere: Name or service " +
            "not known; it must log in without a prompt, by a key and a known host: try '",
        "alpha | empty | no executable DIR/empty/tutti:  ",
        "alpha | empty | install Tutti there, or give --remote-path",
        "alpha | no-jdk | needs JDK 25 or newer in JAVA_HOME",
        "alpha | another | another build of Tutti is in DIR/another there (another, here unpackaged): copy the same",
        "alpha | newer | version of the agent protocol there is 99, here 4: use the same",
        "alpha | mad | invalid data on the connection: invalid frame length:  ",
        "dumb | home | its agent exited with code 3 before it was ready"})
    void shouldReportInOneLineWhyHostCannotStart(final String host, final String home, final String error)
    {
        hosts.installation("another", "-Dtutti.build=another");
        hosts.impostor("no-jdk", "echo 'tutti: needs JDK 25 or newer in JAVA_HOME, ...' >&2; exit 2");
        hosts.impostor("newer", "echo tutti-link 99; exec cat >/dev/null");
        hosts.impostor("mad", "echo tutti-link 4; yes");

        final TuttiProcess.Result result = TuttiProcess.run(hosts.words(
            host, "--remote-path", directory.resolve(home).toString(), "-x", marker, "true"));

        assertEquals(1, result.code(), result.err());
        assertTrue(result.err().startsWith("tutti: cannot start on " + host + ": "), result.err());
        assertTrue(result.err().contains(error.replace("DIR", directory.toString())), result.err());
        assertEquals(1, result.err().lines().count(), result.err());
        assertNothingIsLeft();
    }

    @Test
    @Tag("torture")
    void shouldReportLimitOfOpenFilesOfRemoteHost()
    {
        hosts.impostor("few-files", "ulimit -n 64; exec '" + directory + "/home/tutti' \"$@\"");

        final TuttiProcess.Result result = TuttiProcess.run(hosts.words(
            "alpha:20", "-q", "--remote-path", directory.resolve("few-files").toString(), "-x", marker, "true"));

        assertEquals(1, result.code(), result.err());
        assertTrue(result.err().matches("tutti: cannot start on alpha: the agent of 20 ranks needs 92 more open " +
            "files, but the limit is 64 \\(ulimit -n\\) and \\d+ are open: set 'ulimit -n \\d+' or more .*\n"),
            result.err());
        assertNothingIsLeft();
    }

    @Test
    void shouldReportMissingProgramOrDirectoryOfRemoteHost() throws IOException
    {
        final Path gone = Files.createDirectory(directory.resolve("gone"));
        final TuttiProcess.Result program = TuttiProcess.run(hosts.words("alpha", "no-such-program"));
        final TuttiProcess.Result wdir =
            TuttiProcess.run(hosts.words("alpha", "--wdir", gone + "/x", "true"));

        assertEquals(1, program.code());
        assertTrue(program.err().startsWith(
            "tutti: rank 0 on alpha failed: could not be started: no job and no program "), program.err());
        assertEquals("tutti: cannot start on alpha: no such working directory " + gone +
            "/x: create it on that host, or give --wdir\n", wdir.err());
    }

    @Test
    void shouldReportAllHostsThatCannotStart()
    {
        final TuttiProcess.Result result = TuttiProcess.run(hosts.words("nowhere,dumb,alpha", "-x", marker, "true"));

        assertEquals(1, result.code());
        assertEquals(List.of("tutti: cannot start on dumb", "tutti: cannot start on nowhere"),
            result.err().lines().map(line -> line.split(": ", -1)).map(parts -> parts[0] + ": " + parts[1]).sorted()
                .toList(), result.err());
        assertNothingIsLeft();
    }

    @Test
    @Tag("torture")
    void shouldEndWhenHostIsNotReadyInTimeOrOnSignal()
    {
        try (TuttiProcess late = TuttiProcess.startWith(Map.of("TUTTI_JOIN_TIMEOUT", "2s"),
            hosts.words("mute,alpha", "-x", marker, "true"));
            TuttiProcess stopped = TuttiProcess.start(hosts.words("mute", "-x", marker, "true")))
        {
            TuttiProcess.await("ssh", () -> Files.exists(directory.resolve("calls")) &&
                hosts.calls().split("mute: ", -1).length > 2);
            stopped.signal("INT");

            assertEquals(130, stopped.awaitEnd().code());
            final TuttiProcess.Result result = late.awaitEnd();
            assertEquals(1, result.code());
            // The other host may time out as well.
            assertTrue(result.err().lines().anyMatch(line -> line.startsWith("tutti: cannot start on mute") &&
                line.contains(": not ready within 2 s: if it is slow, raise TUTTI_JOIN_TIMEOUT")), result.err());
        }
        TuttiProcess.await("no ssh", () -> hosts.sshTo("mute").isEmpty());
    }

    @Test
    void shouldIgnoreOutputOfRemoteShell()
    {
        final TuttiProcess.Result result = TuttiProcess.run(hosts.words("talkative", "echo", "hello"));

        assertEquals(new TuttiProcess.Result(0, "hello\n", ""), result);
    }

    @Test
    void shouldRunOnLocalHostWithoutSsh()
    {
        final TuttiProcess.Result result = TuttiProcess.run("run", "--ssh", "false", "--host",
            "localhost:2," + Hosts.local() + ",127.0.0.1", "sh", "-c", "echo $LOCAL_RANK/$LOCAL_WORLD_SIZE");

        assertEquals(0, result.code(), result.err());
        assertEquals(List.of("0/4", "1/4", "2/4", "3/4"), result.outLines().stream().sorted().toList());
    }

    @Test
    @Tag("torture")
    void shouldPrintWhenEachHostWasReady()
    {
        final TuttiProcess.Result result = TuttiProcess.run(hosts.words("alpha,beta", "-v", "true"));

        assertTrue(result.err().contains(" ms  alpha ready\n"), result.err());
        assertTrue(result.err().contains(" ms  beta ready\n"), result.err());
    }

    private void assertNothingIsLeft()
    {
        TuttiProcess.await("no process left", () -> TuttiProcess.processesWith(marker).isEmpty());
        TuttiProcess.await("no agent left", () ->
            TuttiProcess.processesWith(directory.toString()).isEmpty() &&
            TuttiProcess.processesCalled(directory.toString()).isEmpty());
        TuttiProcess.await("no file left", () -> directoriesOfAgents().isEmpty());
    }

    private static List<Path> directoriesOfAgents()
    {
        try (Stream<Path> files = Files.list(JobDirectory.base()))
        {
            return files.filter(file -> file.getFileName().toString().matches("tutti-.*-h\\d+(\\..*)?")).toList();
        }
        catch (final IOException ex)
        {
            return List.of(Path.of(ex.toString()));
        }
    }

    private static void kill(final String pid)
    {
        signal(pid, "KILL");
    }

    private static void signal(final String pid, final String name)
    {
        try
        {
            new ProcessBuilder("kill", "-s", name, pid).start().waitFor();
        }
        catch (final IOException | InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
