/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.LocalJob;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.Window;
import org.tutti.tools.options.SizeSweep;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Complete runs with ranks as threads of this process over the real transport. */
@Timeout(120)
class PerfRunTest
{
    private static final int RANKS = 3;
    private static final boolean IS_TORTURE = Boolean.getBoolean("tutti.test.torture");
    private static final List<DataType> ALL_TYPES = List.of(DataType.values());
    /** One type of each kind; the behaviour common to all collectives is tested with them only. */
    private static final List<DataType> SOME_TYPES =
        List.of(DataType.UINT8, DataType.FLOAT32, DataType.FLOAT64_INT64);
    /** One operation of each kind; blocking calls are tested with all. */
    private static final List<ReduceOp> SOME_OPS = List.of(ReduceOp.SUM, ReduceOp.MINLOC, PerfConfig.MULSUM);
    private static final PrintStream NOWHERE = new PrintStream(OutputStream.nullOutputStream());

    private final List<ByteArrayOutputStream> outputs = new ArrayList<>();

    @Test
    void shouldComputeCorrectResultsForEveryTypeAndOperation() throws Exception
    {
        final List<Row> rows = run(config(Operation.ALLREDUCE, 0, true), communicator -> communicator).getFirst();

        // Integers have sum to avg, six bitwise or logical operations, and mulsum; pairs have minloc and maxloc.
        assertEquals((8 * 12 + 6 * 6 + 4 * 2) * 3, rows.size());
        assertEquals(0, PerfRun.wrong(rows));
        assertTrue(rows.stream().allMatch(row -> row.inPlace().wrong() == 0 && row.outOfPlace().timeUs() > 0));
    }

    @ParameterizedTest
    @EnumSource(value = Operation.class, mode = EnumSource.Mode.EXCLUDE, names = {"PUT_BW", "GET_BW"})
    void shouldComputeCorrectResultsForEveryCollective(final Operation operation) throws Exception
    {
        final int root = operation.hasRoot() ? PerfConfig.ALL_ROOTS : 0;
        final PerfConfig config = config(SOME_TYPES, operation, root, true, Mode.BLOCKING);
        final List<Row> rows = run(config, communicator -> communicator).getFirst();

        assertFalse(rows.isEmpty());
        assertEquals(0, PerfRun.wrong(rows));
        assertTrue(operation == Operation.BARRIER || rows.stream().allMatch(row ->
            (operation.isInPlace() ? row.inPlace() : row.outOfPlace()).wrong() == 0));
    }

    @ParameterizedTest
    @EnumSource(value = Operation.class, mode = EnumSource.Mode.EXCLUDE,
        names = {"PUT", "GET", "PUT_BW", "GET_BW"})
    void shouldComputeCorrectResultsWhenPersistentOrNonblocking(final Operation operation) throws Exception
    {
        final Mode some = operation.ordinal() % 2 == 0 ? Mode.PERSISTENT : Mode.NONBLOCKING;
        for (final Mode mode : IS_TORTURE ? List.of(Mode.PERSISTENT, Mode.NONBLOCKING) : List.of(some))
        {
            final PerfConfig base = config(SOME_TYPES, operation, operation.hasRoot() ? 1 : 0, true, mode);
            final PerfConfig config = new PerfConfig(base.operation(), base.sizes(), base.types(),
                IS_TORTURE ? base.ops() : SOME_OPS, base.root(), base.iterations(), base.untimed(), base.warmUp(), true,
                base.average(), null, null, false, mode, base.tests(), base.window(), 1, base.counts(),
                MemoryKind.ALLOCATED);
            final List<Row> rows = run(config, communicator -> communicator).getFirst();

            assertFalse(rows.isEmpty());
            assertEquals(0, PerfRun.wrong(rows));
            assertTrue(rows.stream().allMatch(row -> row.hasOverlap() == (mode == Mode.NONBLOCKING)));
            assertTrue(operation == Operation.BARRIER || rows.stream().allMatch(row ->
                (operation.isInPlace() ? row.inPlace() : row.outOfPlace()).wrong() == 0));
        }
    }

