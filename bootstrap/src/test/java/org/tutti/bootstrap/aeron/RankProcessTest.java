/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.CoordinatorListener;
import org.tutti.bootstrap.Hosts;
import org.tutti.bootstrap.JobDirectory;
import org.tutti.bootstrap.ProcessIdentity;
import org.tutti.bootstrap.RankFailure;

class RankProcessTest
{
    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void endProcesses()
    {
        processes.forEach(Process::destroyForcibly);
    }

    private Process start(final Map<String, String> environment, final String action)
    {
        final Process process = RankProcesses.start(RankMain.class, environment, action);
        processes.add(process);
        return process;
    }

    @Test
    void shouldPassBarrierAndLeave() throws Exception
    {
        try (LaunchedJob job = new LaunchedJob(2))
        {
            final Process first = start(job.environment(0), "barrier");
            final Process second = start(job.environment(1), "barrier");

            System.out.print(RankProcesses.output(first));
            System.out.print(RankProcesses.output(second));

            assertEquals(0, first.exitValue());
            assertEquals(0, second.exitValue());
            job.coordinator.rankExited(0);
            job.coordinator.rankExited(1);
            job.coordinator.close();
            assertEquals(null, job.coordinator.failure());
        }
    }

    @Test
    void shouldEndWaitsOfOtherRanksWhenLauncherReportsKilledRank() throws Exception
    {
        try (LaunchedJob job = new LaunchedJob(3))
        {
            for (int rank = 0; rank < 3; rank++)
            {
                start(job.environment(rank), "hang");
            }
            for (final Process process : processes)
            {
                RankProcesses.awaitLine(process, "passed");
            }
            final Process victim = processes.get(1);
            victim.destroyForcibly();
            assertTrue(victim.waitFor(10, TimeUnit.SECONDS));

            job.coordinator.rankFailed(new RankFailure(1, "here", victim.pid(), "killed by SIGKILL"));

            final String expected =
                "error: rank 1 on here (pid " + victim.pid() + ") failed: killed by SIGKILL\n";
            assertEquals(expected, RankProcesses.output(processes.get(0)));
            assertEquals(expected, RankProcesses.output(processes.get(2)));
        }
    }

    @Test
    void shouldDetectDeadRankByMissingHeartbeats() throws Exception
    {
        final BlockingQueue<RankFailure> reported = new LinkedBlockingQueue<>();
        try (LaunchedJob job = new LaunchedJob(
            2, (context) -> context.heartbeatTimeoutNs(TimeUnit.SECONDS.toNanos(2)).listener(reportTo(reported))))
        {
            final Process survivor = start(job.environment(0), "hang");
            final Process victim = start(job.environment(1), "hang");
            RankProcesses.awaitLine(survivor, "passed");
            RankProcesses.awaitLine(victim, "passed");

            victim.destroyForcibly();

            final RankFailure failure = reported.poll(30, TimeUnit.SECONDS);
            assertNotNull(failure);
            assertEquals(1, failure.rank());
            assertEquals(victim.pid(), failure.pid());
            assertTrue(failure.cause().startsWith("no heartbeat for "), failure.cause());
            final String output = RankProcesses.output(survivor);
            assertTrue(output.contains("rank 1") && output.contains("no heartbeat"), output);
        }
    }

    @Test
    @Tag("torture")
    void shouldSurvivePauseOfWholeJob() throws Exception
    {
        final Process launcher = RankProcesses.start(LauncherMain.class, Map.of());
        processes.add(launcher);
        RankProcesses.awaitLine(launcher, "ready");
        final Map<String, String> environment = launchedBy(launcher);
        final Process first = start(environment, "barrier");
        RankProcesses.awaitLine(launcher, "joined");
        pause(first, launcher);
        environment.put("RANK", "1");
        final Process second = start(environment, "barrier");

        assertTrue(RankProcesses.output(first).contains("rank 0 main"));
        assertTrue(RankProcesses.output(second).contains("rank 1 main"));
        launcher.destroy();
        launcher.waitFor();
        assertFalse(Files.exists(Path.of(environment.get("TUTTI_JOB_DIR"))));
    }

    /**
     * Only in the torture profile: the join timeout must be long enough for a busy machine, and the pause is longer.
     */
    @Test
    @Tag("torture")
    void shouldSurvivePauseOfLauncherThatIsLongerThanJoinTimeout() throws Exception
    {
        final long joinLimitMs = 20_000;
        final Process launcher = RankProcesses.start(LauncherMain.class, Map.of(), Long.toString(6 * joinLimitMs));
        processes.add(launcher);
        RankProcesses.awaitLine(launcher, "ready");
        final Map<String, String> environment = launchedBy(launcher);
        environment.put("TUTTI_JOIN_TIMEOUT", joinLimitMs + "ms");
        final Process first = start(environment, "barrier");
        RankProcesses.awaitLine(launcher, "joined");
        pause(joinLimitMs + 1_000, launcher);
        environment.put("RANK", "1");
        environment.put("TUTTI_JOIN_TIMEOUT", "120s");
        final Process second = start(environment, "barrier");

        final String output = RankProcesses.output(first);
        assertTrue(output.contains("rank 0 main"), output);
        assertTrue(RankProcesses.output(second).contains("rank 1 main"));
    }

