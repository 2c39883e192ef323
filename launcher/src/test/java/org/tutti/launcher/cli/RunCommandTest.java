/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.launcher.SampleJob;
import org.tutti.launcher.TuttiProcess;
import org.tutti.launcher.host.WorkingDirectory;
import picocli.CommandLine;

class RunCommandTest
{
    private static final boolean IS_TORTURE = Boolean.getBoolean("tutti.test.torture");

    @TempDir
    private Path directory;

    @Test
    void shouldSetEnvironmentOfRanks()
    {
        final TuttiProcess.Result result = TuttiProcess.run("run", "-np", "2", "--output-dir", directory.toString(),
            "-x", "MINE=some thing", "sh", "-c",
            "echo $RANK/$WORLD_SIZE $LOCAL_RANK/$LOCAL_WORLD_SIZE $MASTER_ADDR \"$MINE\"; " +
            "test -d \"$TUTTI_JOB_DIR\" && test -n \"$TUTTI_JOB_ID$TUTTI_SECRET\" && test \"$MASTER_PORT\" -gt 0");

        assertEquals(0, result.code(), result.err());
        for (int rank = 0; rank < 2; rank++)
        {
            assertEquals(rank + "/2 " + rank + "/2 127.0.0.1 some thing\n",
                TuttiProcess.read(directory.resolve("rank-" + rank + ".out")));
        }
    }

    static Stream<Arguments> ends()
    {
        final Stream<Arguments> few = Stream.of(
            Arguments.of("5", "", 5, ""),
            Arguments.of("failure", "", 1, "java.lang.IllegalStateException: broken"),
            Arguments.of("0", "again", 2, "tutti sample-job-without-arguments: unknown argument 'again'"));
        return !IS_TORTURE ? few : Stream.concat(few, Stream.of(
            Arguments.of("null", "", 0, ""),
            Arguments.of("usage", "", 2, "tutti sample-job-without-arguments: invalid request"),
            Arguments.of("5", "--help", 0, "")));
    }

    /** Same behaviour as for a job that picocli calls. */
    @ParameterizedTest
    @MethodSource("ends")
    void shouldExitWithCodeOfJobWithoutArguments(
        final String end, final String word, final int code, final String error)
    {
        final List<String> words = new ArrayList<>(List.of(
            "run", "-q", "-np", "1", "-x", "SAMPLE_END=" + end, "sample-job-without-arguments"));
        if (!word.isEmpty())
        {
            words.add(word);
        }

        final TuttiProcess.Result result = TuttiProcess.run(words.toArray(String[]::new));

        assertEquals(code, result.code(), result.err());
        assertTrue(result.err().contains(error), result.err());
    }

    @Test
    void shouldUseAllValuesOfRepeatedOption()
    {
        final TuttiProcess.Result result = TuttiProcess.run(
            "run", "-np=1", "-x", "A=1", "-x=B=2", "--grace=3s", "-x", "A=4", "sh", "-c", "echo $A$B");

        assertEquals(new TuttiProcess.Result(0, "42\n", ""), result);
    }

    @Test
    void shouldNotPassOnCoordinatorOfEnclosingJob()
    {
        final List<String> words = new ArrayList<>(List.of("run", "-np", "1", "env", "TUTTI_COORDINATOR=elsewhere:1"));
        words.addAll(TuttiProcess.command());
        words.addAll(List.of("run", "-np", "1", "sh", "-c", "echo ${TUTTI_COORDINATOR-not set}"));

        assertEquals("not set\n", TuttiProcess.run(words.toArray(String[]::new)).out());
    }