    @ParameterizedTest
    @EnumSource(value = Operation.class, names = {"PUT", "GET"})
    void shouldComputeCorrectResultsForPutAndGetRequests(final Operation operation) throws Exception
    {
        final List<Row> rows =
            run(config(operation, 0, true, Mode.NONBLOCKING), communicator -> communicator).getFirst();

        assertFalse(rows.isEmpty());
        assertTrue(rows.stream().allMatch(row -> row.hasOverlap() && row.outOfPlace().wrong() == 0));
    }

    @ParameterizedTest
    @EnumSource(value = Operation.class, names = {"PUT_BW", "GET_BW"})
    void shouldComputeCorrectResultsForStreams(final Operation operation) throws Exception
    {
        final PerfConfig config = config(operation, 0, true);
        for (final int ranks : new int[] {2, 4})
        {
            final List<List<Row>> rows = LocalJob.call(ranks, communicator ->
                new PerfRun(config, communicator, NOWHERE).run());

            assertEquals(3 * ALL_TYPES.size(), rows.getFirst().size());
            assertTrue(rows.stream().flatMap(List::stream).allMatch(
                row -> row.outOfPlace().wrong() == 0 && row.outOfPlace().algBw() > 0 && row.inPlace() == null));
        }
    }

    @ParameterizedTest
    @EnumSource(value = Operation.class, names = {"PUT_BW", "GET_BW"})
    void shouldReportPercentilesPerMessageForStreams(final Operation operation) throws Exception
    {
        final PerfConfig base = config(operation, 0, false);
        final PerfConfig config = new PerfConfig(base.operation(), base.sizes(), base.types(), base.ops(), base.root(),
            base.iterations(), base.untimed(), base.warmUp(), base.check(), PerfConfig.Average.RANK_0, null, null,
            true, Mode.BLOCKING, 0, base.window(), 1, base.counts(), MemoryKind.ALLOCATED);
        final List<List<Row>> rows = LocalJob.call(2, communicator ->
            new PerfRun(config, communicator, NOWHERE).run());

        // The minimum per message never exceeds the mean; that of a whole window does in nearly every row.
        assertTrue(rows.getFirst().stream().map(Row::outOfPlace).allMatch(
            half -> half.histogram().getMinValue() / 1e3 <= half.timeUs()), rows.toString());
    }

    @Test
    void shouldDetectMissingPutOfStream() throws Exception
    {
        final PerfConfig config = config(Operation.PUT_BW, 0, true);
        final List<List<Row>> rows = LocalJob.call(2, communicator ->
            new PerfRun(config, communicator.rank() == 0 ? missing(communicator) : communicator, NOWHERE).run());

        // Messages of 4 KiB share one offset, where the other puts of the window write the same data.
        assertTrue(rows.stream().flatMap(List::stream).allMatch(
            row -> row.outOfPlace().wrong() == (row.size() > 2048 ? 0 : row.count())), rows.toString());
    }

    @ParameterizedTest
    @EnumSource(value = Operation.class, names = ".+[LR]V", mode = EnumSource.Mode.MATCH_ALL)
    void shouldComputeCorrectResultsForUnevenBlocksInEveryMode(final Operation operation) throws Exception
    {
        final List<Mode> modes = List.of(Mode.values());
        // Each mode with at least two of the five operations.
        final int first = operation.ordinal() % 2;
        for (final Mode mode : IS_TORTURE ? modes : List.of(modes.get(first), modes.get(first + 2)))
        {
            final PerfConfig config = linear(operation, mode);
            for (int ranks = IS_TORTURE ? 1 : RANKS; ranks <= RANKS; ranks++)
            {
                final List<List<Row>> rows = LocalJob.call(ranks, communicator ->
                    new PerfRun(config, communicator, NOWHERE).run());

                assertEquals(3 * 2 * (operation.hasRoot() ? ranks : 1), rows.getFirst().size());
                assertTrue(rows.stream().flatMap(List::stream).allMatch(
                    row -> row.inPlace().wrong() == 0 && row.outOfPlace().wrong() == 0), rows.toString());
            }
        }
    }

