/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.launcher.JobCommand;
import org.tutti.tools.options.SizeSweep;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class PerfOptionsTest
{
    @Command
    static final class Holder
    {
        @Mixin
        private PerfOptions options;
    }

    @Test
    void shouldDefaultToAllSizesUpTo64MiB()
    {
        final PerfConfig config = parse();

        assertEquals(new SizeSweep(8, 64 << 20, 0, 4), config.sizes());
        assertEquals(List.of(DataType.FLOAT32), config.types());
        assertEquals(List.of(ReduceOp.SUM), config.ops());
        assertEquals(PerfConfig.Average.MEAN, config.average());
        assertTrue(config.check());
        assertNull(config.timeout());
        assertEquals(WarmUp.UNTIL_COMPILED, config.warmUp());
    }

    @Test
    void shouldWarmUpForTheGivenTime()
    {
        final Duration asked = Duration.ofSeconds(90);
        assertEquals(new WarmUp(asked, asked), parse("--warmup", "90", "-w", "5").warmUp());
        assertEquals(WarmUp.NONE, parse("--warmup", "0").warmUp());
        assertEquals(WarmUp.NONE, parse("-w", "5").warmUp());
        assertEquals(WarmUp.UNTIL_COMPILED, parse("--warmup", "-1", "-w", "5").warmUp());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-n 5", "-w 5", "--warmup 1", "--json x --percentiles", "--mode nonblocking --tests 3"})
    void shouldRejectColdWithOptionsOfSteadyRuns(final String words)
    {
        final ParameterException refusal = assertThrows(
            ParameterException.class, () -> parse(("--cold " + words).split(" ", -1)));

        assertTrue(
            refusal.getMessage().startsWith("--cold=true: must be given without -n, -w, "), refusal.getMessage());
    }

    @Test
    void shouldAcceptOptionsOfNcclTests()
    {
        final PerfConfig config = parse(
            "-b", "4", "-e", "1G", "-f", "2", "-n", "100", "-w", "5", "-c", "0", "-d", "double", "-o", "avg",
            "-r", "3", "-a", "2", "-T", "30");

        assertEquals(new SizeSweep(4, 1 << 30, 0, 2), config.sizes());
        assertEquals(100, config.iterations());
        assertEquals(5, config.untimed());
        assertFalse(config.check());
        assertEquals(List.of(DataType.FLOAT64), config.types());
        assertEquals(List.of(ReduceOp.AVG), config.ops());
        assertEquals(3, config.root());
        assertEquals(PerfConfig.Average.MIN, config.average());
        assertEquals(Duration.ofSeconds(30), config.timeout());
    }

    @Test
    void shouldCheckWithAndWithoutAValue()
    {
        assertTrue(parse("--check").check());
        assertTrue(parse("--check", "-e", "1k").check());
        assertTrue(parse("-c", "1").check());
        assertFalse(parse("--check=0").check());
        assertFalse(parse("--check", "0").check());
    }

    @Test
    void shouldAcceptMode()
    {
        assertEquals(Mode.BLOCKING, parse().mode());
        assertEquals(Mode.PERSISTENT, parse("--mode", "persistent").mode());
        assertEquals(Mode.NONBLOCKING, parse("--mode", "nonblocking", "--tests", "10").mode());
        assertEquals(10, parse("--mode", "nonblocking", "--tests", "10").tests());
    }

    @Test
    void shouldAcceptAllTypesAndOperations()
    {
        final PerfConfig config = parse("-d", "all", "-o", "all", "-i", "1M");

        assertEquals(List.of(DataType.values()), config.types());
        assertTrue(config.ops().containsAll(List.of(ReduceOp.values())));
        assertTrue(config.ops().contains(PerfConfig.MULSUM));
        assertEquals(1 << 20, config.sizes().step());
    }

    @Test
    void shouldAcceptTypeAndOperationNamesOfNcclTests()
    {
        for (final String type : List.of("int8", "uint8", "int32", "uint32", "int64", "uint64", "half", "float",
            "double", "bfloat16", "fp8_e4m3", "fp8_e5m2"))
        {
            assertEquals(type, parse("-d", type).types().getFirst().shortName());
        }
        for (final String op : List.of("sum", "prod", "min", "max", "avg", "mulsum"))
        {
            assertEquals(op, PerfConfig.label(parse("-o", op).ops().getFirst()));
        }
    }

    @Test
    void shouldRejectOperationThatTypeDoesNotSupport()
    {
        final ParameterException refusal = assertThrows(
            ParameterException.class, () -> parse(Operation.ALLREDUCE, "-d", "half", "-o", "band"));

        assertEquals("-o=band: must be defined on -d, which is half: bitwise and logical operations need integers, " +
            "minloc and maxloc need pairs such as float_int32, the others numbers; scans have no avg and mulsum",
            refusal.getMessage());
        assertThrows(ParameterException.class, () -> parse(Operation.SCAN, "-o", "mulsum"));
        assertDoesNotThrow(() -> parse(Operation.REDUCE_SCATTER, "-o", "mulsum"));
    }

    @Test
    void shouldIgnoreReduceOpWhenOperationDoesNotReduce()
    {
        assertDoesNotThrow(() -> parse(Operation.BROADCAST, "-d", "float_int32"));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "--mode fast", "-W 0", "--tests -1", "--tests 3", "-b x", "-b 8 -e 4",
        "-f 1", "-n -1", "-w -2", "-c 2", "-d quarter", "-o xor", "-r -2", "-a 4", "-T -1",
        "--json /no/such/directory/x.json", "--json .", "--bogus", "-n many" })
    void shouldNameInvalidValueInOneLine(final String line)
    {
        final String[] words = line.split(" ");

        final ParameterException refusal = assertThrows(ParameterException.class, () -> parse(words));

        assertTrue(refusal.getMessage().contains(words[words.length - 1]) || line.startsWith("-b 8"),
            refusal.getMessage());
        assertEquals(1, refusal.getMessage().lines().count(), refusal.getMessage());
    }

    @Test
    void shouldRequireJsonFileForPercentiles(@TempDir final Path directory)
    {
        final ParameterException refusal = assertThrows(ParameterException.class, () -> parse("--percentiles"));
        final Path file = directory.resolve("result.json");

        assertTrue(refusal.getMessage().contains("--json FILE"), refusal.getMessage());
        assertTrue(parse("--percentiles", "--json", file.toString()).percentiles());
        assertFalse(Files.exists(file));
    }

    @Test
    void shouldRequireValidRootWhenOperationIsRooted()
    {
        final ParameterException refusal =
            assertThrows(ParameterException.class, () -> check(4, "broadcast", "-r", "4"));

        assertEquals("-r=4: must be a rank from 0 to 3", refusal.getMessage());
        assertDoesNotThrow(() -> check(4, "broadcast", "-r", "3"));
        assertDoesNotThrow(() -> check(4, "broadcast", "-r", "-1"));
        assertDoesNotThrow(() -> check(4, "allreduce", "-r", "4"));
        assertDoesNotThrow(() -> check(2, "sendrecv"));
        final String message =
            assertThrows(ParameterException.class, () -> check(1, "sendrecv")).getMessage();
        assertTrue(message.contains("-np 1: sendrecv needs at least 2 ranks"), message);
        assertThrows(ParameterException.class, () -> check(1, "put"));
        assertDoesNotThrow(() -> check(4, "osu_put_bw", "-W", "1"));
        assertTrue(assertThrows(ParameterException.class, () -> check(3, "get_bw")).getMessage()
            .contains("-np 3: get_bw needs an even number of ranks"));
        assertDoesNotThrow(() -> check(2, "osu_get_latency", "--mode", "nonblocking"));
        assertTrue(assertThrows(ParameterException.class, () -> check(2, "put", "--mode", "persistent")).getMessage()
            .contains("must be blocking or nonblocking: put has no other form"));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "allreduce --requests 0", "allreduce --requests 100000", "allreduce --requests 2 --mode nonblocking",
        "allreduce --requests 2 --cold", "barrier --requests 2", "put_bw --requests 2", "put --requests 2"})
    void shouldRejectRequestsThatAreNotSupported(final String words)
    {
        final String message =
            assertThrows(ParameterException.class, () -> check(2, words.split(" "))).getMessage();
        assertTrue(message.contains("--requests"), message);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "allreduce --memory stack", "allreduce --memory heap --mode nonblocking", "barrier --memory heap",
        "put --memory heap", "put_bw --memory registered"})
    void shouldRejectMemoryThatIsNotSupported(final String words)
    {
        final String message =
            assertThrows(ParameterException.class, () -> check(2, words.split(" "))).getMessage();
        assertTrue(message.contains("--memory"), message);
    }

    @Test
    void shouldBeRegisteredAsJob()
    {
        assertTrue(ServiceLoader.load(JobCommand.class).stream()
            .anyMatch(provider -> provider.type() == PerfCommand.class));
        assertEquals(
            List.of("allgather", "alltoall", "allreduce", "barrier", "broadcast", "exscan", "gather", "get", "get_bw",
                "put", "put_bw", "reduce", "reduce_scatter", "scan", "scatter", "sendrecv", "write_bw", "write_lat",
                "allgatherv", "reduce_scatterv", "gatherv", "scatterv", "alltoallv").stream().sorted().toList(),
            new CommandLine(new PerfCommand()).getSubcommands().values().stream()
                .map(CommandLine::getCommandName).distinct().sorted().toList());
    }

    @Test
    void shouldAcceptNamesOfOtherBenchmarks()
    {
        assertTrue(new CommandLine(new PerfCommand()).getSubcommands().keySet().containsAll(List.of(
            "all_reduce", "all_gather", "reduce_scatter", "osu_allreduce", "osu_bcast", "osu_alltoall", "bcast",
            "osu_iallreduce", "osu_ibarrier", "osu_ireduce_scatter", "osu_bcast_persistent",
            "osu_put_latency", "osu_get_latency", "osu_put_bw", "osu_get_bw", "osu_allgatherv", "osu_igatherv",
            "osu_scatterv_persistent", "osu_ialltoallv", "osu_reduce_scatter_block")));
    }

    @ParameterizedTest
    @CsvSource({
        "osu_allreduce, BLOCKING", "osu_iallreduce, NONBLOCKING", "osu_allreduce_persistent, PERSISTENT",
        "osu_ibcast --tests 3, NONBLOCKING", "osu_ialltoallv, NONBLOCKING",
        "osu_iallreduce --mode blocking, BLOCKING", "allreduce, BLOCKING"})
    void shouldSelectModeByBenchmarkName(final String words, final Mode expected)
    {
        final CommandLine commandLine = new CommandLine(new PerfCommand());
        final PerfJob job =
            commandLine.parseArgs(words.split(" ", -1)).asCommandLineList().getLast().getCommand();

        assertEquals(expected, job.config().mode());
    }

    @ParameterizedTest
    @CsvSource({
        "osu_reduce_scatter, REDUCE_SCATTERV", "osu_ireduce_scatter, REDUCE_SCATTERV",
        "osu_reduce_scatter_block, REDUCE_SCATTER", "osu_alltoallv, ALLTOALLV"})
    void shouldSelectOperationByBenchmarkName(final String name, final Operation expected)
    {
        final PerfJob job =
            new CommandLine(new PerfCommand()).parseArgs(name).asCommandLineList().getLast().getCommand();

        assertEquals(expected, job.config().operation());
    }

    @Test
    void shouldAcceptCountsRule()
    {
        assertEquals(CountsRule.EVEN, parse(Operation.ALLTOALLV).counts());
        assertEquals(CountsRule.EVEN, parse(Operation.ALLTOALLV, "--counts", "even").counts());
        assertEquals(CountsRule.LINEAR, parse(Operation.SCATTERV, "--counts", "linear").counts());
        assertEquals("--counts=odd: must be even or linear", assertThrows(ParameterException.class,
            () -> parse(Operation.GATHERV, "--counts", "odd")).getMessage());
        assertEquals("--counts=linear: must be given with a collective that takes counts, such as allgatherv: gather " +
            "takes none", assertThrows(ParameterException.class,
            () -> parse(Operation.GATHER, "--counts", "linear")).getMessage());
    }

    private static void check(final int size, final String... words)
    {
        final CommandLine commandLine = new CommandLine(new PerfCommand());
        final JobCommand job =
            commandLine.parseArgs(words).asCommandLineList().getLast().getCommand();
        job.check(size);
    }

    private static PerfConfig parse(final String... words)
    {
        return parse(Operation.BROADCAST, words);
    }

    private static PerfConfig parse(final Operation operation, final String... words)
    {
        final Holder holder = new Holder();
        final CommandLine commandLine = new CommandLine(holder);
        commandLine.parseArgs(words);
        return holder.options.conclude(operation, commandLine.getCommandSpec());
    }
}