    @Test
    void shouldReportInOneLineWhenHostCannotRunLauncher()
    {
        // No program is found, not even the reaper's shell.
        final List<String> words = new ArrayList<>(List.of("run", "-np", "1", "env", "PATH=/nonexistent"));
        words.addAll(TuttiProcess.command().subList(2, TuttiProcess.command().size()));
        words.addAll(List.of("run", "-q", "-np", "1", "/bin/true"));

        final TuttiProcess.Result result = TuttiProcess.run(words.toArray(String[]::new));

        assertEquals(1, result.code());
        assertTrue(result.err().contains("this host cannot run a launcher: Cannot run program"), result.err());
        assertFalse(result.err().contains("\tat "), result.err());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "-np 0 true                   | invalid number of ranks -np '0': give 1 to 1024",
        "-np -3 true                  | invalid number of ranks -np '-3': give 1 to 1024",
        "-np two true                 | invalid number of ranks -np 'two': give 1 to 1024",
        "-np 99999999999 true         | invalid number of ranks -np '99999999999': give 1 to 1024",
        "-np 2                        | missing required parameter: 'COMMAND'",
        "true                         | the number of ranks is missing: give -np N, or hosts with slots (--host or",
        "-np 3 --host a:1,b true      | -np 3 exceeds the 2 slots of --host a:1,b: give at most 2",
        "--host a --hostfile b true   | --host and --hostfile are mutually exclusive: give one of them",
        "--host a --map-by core true  | invalid --map-by 'core': give slot or node",
        "--host a --ssh no-such true  | the remote shell 'no-such' is not on the PATH",
        "--host a --ssh /etc/none true    | the remote shell '/etc/none' cannot be executed",
        "--host a --ssh sh true       | Tutti's directory on other hosts is unknown: give --remote-path",
        "--host a --ssh sh --remote-path / --address 1 true | --address '1' is not an address, interface or",
        "--host a:0 true              | --host 'a:0': '0' is not a valid number of slots: give 1 to 1024",
        "-np 1 --wdir /no/such true   | --wdir '/no/such' is not a directory: give one that exists",
        "-np 1 --transport a -x TUTTI_TRANSPORT=b true | --transport a and -x TUTTI_TRANSPORT=b conflict",
        "-np 2 --tga true             | unknown option '--tga'; did you mean '--tag'?",
        "-np 2 --timeout soon true    | --timeout 'soon' is not a duration",
        "-np 2 --timeout 0 true       | --timeout '0' is not a duration",
        "-np 2 --bind board true      | invalid --bind 'board': give core, socket, numa or none",
        "-np 2 -x TUTTI_NOT_SET true  | -x TUTTI_NOT_SET is not set: set it",
        "-np 2 -x TUTTI_OVERSUBSCRIBED=0 true | -x TUTTI_OVERSUBSCRIBED is reserved, tutti sets it for",
        "-np 2 -x TUTTI_HEARTBEAT_TIMEOUT=5s true | -x TUTTI_HEARTBEAT_TIMEOUT is read by the launcher, not by " +
            "ranks: run TUTTI_HEARTBEAT_TIMEOUT='5s' tutti run ...",
        "-np 2 -x TUTTI_COORDINATOR=a:1 true  | -x TUTTI_COORDINATOR is reserved, tutti sets it for",
        "-np 2 -x RANK=7 true         | -x RANK is reserved, tutti sets it for each rank: leave it out",
        "-np 2 -J-Xmx1g true          | -J '-Xmx1g' is for jobs, jars and classes, and 'true'",
        "-np 2 --max-restarts -1 true | invalid --max-restarts '-1': give 0 to 1000000",
        "-np 2 --max-restarts x true  | invalid --max-restarts 'x': give 0 to 1000000",
        "--host a,b --max-restarts 2 --min-nodes 0 true | invalid --min-nodes '0': give 1 to 1024",
        "--host a,b --max-restarts 1 --min-nodes 1 true | --min-nodes 1 needs --max-restarts 2 or more, not 1: a " +
            "host is left out after it was lost in 2 starts",
        "-np 2 --max-restarts 2 --min-nodes 1 true | --min-nodes 1 needs 2 or more hosts, and the job has 1",
        "--host a,b --ssh sh --remote-path / --max-restarts 2 --min-nodes 2 true | --min-nodes 2 is not below the " +
            "number of hosts, 2: no host could be left out; give 1 to 1",
        "-np 2 -x TUTTI_RESTART_COUNT=1 true | -x TUTTI_RESTART_COUNT is reserved, tutti sets it for",
        "-np 2 no-such-program        | no program on the PATH is named 'no-such-program'",
        "-np 2 /no/such/program       | no such file '/no/such/program'",
        "-np 2 /etc/passwd            | '/etc/passwd' is not executable",
        "-np 2 /etc                   | '/etc' is a directory",
        "-np 2 no-such.jar            | no such jar 'no-such.jar'",
        "-np 2 -cp /no/such/dir a.B   | -cp entry '/no/such/dir' does not exist",
        "-np 2 -cp /etc a.B           | no such class 'a.B' on -cp '/etc'",
        "-np 1 true : true            | the number of ranks of section 2, 'true', is missing: give -np N in each",
        "true : -np 1 true            | the number of ranks of section 1, 'true', is missing: give -np N in each",
        "-np 1 true :                 | section 2 of 2 has no COMMAND: give -np N COMMAND before and after each ':'",
        "-np 1 : -np 1 true           | section 1 of 2 has no COMMAND: give -np N COMMAND before and after each ':'",
        "-np 1 true : -np 1           | section 2: missing required parameter: 'COMMAND'",
        "-np 1 true : -np none true   | invalid number of ranks -np 'none': give 1 to 1024",
        "-np 1 true : -np 1 --tag true | section 2: --tag applies to all sections: give it before the first COMMAND",
        "-np 1 true : -np 1 --jvm-ar=x true | section 2: unknown option '--jvm-ar=x'; did you mean '--jvm-arg'?",
        "-np 1 true : -np 1 no-such-program | no program on the PATH is named 'no-such-program'",
        "-np 1 true : -np 1 -J-Xmx1g true   | -J '-Xmx1g' is for jobs, jars and classes, and 'true'",
        "-np 1 true : -np 1 -x RANK=7 true  | -x RANK is reserved, tutti sets it for each rank: leave it out",
        "-np 1000 true : -np 25 true  | the sections have 1025 ranks, more than the 1024 that a job can have",
        "--nnodes 2 --node-rank 0 --coordinator localhost:1 -np 1 true : -np 1 true | --nnodes and several sections",
        "--nnodes 2 true              | --node-rank is missing: nodes without ssh need --nnodes N, --node-rank R and " +
            "--coordinator HOST:PORT",
        "--node-rank 0 true           | --nnodes is missing: nodes without ssh need --nnodes N, --node-rank R and " +
            "--coordinator HOST:PORT",
        "--nnodes 2 --node-rank 0 true | --coordinator is missing: nodes without ssh need --nnodes N, --node-rank R " +
            "and --coordinator HOST:PORT",
        "--nnodes 0 --node-rank 0 --coordinator a:1 true | invalid --nnodes '0': give 1 to 1024",
        "--nnodes x --node-rank 0 --coordinator a:1 true | invalid --nnodes 'x': give 1 to 1024",
        "--nnodes 2 --node-rank 2 --coordinator a:1 true | invalid --node-rank '2': give 0 to 1",
        "--nnodes 2 --node-rank 1 --coordinator a true   | invalid --coordinator 'a': give HOST:PORT, such as " +
            "node0:29500 or [fd00::1]:29500, with a port of 1 to 65535",
        "--nnodes 2 --node-rank 1 --coordinator fd00::1:1 true | invalid --coordinator 'fd00::1:1': give HOST:PORT",
        "--nnodes 2 --node-rank 1 --coordinator a:65536 true | invalid --coordinator 'a:65536': give HOST:PORT",
        "--nnodes 2 --node-rank 0 --coordinator a:1 --host a true | --host and --nnodes are mutually exclusive: give " +
            "one of them",
        "-np 2 --tee true             | --tee needs --output-dir DIR: without it, output goes to the console only",
        "-np 2 --output-dir /tmp --show 0 true | --show '0' has no effect with --output-dir alone: add --tee",
        "-np 2 --show 0,2 true        | invalid --show '0,2': there is no rank 2 in a job of 2 ranks: give ranks from",
        "-np 2 --output-dir /etc/hostname true | --output-dir '/etc/hostname' is a file: give a directory"})
    void shouldReportErrorInOneLineAndStartNothing(final String arguments, final String error)
    {
        final StringWriter out = new StringWriter();
        final StringWriter err = new StringWriter();
        final CommandLine run = UsageErrors.install(RunCommand.commandLine(System.nanoTime()))
            .setCommandName("tutti run").setOut(new PrintWriter(out)).setErr(new PrintWriter(err));

        final int code = run.execute(arguments.strip().split(" +", -1));

        assertEquals(2, code, err::toString);
        assertTrue(err.toString().contains(error), err::toString);
        assertEquals(1, err.toString().lines().count(), err::toString);
        assertEquals("", out.toString());
    }

    @Test
    void shouldExitWithCodeOfFirstFailedRankAndReportIt()
    {
        final TuttiProcess.Result result = TuttiProcess.run("run", "-np", "2", "sh", "-c",
            "if [ $RANK = 1 ]; then echo what went wrong >&2; exit 7; fi; exec sleep 60");

        assertEquals(7, result.code());
        assertTrue(result.err().matches(
            """
            what went wrong
            tutti: rank 1 on \\S+ \\(pid \\d+\\) failed: exited with code 7
            tutti: its last output:
                what went wrong
            """), result.err());
    }

    @Test
    void shouldReportSignalThatKilledRank()
    {
        final TuttiProcess.Result result = TuttiProcess.run("run", "-np", "2", "sh", "-c",
            "if [ $RANK = 0 ]; then kill -s SEGV $$; fi; exec sleep 60");

        assertEquals(128 + 11, result.code());
        assertTrue(result.err().contains("failed: killed by SIGSEGV"), result.err());
    }

    @Test
    void shouldEndJobOnTimeoutAndReportRunningRanks()
    {
        final TuttiProcess.Result result = TuttiProcess.run("run", "-q", "-np", "3", "--timeout", "2s", "sh", "-c",
            "if [ $RANK = 1 ]; then exit 0; fi; exec sleep 60");

        assertEquals(124, result.code());
        assertEquals("tutti: the job exceeded --timeout 2 s: ending ranks 0, 2 of 3\n",
            result.err());
    }

    @Test
    void shouldWarnOnceWhenRanksShareCores()
    {
        final int cores = Runtime.getRuntime().availableProcessors();
        final String command = "echo $TUTTI_OVERSUBSCRIBED";

        final TuttiProcess.Result many =
            TuttiProcess.run("run", "-np", Integer.toString(cores + 1), "sh", "-c", command);
        final TuttiProcess.Result one = TuttiProcess.run("run", "-np", "1", "sh", "-c", command);

        assertTrue(many.err().startsWith("tutti: " + (cores + 1) + " ranks share " + cores + " core"), many.err());
        assertEquals(1, many.err().lines().count(), many.err());
        assertEquals("1\n".repeat(cores + 1), many.out());
        assertEquals("", one.err());
        assertEquals("0\n", one.out());
    }

    /** A relative path resolves against the user's directory, not the ranks' working directory. */
    @Test
    void shouldResolveFilesOfSettingsAgainstUsersDirectory() throws IOException
    {
        final Path here = Path.of(WorkingDirectory.name());
        final Path table = here.relativize(Files.createFile(directory.resolve("host.tuning")).toAbsolutePath());

        final TuttiProcess.Result result = TuttiProcess.run("run", "-np", "1", "--wdir", directory.toString(),
            "-x", "TUTTI_TUNING=" + table, "-x", "TUTTI_MODEL=" + table,
            "sh", "-c", "echo $TUTTI_TUNING; echo $TUTTI_MODEL; echo $TUTTI_LAUNCH_DIR");

        assertEquals(List.of(here.resolve(table).toString(), here.resolve(table).toString(), here.toString()),
            result.outLines(), result.err());
    }

    @Test
    void shouldRunMainClassAndJar() throws IOException, InterruptedException
    {
        final String classes = Path.of("target", "test-classes").toAbsolutePath().toString();
        final Path jar = directory.resolve("some job.jar");
        final Process tool = new ProcessBuilder(System.getProperty("java.home") + "/bin/jar", "--create",
            "--file=" + jar, "--main-class=" + SampleJob.class.getName(), "-C", classes,
            SampleJob.class.getName().replace('.', '/') + ".class").inheritIO().start();
        assertEquals(0, tool.waitFor());

        final TuttiProcess.Result ofClass = TuttiProcess.run("run", "-np", "1", "-J-Dsample=yes",
            "-cp", classes, SampleJob.class.getName(), "a b", "-c");
        final TuttiProcess.Result ofJar = TuttiProcess.run("run", "-np", "1", "-J-Dsample=yes", jar.toString(), "d");

        assertEquals(new TuttiProcess.Result(3, "sample=yes [a b, -c]\n", ofClass.err()), ofClass);
        assertFalse(ofClass.err().contains("WARNING"), ofClass.err());
        assertEquals("sample=yes [d]\n", ofJar.out());
    }

    @Test
    void shouldPassArgumentsOfCommandUnchanged()
    {
        final TuttiProcess.Result result =
            TuttiProcess.run("run", "-np", "1", "echo", "@/etc/passwd", "-np", "3", "--", "'a  b'", "--tag", "");

        assertEquals("@/etc/passwd -np 3 -- 'a  b' --tag \n", result.out());
    }

    @Test
    void shouldRunSectionsInOrderOfRanksWithTheirOwnOptions()
    {
        final TuttiProcess.Result result = TuttiProcess.run("run", "-q", "-np", "1", "-x", "A=1",
            "sh", "-c", "echo $RANK/$WORLD_SIZE $LOCAL_RANK/$LOCAL_WORLD_SIZE first $A ${B-none} $1", "sh", "\\:",
            ":", "-n", "2", "-x", "B=2", "sh", "-c",
            "echo $RANK/$WORLD_SIZE $LOCAL_RANK/$LOCAL_WORLD_SIZE second ${A-none} $B");

        assertEquals(0, result.code(), result.err());
        assertEquals(List.of("0/3 0/3 first 1 none :", "1/3 1/3 second none 2", "2/3 2/3 second none 2"),
            result.outLines().stream().sorted().toList());
    }

    @Test
    void shouldJoinRanksOfSections()
    {
        final TuttiProcess.Result result = TuttiProcess.run(
            "run", "-q", "-np", "1", "sample-rank", "leave", ":", "-np", "1", "sample-rank", "abort");

        assertEquals(3, result.code(), result.err());
        assertTrue(result.out().contains("rank 0 heard: rank 1 "), result.out() + result.err());
    }

    @Test
    void shouldRunBuiltInJobsByName() throws IOException
    {
        Files.createDirectories(directory);
        final TuttiProcess.Result result = TuttiProcess.run("run", "-np", "2", "sample", "--words", "x");
        final TuttiProcess.Result alone = TuttiProcess.run("sample", "--words", "x");
        final TuttiProcess.Result wrong = TuttiProcess.run("run", "-np", "2", "sample", "--wrods", "x");
        final TuttiProcess.Result help = TuttiProcess.run("run", "-np", "2", "sample", "--help");

        assertEquals(0, result.code(), result.err());
        assertEquals(List.of("rank 0 of 2: x", "rank 1 of 2: x"), result.outLines().stream().sorted().toList());
        assertEquals(List.of("rank 0 of 1: x"), alone.outLines());
        assertEquals(2, wrong.code());
        assertEquals("tutti sample: unknown option '--wrods'; did you mean '--words'? " +
            "(see tutti sample --help)\n", wrong.err());
        assertEquals(0, help.code());
        assertTrue(help.out().startsWith("Usage: tutti sample"), help.out());
    }

    @Test
    void shouldCheckOptionsOfJobBeforeStartingRanks()
    {
        final TuttiProcess.Result refused = TuttiProcess.run("run", "-np", "2", "sample", "--words", "alone");
        final TuttiProcess.Result alone = TuttiProcess.run("run", "-np", "1", "sample", "--words", "alone");

        assertEquals(new TuttiProcess.Result(2, "", "tutti sample: --words=alone: needs 1 rank, not 2 " +
            "(see tutti sample --help)\n"), refused);
        assertEquals(List.of("rank 0 of 1: alone"), alone.outLines());
    }

    @Test
    void shouldGiveRanksTheJarsOfTheirJobAfterItsCheck()
    {
        final TuttiProcess.Result found = TuttiProcess.run("run", "-np", "1", "sample-jars", "--words", "x");
        final List<String> words = new ArrayList<>(List.of("run", "-q", "-np", "1", "env", "SAMPLE_JARS=none"));
        words.addAll(TuttiProcess.command());
        words.addAll(List.of("run", "-q", "-np", "1", "sample-jars"));
        final TuttiProcess.Result missing = TuttiProcess.run(words.toArray(String[]::new));
        words.add("--help");
        final TuttiProcess.Result help = TuttiProcess.run(words.toArray(String[]::new));

        assertEquals("x/needed.jar\n", found.out(), found.err());
        assertEquals(2, missing.code());
        assertTrue(missing.err().startsWith("tutti run: sample-jars needs a jar: install it\n"), missing.err());
        assertEquals(0, help.code(), help.err());
    }

    @Test
    void shouldRunToolInLauncherProcess()
    {
        final TuttiProcess.Result alone = TuttiProcess.run("sample-tool", "--code", "3");
        final TuttiProcess.Result help = TuttiProcess.run("--help");
        final TuttiProcess.Result wrong = runHere("sample-tool", "--cod", "3");

        assertEquals(new TuttiProcess.Result(3, "rank null of null\n", ""), alone);
        assertTrue(help.out().contains("Prints the rank of its process."), help.out());
        assertEquals(2, wrong.code());
        assertEquals("tutti sample-tool: unknown option '--cod'; did you mean '--code'? " +
            "(see tutti sample-tool --help)\n", wrong.err());
    }

    @Test
    void shouldSetVariablesOfPortOptions()
    {
        final String echo = "echo $TUTTI_DEVICE/$TUTTI_GID_INDEX";
        final TuttiProcess.Result given = TuttiProcess.run(
            "run", "-np", "1", "--device", "mlx5_0:1,mlx5_1", "--gid-index", "3", "sh", "-c", echo);
        final TuttiProcess.Result contradiction = TuttiProcess.run(
            "run", "-np", "1", "--gid-index", "3", "-x", "TUTTI_GID_INDEX=1", "sh", "-c", echo);

        assertEquals("mlx5_0:1,mlx5_1/3\n", given.out(), given.err());
        assertEquals(new TuttiProcess.Result(2, "", "tutti run: --gid-index 3 and -x TUTTI_GID_INDEX=1 " +
            "conflict: give one of them\n"), contradiction);
    }

    /** Runs a command line that starts no process in this JVM. */
    private static TuttiProcess.Result runHere(final String... words)
    {
        final StringWriter out = new StringWriter();
        final StringWriter err = new StringWriter();
        final int code = Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(words);
        return new TuttiProcess.Result(code, out.toString(), err.toString());
    }

    @Test
    void shouldPrintHelpVersionAndCompletion()
    {
        final TuttiProcess.Result help = runHere("--help");
        final TuttiProcess.Result version = TuttiProcess.run("--version");
        final TuttiProcess.Result completion = runHere("completion");
        final TuttiProcess.Result unknown = runHere("rnu");
        final TuttiProcess.Result word = runHere("help");
        final TuttiProcess.Result ofJob = TuttiProcess.run("run", "-np", "2", "sample", "--version");
        final TuttiProcess.Result ofTool = runHere("sample-tool", "--version");

        assertEquals(0, help.code());
        assertTrue(help.out().contains("Examples:"), help.out());
        assertEquals(help, word);
        assertEquals(0, version.code());
        assertTrue(version.out().startsWith("tutti "), version.out());
        assertEquals(version, ofJob);
        assertEquals(version, ofTool);
        assertEquals(0, completion.code());
        assertTrue(completion.out().contains("--output-dir"), completion.out());
        assertEquals(2, unknown.code());
        assertEquals("tutti: unknown command 'rnu'; did you mean 'run'? (see tutti --help)\n",
            unknown.err());
    }
}