    @Test
    void shouldReportCountOfLongestBlockWhenBlocksAreUneven() throws Exception
    {
        final List<Row> rows = run(
            linear(Operation.ALLGATHERV, Mode.BLOCKING), communicator -> communicator).getFirst();

        // Sizes are not rounded down to a multiple of the ranks; the last of three ranks has half of the elements.
        assertEquals(List.of(16L, 512L, 4096L, 16L, 512L, 4096L), rows.stream().map(Row::size).toList());
        assertEquals(List.of(1L, 32L, 256L, 2L, 64L, 512L), rows.stream().map(Row::count).toList());
    }

    @Test
    void shouldDetectFlippedBitInUnevenBlock() throws Exception
    {
        final List<List<Row>> rows = run(linear(Operation.ALLGATHERV, Mode.BLOCKING), communicator ->
            communicator.rank() != 1 ? communicator :
                proxy(Communicator.class, communicator, (method, args, call) ->
                {
                    final Object result = call.call();
                    if (method.equals("allgatherv") && args[1] instanceof DataBuffer output)
                    {
                        final MemorySegment segment = output.segment();
                        segment.set(JAVA_BYTE, 0, (byte)(segment.get(JAVA_BYTE, 0) ^ 1));
                    }
                    return result;
                }));

        assertTrue(rows.stream().flatMap(List::stream).allMatch(
            row -> row.inPlace().wrong() == 1 && row.outOfPlace().wrong() == 1), rows.toString());
    }

    @Test
    void shouldReportTotalSizeAndBlockCount() throws Exception
    {
        final List<Row> rows =
            run(config(Operation.ALLGATHER, 0, true), communicator -> communicator).getFirst();

        final List<Row> longs = rows.stream().filter(row -> row.type().equals("int64")).toList();
        assertTrue(longs.stream().allMatch(row -> row.size() == 8 * RANKS * row.count() && row.size() <= 4096));
        assertEquals(4096 / (8 * RANKS), longs.getLast().count());
    }

    @Test
    void shouldPrintOnlyOnRankZero() throws Exception
    {
        final List<Row> rows =
            run(config(Operation.BROADCAST, PerfConfig.ALL_ROOTS, true), communicator -> communicator).getFirst();

        final List<String> lines = outputs.getFirst().toString(StandardCharsets.UTF_8).lines()
            .filter(line -> !line.startsWith("# Disturbed")).toList();
        assertEquals(3 + rows.size() + 3, lines.size());
        assertEquals(ALL_TYPES.size() * RANKS * 3, rows.size());
        assertEquals("# Out of bounds values : 0 OK", lines.get(lines.size() - 3));
        assertEquals(0, outputs.get(1).size());
        assertEquals(0, outputs.get(2).size());
    }

    @Test
    void shouldReportFlippedBitOfOneRankOnAllRanks() throws Exception
    {
        final List<DataType> types = IS_TORTURE ? ALL_TYPES : SOME_TYPES;
        final List<List<Row>> rows = run(config(types, Operation.ALLREDUCE, 0, true, Mode.BLOCKING),
            communicator -> communicator.rank() == 1 ? faulty(communicator) : communicator);

        for (final List<Row> ofRank : rows)
        {
            assertTrue(ofRank.stream().allMatch(row -> row.inPlace().wrong() == 1 && row.outOfPlace().wrong() == 1));
        }
        assertTrue(outputs.getFirst().toString(StandardCharsets.UTF_8).contains(" FAILED\n"));
    }

    @Test
    void shouldFailOnAllRanksWhenOneFindsWrongData() throws Exception
    {
        final PerfConfig config = config(SOME_TYPES, Operation.ALLREDUCE, 0, true, Mode.BLOCKING);

        final List<Integer> right = LocalJob.call(RANKS, communicator -> PerfJob.run(config, communicator, NOWHERE));
        final List<Integer> wrong = LocalJob.call(RANKS, communicator -> PerfJob.run(
            config, communicator.rank() == 1 ? faulty(communicator) : communicator, NOWHERE));

        assertEquals(List.of(0, 0, 0), right);
        assertEquals(List.of(1, 1, 1), wrong);
    }

