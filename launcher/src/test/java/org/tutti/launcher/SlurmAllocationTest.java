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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.bootstrap.Hosts;

/** {@code tutti run} with Slurm's environment variables, and a script in place of srun. */
class SlurmAllocationTest
{
    private static final String REMEDY = ", or give --host with names and slots, such as --host localhost:N for N " +
        "ranks on this host\n";

    private final String marker = "TUTTI_MARKER=" + UUID.randomUUID();

    @TempDir
    private Path directory;

    @BeforeEach
    void makeSrun() throws IOException
    {
        srun("");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', quoteCharacter = '"', value = {
        "SLURM_JOB_NUM_NODES=3; has 3 nodes, but the list of its nodes is missing in the environment",
        "SLURM_JOB_NODELIST=n[1-2; has an invalid list: 'n[1-2' is not a list of Slurm nodes, such as n[1-4,07],m1: " +
            "'[' without ']' at character 2",
        "SLURM_JOB_NODELIST=n[1-2] SLURM_TASKS_PER_NODE=2,x; has an invalid list: '2,x' is not a list of tasks per " +
            "node, such as 4,1(x2): 'x' is invalid",
        "SLURM_JOB_NODELIST=n[1-2] SLURM_TASKS_PER_NODE=2(x3); has an invalid list: '2(x3)' lists the tasks of more " +
            "nodes than the 2 in the list of nodes",
        "SLURM_JOB_NODELIST=n[1-2] SLURM_TASKS_PER_NODE=2,1; has 3 tasks on n[1-2], fewer than -np 4: request more " +
            "tasks (-n 4)",
        "SLURM_JOB_NODELIST=HERE SLURM_TASKS_PER_NODE=1; has 1 task on HERE, fewer than -np 4: request more " +
            "tasks (-n 4)",
        "SLURM_HET_SIZE=2 SLURM_JOB_NODELIST_HET_GROUP_0=n1; is heterogeneous, with 2 components, which tutti run " +
            "does not combine: request one kind of nodes"})
    void shouldRejectAllocationThatIsInvalidOrTooSmall(final String variables, final String problem)
    {
        final TuttiProcess.Result result = run(variables, "run", "-np", "4", "echo", "ran");

        assertEquals(new TuttiProcess.Result(2, "",
            "tutti run: Slurm job 7 " + problem.replace("HERE", Hosts.local()) + REMEDY), result);
    }

    @Test
    void shouldRejectLauncherInEachTaskOfStep()
    {
        final TuttiProcess.Result result = run("SLURM_JOB_NODELIST=n[1-2] SLURM_STEP_ID=0 SLURM_STEP_NODELIST=n[1-2] " +
            "SLURM_STEP_NUM_NODES=2 SLURM_STEP_NUM_TASKS=4", "run", "-np", "2", "echo", "ran");

        assertEquals(new TuttiProcess.Result(2, "", "tutti run: each of the 4 tasks of this step of Slurm job 7 " +
            "would start all ranks: run 'srun tutti COMMAND', without run, or one task (srun -n 1 tutti run)\n"),
            result);
    }

    @ParameterizedTest
    @CsvSource({
        "SLURM_JOB_NODELIST=HERE SLURM_JOB_NUM_NODES=1, -np 2",
        "SLURM_JOB_NODELIST=n1 SLURM_JOB_NUM_NODES=1 SLURM_TASK_PID=1 SLURMD_NODENAME=n1, -np 2",
        "SLURM_JOB_NODELIST=n[1-2] SLURM_JOB_NUM_NODES=2 SLURM_STEP_ID=0 SLURM_STEP_NODELIST=n1 " +
            "SLURM_STEP_NUM_NODES=1 SLURM_TASK_PID=1 SLURMD_NODENAME=n1, -np 2",
        "SLURM_HET_SIZE=2 SLURM_STEP_ID=0 SLURM_STEP_NODELIST=n1 SLURM_STEP_NUM_NODES=1 SLURM_TASK_PID=1 " +
            "SLURMD_NODENAME=n1, -np 2",
        "SLURM_JOB_NODELIST=n1 SLURM_TASKS_PER_NODE=2 SLURM_TASK_PID=1 SLURMD_NODENAME=n1, --map-by slot",
        "SLURM_JOB_NODELIST=n[1-2] SLURM_JOB_NUM_NODES=2, --host localhost:2"})
    void shouldRunHereWhenAllocationIsThisHostOrHostsAreGiven(final String variables, final String options)
    {
        final List<String> words = new ArrayList<>(List.of("run", "-q"));
        words.addAll(List.of(options.split(" ", -1)));
        words.addAll(List.of("echo", "ran"));

        final TuttiProcess.Result result = run(variables, words.toArray(String[]::new));

        assertEquals(new TuttiProcess.Result(0, "ran\nran\n", ""), result);
    }

    @Test
    void shouldStartAgentsBySrunOnNodesWithTheirTasks()
    {
        final TuttiProcess.Result result = run(
            "SLURM_JOB_NODELIST=n[1-2],m1 SLURM_TASKS_PER_NODE=2,1(x2) SLURM_NTASKS=4 SLURM_CPU_BIND=none " +
            "SSH_CONNECTION=192.0.2.1;1;192.0.2.2;22 SLURM_TASK_PID=1 SLURMD_NODENAME=n1",
            "run", "-q", "--remote-path", installation(), "sh", "-c",
            "echo $RANK $LOCAL_RANK $LOCAL_WORLD_SIZE ${NODE-here}");

        assertEquals(0, result.code(), result.err());
        assertEquals(List.of("0 0 2 here", "1 1 2 here", "2 0 1 n2", "3 0 1 m1"),
            result.outLines().stream().sorted().toList());
        final String called = TuttiProcess.read(directory.resolve("called"));
        assertTrue(called.contains("--nodes=1 --ntasks=1 --chdir=/ --mpi=none --unbuffered --quiet --overlap --mem=0 " +
            "--immediate=60 --job-name=tutti-agent --nodelist=n2 --cpu-bind=none sh -c exec "), called);
        assertTrue(called.contains("options: SLURM_JOB_ID=7 \n"), called);
    }

    @Test
    void shouldJoinRanksOnNodesWhoseNamesAreUnknown()
    {
        final TuttiProcess.Result result = run(
            "SLURM_JOB_NODELIST=n[1-2] SLURM_TASKS_PER_NODE=1(x2) SLURM_TASK_PID=1 SLURMD_NODENAME=n1",
            "run", "-q", "--remote-path", installation(), "sample-rank", "leave");

        assertEquals(0, result.code(), result.err());
    }

    @Test
    void shouldReportWhySrunFailed() throws IOException
    {
        srun("echo 'srun: error: Unable to create step for job 7: Invalid node name' >&2; " +
            "echo 'srun: error: n2: task 0: Exited with exit code 1' >&2; exit 1");

        final TuttiProcess.Result result = run(
            "SLURM_JOB_NODELIST=n[1-2] SLURM_TASK_PID=1 SLURMD_NODENAME=n1", "run", "-q", "--remote-path", "/",
            "-np", "2", "true");

        assertEquals(new TuttiProcess.Result(1, "", "tutti: cannot start on n2: srun cannot start a step there: srun" +
            ": error: Unable to create step for job 7: Invalid node name: try 'srun --jobid=7 --overlap --nodelist=" +
            "n2 true', or give --ssh\n"), result);
    }

    @Test
    void shouldUseSshOnNodesWhenGiven()
    {
        final TuttiProcess.Result result = run(
            "SLURM_JOB_NODELIST=n[1-2] SLURM_TASK_PID=1 SLURMD_NODENAME=n1", "run", "-q", "--remote-path", "/", "-np",
            "2", "--ssh", "sh -c 'echo called $0 >&2; exit 255'", "true");

        assertEquals(1, result.code());
        assertTrue(result.err().startsWith("tutti: cannot start on n2: sh exited with code 255: called n2; it must " +
            "log in"), result.err());
    }

    /** Returns a directory with a script that runs the classes under test as on another host. */
    private String installation()
    {
        return new FakeHosts(directory).installation("there", "").toString();
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
        assertEquals("--nodes=1 --ntasks=1 --chdir=/ --mpi=none --unbuffered --quiet --overlap --mem=0 " +
            "--immediate=60 --job-name=tutti cat\noptions: SLURM_JOB_ID=7 \n",
            TuttiProcess.read(directory.resolve("called")));
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
    void shouldEndStepOfTheWatchThatDoesNotEndByItself() throws IOException
    {
        srun("read -r greeting; echo \"$greeting\"; : >'" + directory + "/greeted'; exec sleep 600");

        final TuttiProcess.Result result =
            run("SLURM_JOB_NODELIST=HERE", "run", "-np", "1", "sh", "-c", awaitFile("greeted"));

        assertEquals(new TuttiProcess.Result(0, "", ""), result);
        final String pid = TuttiProcess.read(directory.resolve("pid")).strip();
        TuttiProcess.await("no srun left", () -> !Files.exists(Path.of("/proc", pid)));
    }

    @Test
    void shouldNotWarnWhenUserWantsNoMessages() throws IOException
    {
        srun("exit 1");
        program("squeue", "#!/bin/sh\necho RUNNING\n: >'" + directory + "/asked'\n");

        final TuttiProcess.Result result =
            run("SLURM_JOB_NODELIST=HERE", "run", "-q", "-np", "1", "sh", "-c", awaitFile("asked") + "; sleep 0.2");

        assertEquals(new TuttiProcess.Result(0, "", ""), result);
    }

    @ParameterizedTest
    @ValueSource(strings = {"RUNNING", "SUSPENDED", "SIGNALING"})
    void shouldWarnAndContinueWhenAllocationCannotBeWatched(final String state) throws IOException
    {
        srun("echo 'srun: error: no step' >&2; exit 1");
        program("squeue", "#!/bin/sh\necho 'squeue: warning' >&2\necho " + state + "\n");

        try (TuttiProcess tutti =
            start("SLURM_JOB_NODELIST=HERE", "run", "-np", "1", "sh", "-c", awaitFile("release")))
        {
            tutti.awaitError("tutti: cannot watch Slurm job 7 (srun: error: no step): scancel and its time " +
                "limit do not end the ranks\n");
            Files.writeString(directory.resolve("release"), "");
            assertEquals(0, tutti.awaitEnd().code());
        }
    }

    /** Slurm knows a job as long as its processes end, and for some minutes. */
    @ParameterizedTest
    @ValueSource(strings = {
        "echo COMPLETING", "", "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1"})
    void shouldEndJobWhenAllocationEndsBeforeItCanBeWatched(final String squeue) throws IOException
    {
        srun("echo 'srun: error: Unable to confirm allocation for job 7: Invalid job id specified' >&2; exit 1");
        program("squeue", "#!/bin/sh\n" + squeue + "\n");

        final TuttiProcess.Result result = run("SLURM_JOB_NODELIST=HERE", "run", "-np", "1", "sleep", "600");

        assertEquals(new TuttiProcess.Result(
            143, "", "tutti: Slurm job 7 has ended: ending the ranks\n"), result);
    }

    @Test
    void shouldNotWatchAllocationWhenSlurmStartedTheProcess()
    {
        final TuttiProcess.Result result = run("SLURM_JOB_NODELIST=n1 SLURM_TASK_PID=1 SLURMD_NODENAME=n1",
            "run", "-np", "1", "true");

        assertEquals(0, result.code(), result.err());
        assertTrue(Files.notExists(directory.resolve("called")));
    }

    @Test
    void shouldPreferAllocationToHostFileOfOtherLaunchers()
    {
        final TuttiProcess.Result result = run(
            "SLURM_JOB_NODELIST=n1 SLURM_TASK_PID=1 SLURMD_NODENAME=n1 HYDRA_HOST_FILE=/no/such/file",
            "run", "-np", "1", "echo", "ran");

        assertEquals(new TuttiProcess.Result(0, "ran\n", ""), result);
    }

    /** Returns a rank's command that waits for a file. */
    private String awaitFile(final String name)
    {
        return "while [ ! -e '" + directory.resolve(name) + "' ]; do sleep 0.01; done";
    }

    private void srun(final String first) throws IOException
    {
        program("srun", """
            #!/bin/sh
            echo "$*" >>'%1$s/called'
            echo "options: $(env | grep -E '^(SLURM_|SRUN_|SSH_C)' | tr '\n' ' ')" >>'%1$s/called'
            echo $$ >'%1$s/pid'
            %2$s
            for line
            do
                case $line in
                    --nodelist=*) NODE=${line#--nodelist=} ;;
                    *) ;;
                esac
            done
            if [ -n "$NODE" ]
            then
                cd /
                SLURM_LAUNCH_NODE_IPADDR=127.0.0.1 NODE=$NODE exec sh -c "$line"
            fi
            read -r greeting
            echo "$greeting"
            : >'%1$s/greeted'
            exec cat
            """.formatted(directory, first));
    }

    private void program(final String name, final String script) throws IOException
    {
        Files.setPosixFilePermissions(
            Files.writeString(directory.resolve(name), script), PosixFilePermissions.fromString("rwxr-xr-x"));
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
            environment.put(words[0], words[1].replace("HERE", Hosts.local()).replace(';', ' '));
        }
        return TuttiProcess.startWith(environment, arguments);
    }
}
