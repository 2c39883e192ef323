/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.JobDirectory;

/** Processes of another user of this host cannot affect a job. */
class OtherUserTest
{
    @TempDir
    private Path temporary;

    private final int port = UdpPorts.free();
    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void endProcesses() throws Exception
    {
        for (final Process process : processes)
        {
            process.destroyForcibly().waitFor();
        }
        try (var left = Files.newDirectoryStream(Path.of("/dev/shm"), "tutti-" + OtherUser.UID + "-*"))
        {
            for (final Path path : left)
            {
                assertEquals(0, new ProcessBuilder("rm", "-rf", path.toString()).start().waitFor());
            }
        }
    }

    private Process started(final Process process)
    {
        processes.add(process);
        return process;
    }

    private Map<String, String> rank(final int rank)
    {
        return new HashMap<>(Map.of(
            "RANK", Integer.toString(rank), "WORLD_SIZE", "2",
            "MASTER_ADDR", "127.0.0.1", "MASTER_PORT", Integer.toString(port)));
    }

    @Test
    void shouldJoinWhenAnotherUserOpensMoreSessionsThanTheLimit() throws Exception
    {
        final OtherUser other = new OtherUser(temporary);
        final String endpoint = "127.0.0.1:" + port;
        try (
            LaunchedJob job = new LaunchedJob(2, (context) -> context.endpoint(endpoint));
            JobDirectory elsewhere = JobDirectory.create(job.jobId + "-rank"))
        {
            final Process stranger =
                started(other.start(SessionFloodMain.class, Map.of(), Integer.toString(port), "64"));
            RankProcesses.awaitLine(stranger, "sent");

            try (Bootstrap rank = job.joinByUdp(0, endpoint, elsewhere.path()))
            {
                rank.put("joined", new byte[0]);
            }

            assertNull(job.coordinator.failure());
        }
    }

    @Test
    void shouldNotLetAnotherUserJoinJobStartedWithoutSecret() throws Exception
    {
        final OtherUser other = new OtherUser(temporary);
        final Process first = started(RankProcesses.start(RankMain.class, rank(0), "barrier"));
        awaitSecret();
        final Map<String, String> environment = rank(1);
        environment.put("TUTTI_JOIN_TIMEOUT", "2s");
        final Process without = started(other.start(RankMain.class, environment, "barrier"));
        environment.put("TUTTI_SECRET", "job-" + port);
        final Process guessing = started(other.start(RankMain.class, environment, "barrier"));

        final String output = RankProcesses.output(without);
        assertTrue(output.contains("error: rank 1 found no secret of job 'job-" + port + "' in /dev/shm/tutti-" +
            OtherUser.UID + "-"), output);
        final String guess = RankProcesses.output(guessing);
        assertTrue(guess.contains("error: rank 1 did not reach the coordinator of job 'job-" + port + "'"), guess);
        final Process second = started(RankProcesses.start(RankMain.class, rank(1), "barrier"));
        assertPassed(second, 1);
        assertPassed(first, 0);
        assertFalse(Files.exists(secretDirectory()));
    }

    @Test
    void shouldNotReadSecretOfAnotherUser() throws Exception
    {
        assumeOther();
        final Path directory = Files.createDirectory(secretDirectory());
        try
        {
            Files.writeString(directory.resolve("secret"), "known to others");
            Files.setAttribute(directory, "unix:uid", OtherUser.UID, LinkOption.NOFOLLOW_LINKS);
            Files.setAttribute(directory, "unix:mode", 0777);

            final String second =
                RankProcesses.output(started(RankProcesses.start(RankMain.class, rank(1), "barrier")));
            assertTrue(second.contains(directory + " is not trusted: it is a directory of uid " + OtherUser.UID +
                " with mode 0777, not a directory of uid 0 with mode 0700"), second);
            final String first =
                RankProcesses.output(started(RankProcesses.start(RankMain.class, rank(0), "barrier")));
            assertTrue(first.contains(directory + " already exists and is not a directory of this user, but a " +
                "directory of uid " + OtherUser.UID + " with mode 0777"), first);
        }
        finally
        {
            Files.delete(directory.resolve("secret"));
            Files.delete(directory);
        }
    }

    @Test
    void shouldNotFollowSymbolicLinkToSecret() throws Exception
    {
        final Path elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));
        Files.writeString(elsewhere.resolve("secret"), "known to others");
        final Path link = JobDirectory.path(JobDirectory.base(), "job-" + port + "-secret-" + port);
        Files.createSymbolicLink(link, elsewhere);
        try
        {
            final String output =
                RankProcesses.output(started(RankProcesses.start(RankMain.class, rank(1), "barrier")));

            assertTrue(output.contains(link + " is not trusted: it is a symbolic link"), output);
        }
        finally
        {
            Files.delete(link);
        }
    }

    @Test
    void shouldAgreeOnNewSecretWhenKilledJobLeftItsOwn() throws Exception
    {
        final Process killed = started(RankProcesses.start(RankMain.class, rank(0), "barrier"));
        awaitSecret();
        killed.destroyForcibly().waitFor();
        assertTrue(Files.exists(secretDirectory()));

        final Process second = started(RankProcesses.start(RankMain.class, rank(1), "barrier"));
        final Process first = started(RankProcesses.start(RankMain.class, rank(0), "barrier"));

        assertPassed(second, 1);
        assertPassed(first, 0);
        assertFalse(Files.exists(secretDirectory()));
    }

    private static void assumeOther()
    {
        assumeTrue("root".equals(System.getProperty("user.name")),
            "skipped: needs root, to make a directory of another user");
    }

    private static void assertPassed(final Process process, final int rank) throws Exception
    {
        final String output = RankProcesses.output(process);
        assertTrue(output.startsWith("rank " + rank + " main"), output);
    }

    private Path secretDirectory()
    {
        return JobDirectory.path(JobDirectory.base(), "job-" + port + "-secret-" + port);
    }

    private void awaitSecret() throws Exception
    {
        while (!Files.exists(secretDirectory().resolve("secret")))
        {
            assertTrue(processes.getFirst().isAlive());
            Thread.sleep(5);
        }
    }
}