    @ParameterizedTest
    @CsvSource({"ALLREDUCE, BLOCKING", "ALLREDUCE, OVERLAPPING", "ALLREDUCE, PERSISTENT", "GATHER, OVERLAPPING",
        "ALLTOALL, PERSISTENT", "SENDRECV, BLOCKING", "SENDRECV, OVERLAPPING"})
    void shouldComputeCorrectResultsOfSeveralCalls(final Operation operation, final Mode mode) throws Exception
    {
        final PerfConfig base = config(List.of(DataType.INT32), operation, 0, true, mode);
        final PerfConfig config = new PerfConfig(base.operation(), base.sizes(), base.types(),
            List.of(ReduceOp.SUM), base.root(), base.iterations(), base.untimed(), base.warmUp(), true, base.average(),
            null, null, false, mode, 0, base.window(), 7, base.counts(), MemoryKind.ALLOCATED);
        final List<List<Row>> rows = LocalJob.call(2, communicator -> new PerfRun(config, communicator, NOWHERE).run());

        assertEquals(3, rows.getFirst().size());
        assertEquals(0, PerfRun.wrong(rows.getFirst()));
    }

    @ParameterizedTest
    @EnumSource(value = Operation.class, names = {"BARRIER", "PUT", "GET", "PUT_BW", "GET_BW"},
        mode = EnumSource.Mode.EXCLUDE)
    void shouldComputeCorrectResultsInOtherMemory(final Operation operation) throws Exception
    {
        for (final MemoryKind memory : List.of(MemoryKind.REGISTERED, MemoryKind.HEAP))
        {
            final PerfConfig base = config(List.of(DataType.INT16), operation, 0, true, Mode.BLOCKING);
            final PerfConfig config = new PerfConfig(base.operation(), base.sizes(), base.types(),
                List.of(ReduceOp.SUM), base.root(), base.iterations(), base.untimed(), base.warmUp(), true,
                base.average(), null, null, false, Mode.BLOCKING, 0, base.window(), 1, base.counts(), memory);
            final List<List<Row>> rows = LocalJob.call(2, communicator ->
                new PerfRun(config, communicator, NOWHERE).run());

            assertEquals(3, rows.getFirst().size());
            assertEquals(0, PerfRun.wrong(rows.getFirst()));
        }
    }

    @Test
    void shouldMeasureBarriersWithoutData() throws Exception
    {
        final List<Row> rows = run(config(Operation.BARRIER, 0, true), communicator -> communicator).getFirst();

        assertEquals(1, rows.size());
        assertTrue(rows.getFirst().outOfPlace().timeUs() > 0);
        assertEquals(Measurement.UNCHECKED, rows.getFirst().outOfPlace().wrong());
        assertNull(rows.getFirst().inPlace());
    }

    @Test
    void shouldReportTheRanksAndPercentilesAsJson(@TempDir final Path directory) throws Exception
    {
        final Path file = directory.resolve("result.json");
        final PerfConfig base = config(SOME_TYPES, Operation.ALLREDUCE, 0, true, Mode.BLOCKING);
        final PerfConfig config = new PerfConfig(base.operation(), base.sizes(), base.types(), base.ops(), base.root(),
            base.iterations(), base.untimed(), base.warmUp(), base.check(), base.average(), base.timeout(), file,
            true, Mode.BLOCKING, 0, 64, 1, CountsRule.EVEN, MemoryKind.ALLOCATED);
        final List<Row> rows = run(config, communicator -> communicator).getFirst();
        final List<RankInfo> ranks = LocalJob.call(RANKS, RankInfo::gather).getFirst();

        new PerfReport(config, Environment.current(), ranks, "shm/shm0").writeJson(rows);

        final String json = Files.readString(file);
        assertEquals(RANKS, ranks.size());
        assertEquals(new RankInfo(2, Environment.hostName(), ProcessHandle.current().pid()), ranks.get(2));
        assertTrue(json.contains("\"pid\": " + ProcessHandle.current().pid()), json);
        assertTrue(json.contains("\"p99.9\": "), json);
        assertTrue(json.contains("\"out_of_bounds\": 0"), json);
    }