    @Test
    @Tag("torture")
    void shouldNotConsiderStoppedLauncherOrRankDead() throws Exception
    {
        final Process launcher = RankProcesses.start(LauncherMain.class, Map.of());
        processes.add(launcher);
        RankProcesses.awaitLine(launcher, "ready");
        final Map<String, String> environment = launchedBy(launcher);
        final Process first = start(environment, "barrier");
        RankProcesses.awaitLine(launcher, "joined");
        pause(launcher);
        assertTrue(first.isAlive(), "the rank considered its launcher dead");
        pause(first);
        environment.put("RANK", "1");
        final Process second = start(environment, "barrier");

        final String output = RankProcesses.output(second);
        assertTrue(output.contains("rank 1 main"), output);
        assertTrue(RankProcesses.output(first).contains("rank 0 main"));
    }

    /** Stops processes for longer than the heartbeat timeout. */
    private static void pause(final Process... stopped) throws Exception
    {
        pause(3 * LauncherMain.HEARTBEAT_TIMEOUT_MS / 2, stopped);
    }

    private static void pause(final long durationMs, final Process... stopped) throws Exception
    {
        for (final Process each : stopped)
        {
            signal("STOP", each);
        }
        TimeUnit.MILLISECONDS.sleep(durationMs);
        for (final Process each : List.of(stopped).reversed())
        {
            signal("CONT", each);
        }
    }

    private static void signal(final String name, final Process process) throws Exception
    {
        assertEquals(0, new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor());
    }

    private static Map<String, String> launchedBy(final Process launcher)
    {
        final String jobId = "gone-" + launcher.pid();
        return new HashMap<>(Map.of(
            "RANK", "0", "WORLD_SIZE", "2", "LOCAL_RANK", "0", "LOCAL_WORLD_SIZE", "2",
            "TUTTI_JOB_ID", jobId,
            "TUTTI_JOB_DIR", JobDirectory.path(JobDirectory.base(), jobId).toString(),
            "TUTTI_SECRET", "x"));
    }

    @Test
    void shouldReportFailureWhenRankExitsWithoutLeaving() throws Exception
    {
        final BlockingQueue<RankFailure> reported = new LinkedBlockingQueue<>();
        try (LaunchedJob job = new LaunchedJob(1, (context) -> context.listener(reportTo(reported))))
        {
            final Process rank = start(job.environment(0), "exit");
            assertEquals(0, rank.waitFor());

            final RankFailure failure = job.coordinator.rankExited(0);

            assertNotNull(failure);
            assertEquals("exited with code 0 without leaving the job", failure.cause());
            assertEquals(failure, reported.poll(30, TimeUnit.SECONDS));
        }
    }

    @Test
    void shouldEndJobAndReportErrorOfCoordinator() throws Exception
    {
        final BlockingQueue<RankFailure> reported = new LinkedBlockingQueue<>();
        try (LaunchedJob job = new LaunchedJob(1, (context) -> context.listener(reportTo(reported))))
        {
            final AeronCoordinator coordinator = (AeronCoordinator)job.coordinator;
            coordinator.execute(
                (service) ->
                {
                    throw new OutOfMemoryError("unable to create native thread");
                });

            final RankFailure failure = reported.poll(30, TimeUnit.SECONDS);
            assertNotNull(failure);
            assertTrue(failure.cause().contains("unable to create native thread"), failure.cause());
        }
    }

    @Test
    void shouldReadPendingLeaveBeforeReportingExitAsFailure() throws Exception
    {
        try (LaunchedJob job = new LaunchedJob(1))
        {
            final Bootstrap rank = job.join(0);
            final CountDownLatch isFree = new CountDownLatch(1);
            ((AeronCoordinator)job.coordinator).execute((service) -> awaitQuietly(isFree));
            final AtomicReference<RankFailure> settled = new AtomicReference<>();
            final Thread settling = startUntilItWaits(() -> settled.set(job.coordinator.rankExited(0)));
            // The leaving thread waits for the answer, so its leave message is queued; the client's thread sends it.
            final Thread leaving = startUntilItWaits(rank::close);
            while (!((AeronBootstrap)rank).isSent())
            {
                Thread.onSpinWait();
            }
            isFree.countDown();
            leaving.join();
            settling.join();

            assertNull(settled.get());
            assertNull(job.coordinator.failure());
        }
    }

    @Test
    void shouldReportReasonOfAbortInsteadOfExitCode() throws Exception
    {
        try (LaunchedJob job = new LaunchedJob(1))
        {
            final Bootstrap rank = job.join(0);
            final CountDownLatch isFree = new CountDownLatch(1);
            ((AeronCoordinator)job.coordinator).execute((service) -> awaitQuietly(isFree));
            final AtomicReference<RankFailure> first = new AtomicReference<>();
            final Thread launcher = startUntilItWaits(
                () -> first.set(job.coordinator.rankFailed(new RankFailure(0, "here", 1, "exited with code 3"))));
            rank.abort("no more data");
            isFree.countDown();
            launcher.join();
            rank.close();

            final RankFailure failure = first.get();
            assertNotNull(failure);
            assertTrue(failure.cause().contains("no more data"), failure.cause());
        }
    }

