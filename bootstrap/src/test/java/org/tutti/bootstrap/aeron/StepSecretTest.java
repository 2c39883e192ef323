/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.bootstrap.Hosts;
import org.tutti.bootstrap.JobDirectory;

/** Ranks in the environment of a Slurm step on two hosts that agree on a secret, with scripts in place of MUNGE. */
class StepSecretTest
{
    /** An address of this host that is not known to be one before it is resolved. */
    private static final String ADDRESS = "127.1";

    private final List<Process> processes = new ArrayList<>();
    private final int port = freePort();

    @TempDir
    private Path directory;

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

    @BeforeEach
    void makePrograms() throws IOException
    {
        program("munge", """
            #!/bin/sh
            [ -z "$MUNGED_DOWN" ] || { echo "munge: Error: Unable to access \\"/run/munge\\"" >&2; exit 6; }
            echo "$1" >>'%1$s/options'
            printf 'MUNGE:%%s:\\n' "$(base64 -w0)"
            """.formatted(directory));
        program("unmunge", """
            #!/bin/sh
            [ -z "$CLOCK_APART" ] || { echo "unmunge: Error: $CLOCK_APART credential" >&2; exit 16; }
            printf 'UID:              name (%s)\\n\\n' "${OTHER_UID-$(id -u)}"
            sed 's/^MUNGE:\\(.*\\):$/\\1/' | base64 -d
            """);
    }