    private static PerfConfig config(final Operation operation, final int root, final boolean check)
    {
        return config(operation, root, check, Mode.BLOCKING);
    }

    private static PerfConfig config(
        final Operation operation, final int root, final boolean check, final Mode mode)
    {
        return config(ALL_TYPES, operation, root, check, mode);
    }

    private static PerfConfig config(
        final List<DataType> types, final Operation operation, final int root, final boolean check, final Mode mode)
    {
        return new PerfConfig(
            operation, new SizeSweep(16, 4096, 0, 32), types, Stream.concat(
            Stream.of(ReduceOp.values()), Stream.of(PerfConfig.MULSUM)).toList(), root,
            3, 1, WarmUp.NONE, check, PerfConfig.Average.MEAN, null, null, false, mode,
            mode == Mode.NONBLOCKING ? 2 : 0, 5, 1, CountsRule.EVEN, MemoryKind.ALLOCATED);
    }

    private static PerfConfig linear(final Operation operation, final Mode mode)
    {
        final PerfConfig base = config(operation, operation.hasRoot() ? PerfConfig.ALL_ROOTS : 0, true, mode);
        return new PerfConfig(
            operation, base.sizes(), List.of(DataType.INT64, DataType.FLOAT32), List.of(ReduceOp.SUM), base.root(),
            base.iterations(), base.untimed(), base.warmUp(), base.check(), base.average(), null, null, false, mode,
            base.tests(), base.window(), 1, CountsRule.LINEAR, MemoryKind.ALLOCATED);
    }

    private List<List<Row>> run(final PerfConfig config, final Wrapper wrapper) throws Exception
    {
        for (int rank = 0; rank < RANKS; rank++)
        {
            outputs.add(new ByteArrayOutputStream());
        }
        return LocalJob.call(RANKS, communicator ->
        {
            final var out = new PrintStream(outputs.get(communicator.rank()), true, StandardCharsets.UTF_8);
            return new PerfRun(config, wrapper.wrap(communicator), out).run();
        });
    }

    /** Flips a bit in the last element of every result, and reports all sums as zero. */
    private static Communicator faulty(final Communicator communicator)
    {
        return (Communicator)Proxy.newProxyInstance(
            PerfRunTest.class.getClassLoader(), new Class<?>[] { Communicator.class }, (proxy, method, args) ->
            {
                final Object result;
                try
                {
                    result = method.invoke(communicator, args);
                }
                catch (final InvocationTargetException e)
                {
                    throw e.getCause();
                }
                if (method.getName().equals("allreduce") && args[0] instanceof long[] sum)
                {
                    Arrays.fill(sum, 0);
                }
                if (method.getName().equals("allreduce") && args[args.length - 2] instanceof DataBuffer output)
                {
                    final MemorySegment segment = output.segment();
                    final long last = segment.byteSize() - 1;
                    segment.set(JAVA_BYTE, last, (byte)(segment.get(JAVA_BYTE, last) ^ 1));
                }
                return result;
            });
    }

    /** Its windows drop the last put of a window of five. */
    private static Communicator missing(final Communicator communicator)
    {
        return proxy(Communicator.class, communicator, (method, args, call) -> method.equals("window") ?
            proxy(Window.class, (Window)call.call(), (put, words, callPut) ->
                put.equals("iput") && (long)words[1] == 4 * (long)words[2] ? null : callPut.call()) : call.call());
    }

    private interface Handler
    {
        Object handle(String method, Object[] args, Callable<Object> call) throws Exception;
    }

    private static <T> T proxy(final Class<T> type, final T target, final Handler handler)
    {
        return type.cast(Proxy.newProxyInstance(PerfRunTest.class.getClassLoader(), new Class<?>[] { type },
            (proxy, method, args) -> handler.handle(method.getName(), args, () -> method.invoke(target, args))));
    }

    private interface Wrapper
    {
        Communicator wrap(Communicator communicator);
    }
}