    private static Thread startUntilItWaits(final Runnable task)
    {
        final Thread thread = new Thread(task);
        thread.start();
        while (thread.getState() != Thread.State.TIMED_WAITING)
        {
            Thread.onSpinWait();
        }
        return thread;
    }

    private static void awaitQuietly(final CountDownLatch latch)
    {
        try
        {
            latch.await();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void shouldNotifyRanksWhenLauncherIsKilled() throws Exception
    {
        final Process launcher = RankProcesses.start(LauncherMain.class, Map.of());
        processes.add(launcher);
        final Map<String, String> environment = launchedBy(launcher);
        final Path directory = Path.of(environment.get("TUTTI_JOB_DIR"));
        RankProcesses.awaitLine(launcher, "ready");
        final Process rank = start(environment, "barrier");
        RankProcesses.awaitLine(launcher, "joined");

        launcher.destroyForcibly();

        final String output = RankProcesses.output(rank);
        assertTrue(
            output.contains("lost the launcher: its process " + launcher.pid() + " ended"), output);
        assertTrue(JobDirectory.removeIfStale(directory));
        assertFalse(Files.exists(directory));
    }

    /** The pid of another PID namespace is meaningless: the directory is kept while the owner holds its lock. */
    @ParameterizedTest
    @ValueSource(strings = {"1 1 pid:[1]@earlier", "5000000 1 "})
    void shouldKeepJobDirectoryUntilItsOwnerHasEndedForAnyPid(final String number) throws Exception
    {
        final Process launcher = RankProcesses.start(LauncherMain.class, Map.of());
        processes.add(launcher);
        final Path directory = Path.of(launchedBy(launcher).get("TUTTI_JOB_DIR"));
        RankProcesses.awaitLine(launcher, "ready");
        final String here = ProcessIdentity.current().namespace();
        Files.writeString(directory.resolve("owner"), number.endsWith(" ") ? number + here : number);

        assertFalse(JobDirectory.removeIfStale(directory));
        new ProcessBuilder("kill", "-s", "STOP", Long.toString(launcher.pid())).start().waitFor();
        assertFalse(JobDirectory.removeIfStale(directory));
        launcher.destroyForcibly().waitFor();

        assertTrue(JobDirectory.removeIfStale(directory));
        assertFalse(Files.exists(directory));
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "::1"})
    void shouldJoinRankZeroByUdpWithoutLauncher(final String address) throws Exception
    {
        assumeTrue(NetworkInterface.getByInetAddress(InetAddress.getByName(address)) != null, "no address " + address);
        final int port = UdpPorts.free();
        final Map<String, String> common = Map.of(
            "WORLD_SIZE", "3", "MASTER_ADDR", address, "MASTER_PORT", Integer.toString(port));
        final List<String> before = jobDirectories();
        for (int rank = 2; rank >= 0; rank--)
        {
            final Map<String, String> environment = new HashMap<>(common);
            environment.put("RANK", Integer.toString(rank));
            start(environment, "barrier");
        }

        for (int rank = 2; rank >= 0; rank--)
        {
            final String output = RankProcesses.output(processes.get(2 - rank));
            assertTrue(output.startsWith("rank " + rank + " main"), output);
            assertTrue(output.contains("local " + rank + "/3 in /dev/shm/tutti-"), output);
        }
        assertEquals(before, jobDirectories());
    }

    @Test
    void shouldReportRankZeroWhenItDiesWithoutLauncher() throws Exception
    {
        final Map<String, String> environment = new HashMap<>(Map.of(
            "RANK", "0", "WORLD_SIZE", "2", "MASTER_ADDR", "localhost",
            "MASTER_PORT", Integer.toString(UdpPorts.free())));
        final Process first = start(environment, "hang");
        environment.put("RANK", "1");
        final Process second = start(environment, "hang");
        RankProcesses.awaitLine(second, "passed");

        first.destroyForcibly();

        assertEquals("error: rank 0 on " + Hosts.local() + " (pid " + first.pid() + ") failed: its process " +
            first.pid() + " ended\n", RankProcesses.output(second));
        first.waitFor();
        JobDirectory.removeStale(JobDirectory.base());
    }

    private static CoordinatorListener reportTo(final BlockingQueue<RankFailure> reported)
    {
        return new CoordinatorListener()
        {
            @Override
            public void onFailure(final RankFailure failure)
            {
                reported.add(failure);
            }
        };
    }

    private static List<String> jobDirectories() throws Exception
    {
        try (var files = Files.list(Path.of("/dev/shm")))
        {
            return files.map(Path::toString)
                .filter((name) -> name.contains("-rank") || name.contains("-job-"))
                .toList();
        }
    }
}