    private void program(final String name, final String text) throws IOException
    {
        final Path bin = Files.createDirectories(directory.resolve("bin"));
        Files.setPosixFilePermissions(
            Files.writeString(bin.resolve(name), text), PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @AfterEach
    void endProcesses() throws InterruptedException
    {
        for (final Process process : processes)
        {
            process.destroyForcibly().waitFor();
        }
        JobDirectory.removeStale(JobDirectory.base());
    }

    @Test
    void shouldAgreeByMunge() throws Exception
    {
        final Process one = start(1, munge(Map.of()));
        final Process zero = start(0, munge(Map.of()));

        assertJoined(zero, one);
        final String uid = Files.getAttribute(Path.of("/proc/self"), "unix:uid").toString();
        assertEquals(List.of("--restrict-uid=" + uid),
            Files.readAllLines(directory.resolve("options")).stream().distinct().toList());
    }

    /** MUNGE's words for a credential from the future, and for one that is too old. */
    @ParameterizedTest
    @ValueSource(strings = {"Rewound", "Expired"})
    void shouldSayThatClocksAreApart(final String state) throws Exception
    {
        start(0, munge(Map.of("CLOCK_APART", state)));
        final Process one = start(1, munge(Map.of()));

        assertEquals("error: rank 0 on " + Hosts.local() + " does not accept the credential of rank 1 on " +
            Hosts.local() + ": unmunge: Error: " + state + " credential: the clocks of these hosts differ, " +
            "synchronize them (NTP)\n", RankProcesses.output(one));
    }

    @Test
    void shouldRefuseCredentialOfAnotherUser() throws Exception
    {
        start(0, munge(Map.of("OTHER_UID", "12345")));
        final Process one = start(1, munge(Map.of()));

        assertEquals("error: rank 0 on " + Hosts.local() + " does not accept the credential of rank 1 on " +
            Hosts.local() + ": the credential is of another user: UID:              name (12345)\n",
            RankProcesses.output(one));
    }

    @Test
    void shouldRefuseSecretOfAnotherUser() throws Exception
    {
        start(0, munge(Map.of()));
        final Process one = start(1, munge(Map.of("OTHER_UID", "12345")));

        assertEquals("error: rank 1 on " + Hosts.local() + " does not accept the credential of rank 0 at " + ADDRESS +
            ":" + port + ": the credential is of another user: UID:              name (12345)\n",
            RankProcesses.output(one));
    }

    @Test
    void shouldSayWhatToDoWhenMungedIsDown() throws Exception
    {
        final Process zero = start(0, munge(Map.of("MUNGED_DOWN", "1")));

        assertEquals("error: rank 0 on " + Hosts.local() + " cannot create a MUNGE credential (munge: Error: Unable " +
            "to access \"/run/munge\"): start munged there, or set TUTTI_SECRET_DIR to a directory that all hosts " +
            "share, or TUTTI_SECRET on all ranks\n", RankProcesses.output(zero));
    }

    @Test
    void shouldSayFromWhereToWhereWhenRankZeroCannotBeReached() throws Exception
    {
        final Process one = start(1, munge(Map.of("TUTTI_JOIN_TIMEOUT", "500ms")));

        assertEquals("error: rank 1 on " + Hosts.local() + " (127.0.0.1) cannot get the job's secret from rank 0 at " +
            ADDRESS + ":" + port + " (127.0.0.1) within 500 ms: Connection refused; open this port for TCP and UDP, " +
            "or set MASTER_ADDR to an address of rank 0's host, the same for all ranks; this rank uses MUNGE, as " +
            "PMI_FD is not set and munge is on the PATH here: check that this is so for all ranks, or set " +
            "TUTTI_SECRET_DIR to a directory that all hosts share\n", RankProcesses.output(one));
    }

    /** The time of an attempt counts, too. */
    @Test
    void shouldEndAtJoinTimeoutWhenRankZeroDoesNotAnswer() throws Exception
    {
        try (ServerSocket silent = new ServerSocket(port))
        {
            final Process one = start(1, munge(Map.of("TUTTI_JOIN_TIMEOUT", "3s")));

            final String output = RankProcesses.output(one);
            assertTrue(output.matches("error: rank 1 on .* cannot get the job's secret from rank 0 at " + ADDRESS +
                ":" + silent.getLocalPort() + " .* within 3 s: no complete line within [0-9]{1,4} ms; (?s:.*)"),
                output);
        }
    }

    @Test
    void shouldReportPortInUse() throws Exception
    {
        try (ServerSocket other = new ServerSocket(port))
        {
            final Process zero = start(0, munge(Map.of()));

            assertEquals("error: rank 0 on " + Hosts.local() + " cannot listen at TCP port " + other.getLocalPort() +
                ": Address already in use; another job may use it: set MASTER_PORT to a free port, the same for all " +
                "ranks\n", RankProcesses.output(zero));
        }
    }

    @Test
    void shouldAgreeByFileInGivenDirectory() throws Exception
    {
        final Map<String, String> variables = munge(Map.of("TUTTI_SECRET_DIR", directory.toString()));

        assertJoined(start(0, variables), start(1, variables));
        assertEquals(List.of(), secretFiles());
        assertTrue(Files.notExists(directory.resolve("options")), "MUNGE was used");
    }

    @Test
    void shouldRefuseFileThatOthersCanRead() throws Exception
    {
        final Path file =
            Files.writeString(directory.resolve(".tutti-secret-7.0-" + port), "0123456789abcdef0123456789abcdef");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

        final Process one = start(1, Map.of("TUTTI_SECRET_DIR", directory.toString()));

        final String output = RankProcesses.output(one);
        assertTrue(output.startsWith("error: " + file + " is not trusted: it is a file of uid "), output);
        assertTrue(output.contains(" with mode 0644, not a file of uid "), output);
    }

    @Test
    void shouldRefuseLinkToSecret() throws Exception
    {
        final Path secret =
            Files.writeString(directory.resolve("secret"), "0123456789abcdef0123456789abcdef");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        final Path link = Files.createSymbolicLink(directory.resolve(".tutti-secret-7.0-" + port), secret);

        final Process one = start(1, Map.of("TUTTI_SECRET_DIR", directory.toString()));

        final String output = RankProcesses.output(one);
        assertTrue(output.startsWith("error: " + link + " is not trusted: it is a symbolic link of uid "), output);
    }

    /** The killed first run of a requeued job has left its file, and rank 1 of the second run comes first. */
    @Test
    void shouldNotReadSecretOfEarlierRunOfRequeuedJob() throws Exception
    {
        final Path stale =
            Files.writeString(directory.resolve(".tutti-secret-7.0-" + port), "0123456789abcdef0123456789abcdef");
        Files.setPosixFilePermissions(stale, PosixFilePermissions.fromString("rw-------"));
        final Map<String, String> variables =
            Map.of("TUTTI_SECRET_DIR", directory.toString(), "SLURM_RESTART_COUNT", "1");

        final Process one = start(1, variables);
        assertJoined(start(0, variables), one);

        assertEquals(List.of(), secretFiles());
    }

    @Test
    void shouldNameDirectoryInWhichNoSecretAppears() throws Exception
    {
        final Process one =
            start(1, Map.of("TUTTI_SECRET_DIR", directory.toString(), "TUTTI_JOIN_TIMEOUT", "300ms"));

        assertEquals("error: rank 1 on " + Hosts.local() + " found no secret " + directory + "/.tutti-secret-7.0-" +
            port + " of rank 0 within 300 ms: this rank uses a file, as TUTTI_SECRET_DIR is set here: check that " +
            "this is so for all ranks, or set TUTTI_SECRET_DIR to a directory that all hosts share\n",
            RankProcesses.output(one));
    }

    @Test
    void shouldSayWhatToSetWhenThereIsNoWayToAgree() throws Exception
    {
        final Process zero = start(0, Map.of("PATH", "/nowhere", "PMI_FD", "200"));

        assertEquals("error: TUTTI_SECRET is not set, and rank 0 on " + Hosts.local() + " cannot agree on one with " +
            "other hosts, as PMI_FD=200 is not an open socket, munge is not on the PATH, and the working directory " +
            "is on " + Files.getFileStore(Path.of("")).type() + ": start the ranks by 'srun --mpi=pmi2', install " +
            "munge on all nodes, or set TUTTI_SECRET_DIR to a directory that all hosts share\n",
            RankProcesses.output(zero));
    }

    /** As in a container that passes on the environment, but not the open files. */
    @Test
    void shouldAgreeOtherwiseWhenDescriptorOfPmiIsNotOpen() throws Exception
    {
        final Process one = start(1, munge(Map.of("PMI_FD", "200", "PMI_JOBID", "7.0")));

        assertJoined(start(0, munge(Map.of("PMI_FD", "200", "PMI_JOBID", "7.0"))), one);
    }

    private List<Path> secretFiles() throws IOException
    {
        try (Stream<Path> files = Files.list(directory))
        {
            return files.filter(file -> file.getFileName().toString().startsWith(".tutti")).toList();
        }
    }

    private static void assertJoined(final Process... ranks) throws Exception
    {
        for (final Process rank : ranks)
        {
            final String output = RankProcesses.output(rank);
            assertTrue(output.contains(" passed "), output);
        }
    }

    private Map<String, String> munge(final Map<String, String> more)
    {
        final Map<String, String> variables = new HashMap<>(more);
        variables.put("PATH", directory.resolve("bin") + ":" + System.getenv("PATH"));
        return variables;
    }

    private Process start(final int rank, final Map<String, String> more)
    {
        final Map<String, String> environment = new HashMap<>(Map.of(
            "SLURM_JOB_ID", "7", "SLURM_STEP_ID", "0",
            "SLURM_STEP_NUM_TASKS", "2", "SLURM_PROCID", Integer.toString(rank),
            "SLURM_STEP_NUM_NODES", "2", "SLURM_STEP_NODELIST", "n[1-2]",
            "MASTER_ADDR", ADDRESS, "MASTER_PORT", Integer.toString(port)));
        environment.putAll(more);
        final Process process = RankProcesses.start(RankMain.class, environment, "barrier");
        processes.add(process);
        return process;
    }
}
