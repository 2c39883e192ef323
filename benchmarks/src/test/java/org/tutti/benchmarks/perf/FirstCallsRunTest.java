/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tutti.collectives.DataType;
import org.tutti.collectives.LocalJob;
import org.tutti.collectives.ReduceOp;
import org.tutti.tools.options.SizeSweep;
import org.tutti.tools.report.Json;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Complete runs with ranks as threads of this process over the real transport. */
class FirstCallsRunTest
{
    private static final List<Integer> ALL = List.of(1, 10, 100, 1_000, 10_000, 30_000);

    @Test
    void shouldTimeFirstCallsOfEachSize() throws Exception
    {
        final PerfConfig config = config(Operation.ALLREDUCE, new SizeSweep(8, 4096, 0, 512), Mode.BLOCKING, null);

        final FirstCallsRun.Result result =
            LocalJob.call(2, communicator -> new FirstCallsRun(config, communicator).run()).getFirst();

        assertEquals(0, result.wrong());
        assertEquals(Stream.concat(ALL.stream(), ALL.stream()).toList(),
            result.rows().stream().map(FirstCallsRow::calls).toList());
        assertEquals(List.of(8L, 4096L), result.rows().stream().map(row -> row.of().size()).distinct().toList());
        double beforeUs = 0;
        int before = 0;
        for (final FirstCallsRow row : result.rows().subList(0, ALL.size()))
        {
            assertEquals(row.totalUs() - beforeUs, row.meanUs() * (row.calls() - before), row.totalUs() * 1e-9);
            assertTrue(row.meanUs() > 0, row.toString());
            beforeUs = row.totalUs();
            before = row.calls();
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void shouldMakeFewerCallsWhenBuffersAreLong(final Mode mode) throws Exception
    {
        final PerfConfig config = config(Operation.BROADCAST, new SizeSweep(8 << 20, 8 << 20, 0, 2), mode, null);

        final FirstCallsRun.Result result =
            LocalJob.call(2, communicator -> new FirstCallsRun(config, communicator).run()).getFirst();

        assertEquals(List.of(1, 10, 100), result.rows().stream().map(FirstCallsRow::calls).toList());
    }

    @Test
    void shouldPrintTableAndWriteJson(@TempDir final Path directory) throws Exception
    {
        final Path json = directory.resolve("cold.json");
        final PerfConfig config = config(Operation.BARRIER, new SizeSweep(8, 8, 0, 2), Mode.BLOCKING, json);
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

        assertEquals(List.of(0, 0),
            LocalJob.call(2, communicator -> PerfJob.record(config, null, communicator, out, true)));

        final List<String> lines = bytes.toString(StandardCharsets.UTF_8).lines().toList();
        assertTrue(lines.contains("# Out of bounds values : not checked"), lines.toString());
        assertEquals(ALL, lines.stream().filter(line -> !line.startsWith("#"))
            .map(line -> Integer.valueOf(line.strip().split(" +", -1)[5])).toList());
        final Map<?, ?> report = Json.read(Files.readString(json));
        assertEquals(ALL.size(), ((List<?>)report.get("first_calls")).size());
    }

    private static PerfConfig config(
        final Operation operation, final SizeSweep sizes, final Mode mode, final Path json)
    {
        return new PerfConfig(operation, sizes, List.of(DataType.FLOAT32), List.of(ReduceOp.SUM), 0, 0, -1,
            WarmUp.NONE, true, PerfConfig.Average.MEAN, null, json, false, mode, 0, 64, 1, CountsRule.EVEN,
            MemoryKind.ALLOCATED);
    }
}
