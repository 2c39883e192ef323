/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.bootstrap.Hosts;

/** {@code tutti run} with Slurm's environment variables, and a script in place of srun. */
class SlurmAllocationTest
{
    private static final String REMEDY = ": give --host or --hostfile with the node names " +
        "('scontrol show hostnames' lists them), start the ranks by 'srun ./tutti COMMAND', or give --host " +
        "localhost:N for N ranks on this host\n";

    private final String marker = "TUTTI_MARKER=" + UUID.randomUUID();

    @TempDir
    private Path directory;

    @BeforeEach
    void makeSrun() throws IOException
    {
        srun("");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "SLURM_JOB_NODELIST=n[1-2] SLURM_JOB_NUM_NODES=2; " +
            "has 2 nodes, n[1-2], but without hosts all ranks would run on this one",
        "SLURM_JOB_NODELIST=m1,n1; has several nodes, m1,n1, but without hosts all ranks would run on this one",
        "SLURM_JOB_NUM_NODES=3; has 3 nodes, but without hosts all ranks would run on this one",
        "SLURM_JOB_NODELIST=n[1-3] SLURM_STEP_ID=0 SLURM_STEP_NODELIST=n[1-2] SLURM_STEP_NUM_NODES=2 " +
            "SLURM_TASK_PID=1 SLURMD_NODENAME=n1; " +
            "has 2 nodes, n[1-2], but without hosts all ranks would run on this one",
        "SLURM_JOB_NODELIST=n[1-2] SLURM_JOB_NUM_NODES=2 SLURM_STEP_ID=4294967290 SLURM_STEP_NODELIST=n1 " +
            "SLURM_STEP_NUM_NODES=1 SLURM_TASK_PID=1 SLURMD_NODENAME=n1; " +
            "has 2 nodes, n[1-2], but without hosts all ranks would run on this one",
        "SLURM_JOB_NODELIST=192.0.2.1 SLURM_JOB_NUM_NODES=1; has node 192.0.2.1, but without hosts all " +
            "ranks would run on this host, HERE"})
    void shouldRejectRunningAllRanksOnThisHostWhenAllocationHasOtherNodes(final String variables, final String problem)
    {
        final TuttiProcess.Result result = run(variables, "run", "-np", "2", "echo", "ran");

        assertEquals(new TuttiProcess.Result(2, "",
            "tutti run: Slurm job 7 " + problem.replace("HERE", Hosts.local()) + REMEDY), result);
    }

    @ParameterizedTest
    @CsvSource({
        "SLURM_JOB_NODELIST=HERE SLURM_JOB_NUM_NODES=1, -np 2",
        "SLURM_JOB_NODELIST=n1 SLURM_JOB_NUM_NODES=1 SLURM_TASK_PID=1 SLURMD_NODENAME=n1, -np 2",
        "SLURM_JOB_NODELIST=n[1-2] SLURM_JOB_NUM_NODES=2 SLURM_STEP_ID=0 SLURM_STEP_NODELIST=n1 " +
            "SLURM_STEP_NUM_NODES=1 SLURM_TASK_PID=1 SLURMD_NODENAME=n1, -np 2",
        "SLURM_JOB_NODELIST=n[1-2] SLURM_JOB_NUM_NODES=2, --host localhost:2"})
    void shouldRunWhenAllocationIsThisHostOrHostsAreGiven(final String variables, final String options)
    {
        final String[] option = options.split(" ", -1);

        final TuttiProcess.Result result = run(variables, "run", "-q", option[0], option[1], "echo", "ran");

        assertEquals(new TuttiProcess.Result(0, "ran\nran\n", ""), result);
    }

    @Test
    void shouldEndJobWithItsAllocation()
    {
        try (TuttiProcess tutti = start("SLURM_JOB_NODELIST=HERE SLURM_LABELIO=1",
            "run", "-np", "1", "-x", marker, "sh", "-c", "echo up; sleep 600"))
        {
            tutti.awaitOutput("up", 1);
            TuttiProcess.await("srun", () -> Files.exists(directory.resolve("greeted")));
            TuttiProcess.signal("KILL", TuttiProcess.read(directory.resolve("pid")).strip());

            final TuttiProcess.Result result = tutti.awaitEnd();
            assertEquals(new TuttiProcess.Result(
                143, "up\n", "tutti: Slurm job 7 has ended: ending the ranks\n"), result);
            assertEquals(List.of(), TuttiProcess.processesWith(marker));
        }
        final String called = TuttiProcess.read(directory.resolve("called"));
        assertTrue(called.startsWith("--nodes=1 --ntasks=1 "), called);
        assertTrue(called.endsWith(" cat\nlabels: \n"), called);
    }

    @Test
    void shouldEndWatchWithTheJob()
    {
        final TuttiProcess.Result result =
            run("SLURM_JOB_NODELIST=HERE", "run", "-np", "1", "sh", "-c", awaitFile("greeted"));

        assertEquals(new TuttiProcess.Result(0, "", ""), result);
        final String pid = TuttiProcess.read(directory.resolve("pid")).strip();
        TuttiProcess.await("no srun left", () -> !Files.exists(Path.of("/proc", pid)));
    }

    @Test
    void shouldWarnAndContinueWhenAllocationCannotBeWatched() throws IOException
    {
        srun("echo 'srun: error: no step' >&2; exit 1");

        try (TuttiProcess tutti =
            start("SLURM_JOB_NODELIST=HERE", "run", "-np", "1", "sh", "-c", awaitFile("release")))
        {
            tutti.awaitError("tutti: cannot watch Slurm job 7 (srun: error: no step): scancel and its time " +
                "limit do not end the ranks\n");
            Files.writeString(directory.resolve("release"), "");
            assertEquals(0, tutti.awaitEnd().code());
        }
    }

    @Test
    void shouldNotWatchAllocationWhenSlurmStartedTheProcess()
    {
        final TuttiProcess.Result result = run("SLURM_JOB_NODELIST=n1 SLURM_TASK_PID=1 SLURMD_NODENAME=n1",
            "run", "-np", "1", "true");

        assertEquals(0, result.code(), result.err());
        assertTrue(Files.notExists(directory.resolve("called")));
    }

    /** Returns a rank's command that waits for a file. */
    private String awaitFile(final String name)
    {
        return "while [ ! -e '" + directory.resolve(name) + "' ]; do sleep 0.01; done";
    }

    private void srun(final String first) throws IOException
    {
        final Path file = Files.writeString(directory.resolve("srun"), """
            #!/bin/sh
            echo "$*" >'%1$s/called'
            echo "labels: $SLURM_LABELIO" >>'%1$s/called'
            echo $$ >'%1$s/pid'
            %2$s
            read -r greeting
            echo "$greeting"
            : >'%1$s/greeted'
            exec cat
            """.formatted(directory, first));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private TuttiProcess.Result run(final String variables, final String... arguments)
    {
        try (TuttiProcess tutti = start(variables, arguments))
        {
            return tutti.awaitEnd();
        }
    }

    private TuttiProcess start(final String variables, final String... arguments)
    {
        final Map<String, String> environment = new HashMap<>(Map.of(
            "SLURM_JOB_ID", "7", "PATH", directory + ":" + System.getenv("PATH")));
        for (final String variable : variables.split(" ", -1))
        {
            final String[] words = variable.split("=", 2);
            environment.put(words[0], words[1].replace("HERE", Hosts.local()));
        }
        return TuttiProcess.startWith(environment, arguments);
    }
}
