/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.select.model.CostModel;
import org.tutti.collectives.select.model.WireKind;

class CalibrationTest
{
    @TempDir
    private Path directory;

    @Test
    @Tag("torture")
    void shouldRecoverModelOfSimulatedTimes()
    {
        final CostModel model = CostModel.DEFAULT.with(Map.of("host.send", 300.0, "host.receive", 300.0,
            "host.latency", 80.0, "host.byte", 0.2, "copy", 0.2, "reduce", 0.05));
        final List<Calibration.Measured> rows = new ArrayList<>();
        for (final Algorithm algorithm : Algorithms.of(Collective.ALLREDUCE))
        {
            for (final long bytes : new long[] {4, 1024, 65536, 1L << 20})
            {
                rows.add(measured(model, algorithm.name(), 2, bytes));
            }
        }

        final CostModel found = Calibration.fit(WireKind.SHM, CostModel.DEFAULT, rows, 4);

        for (final Calibration.Measured row : rows)
        {
            assertEquals(1, predictUs(found, WireKind.SHM, row) / row.timeUs(), 0.05, row::toString);
        }
    }

    /** A long link, and a device that is thousands of times slower than the shipped parameters. */
    @ParameterizedTest
    @CsvSource({"TCP, 1e6, 2", "VERBS, 2e6, 80"})
    void shouldFitTheLinkRatherThanProcessors(final WireKind wire, final double latency, final double perByte)
    {
        final CostModel shipped = CostModel.of(WireKind.SHM, wire);
        final CostModel model = shipped.with(Map.of("network.latency", latency, "network.byte", perByte));
        final List<Calibration.Measured> rows = new ArrayList<>();
        for (final String algorithm : List.of("ring", "recursive_doubling", "one_shot"))
        {
            for (final long bytes : new long[] {4, 4096, 262_144, 1L << 20})
            {
                final Calibration.Measured row =
                    new Calibration.Measured(Collective.ALLREDUCE, algorithm, 2, bytes, 1);
                rows.add(new Calibration.Measured(Collective.ALLREDUCE, algorithm, 2, bytes,
                    Calibration.predictUs(model, shipped, wire, row, 4)));
            }
        }

        final CostModel found = Calibration.fit(wire, shipped, rows, 4);

        assertEquals(1, found.network().latencyNs() / latency, 0.05, found::toString);
        assertEquals(1, found.network().nsPerByte() / perByte, 0.05, found::toString);
        assertEquals(1, found.network().sendNs() / shipped.network().sendNs(), 1, found::toString);
        assertEquals(1, found.reduceNsPerByte() / shipped.reduceNsPerByte(), 1, found::toString);
    }

    @Test
    void shouldPredictThatTcpDoesNotWaitForAcknowledgements()
    {
        final Calibration.Measured row = new Calibration.Measured(Collective.ALLREDUCE, "one_shot", 2, 16_384, 1);
        final Map<String, Double> far = Map.of("network.latency", 1e6);

        assertEquals(1000, predictUs(CostModel.of(WireKind.SHM, WireKind.TCP).with(far), WireKind.TCP, row), 100);
        assertEquals(2000, predictUs(CostModel.DEFAULT.with(far), WireKind.VERBS, row), 100);
    }

    @Test
    void shouldPredictWithSegmentsOfTheRun()
    {
        final Calibration.Measured row =
            new Calibration.Measured(Collective.ALLREDUCE, "recursive_doubling", 2, 1L << 20, 1);
        final CostModel shipped = CostModel.of(WireKind.SHM, WireKind.TCP);
        final CostModel far = shipped.with(Map.of("network.latency", 1e6));

        assertTrue(Calibration.predictUs(far, shipped, WireKind.TCP, row, 4) >
            2 * Calibration.predictUs(far, far, WireKind.TCP, row, 4));
    }

    @Test
    void shouldReportPredictionErrors() throws IOException
    {
        final Path file = directory.resolve("measured.csv");
        final Path output = directory.resolve("host.properties");
        final StringBuilder text = new StringBuilder("# a machine\n");
        for (final long bytes : new long[] {4, 65536, 1L << 20})
        {
            for (final int ranks : new int[] {2, 4})
            {
                text.append("allreduce,ring,").append(ranks).append(',').append(bytes).append(',')
                    .append(measured(CostModel.DEFAULT, "ring", ranks, bytes).timeUs()).append('\n');
            }
        }
        Files.writeString(file, text);

        final String out = CommandResult
            .by(new CalibrateCommand(), file.toString(), "--cores", "8", "-o", output.toString())
            .succeeds().out();

        assertTrue(out.contains("# 2 ranks, fitted: error factor 1.0"), out);
        assertTrue(out.contains("# other ranks, predicted: error factor 1."), out);
        assertTrue(CommandResult.by(new CalibrateCommand(), file.toString(), "--check", output.toString())
            .succeeds().out().contains("# predicted: error factor 1.0"));
        assertTrue(CommandResult.by(new CalibrateCommand(), file.toString(), "--check", file.toString())
            .refusal().startsWith("--check=" + file + ": version is missing"));
        assertTrue(CommandResult.by(new CalibrateCommand(), file.toString(), "--check", "f", "--wire", "tcp")
            .refusal().startsWith("--check and --wire exclude each other"));
        final Path both = directory.resolve("both.properties");
        assertTrue(CommandResult.by(new CalibrateCommand(), file.toString(), "--wire", "tcp", "--from",
            output.toString(), "-o", both.toString()).succeeds().out().contains("\nnetwork.send="));
        assertEquals(hostValues(output), hostValues(both));
        assertTrue(CommandResult.by(new CalibrateCommand(), file.toString(), "--from", both.toString())
            .succeeds().out().contains("\nnetwork.send="));
        assertTrue(CommandResult.by(new ExplainCommand(), "allreduce", "64k", "-np", "4", "--model", output.toString())
            .succeeds().out().contains("model " + output));
    }

    /** Hosts may have more ranks than processors over any wire. */
    @Test
    void shouldWriteProcessorsOfTheHostWhenAnotherWireWasMeasured() throws IOException
    {
        final Path file = directory.resolve("tcp.csv");
        final Path base = directory.resolve("shm.model");
        Files.writeString(file, "allreduce,ring,2,4,20\n");
        Files.writeString(base, "version=1\nhost.cores=77\nhost.yield=3\nhost.send=99\n");

        assertEquals(List.of("host.cores=66"), hostLines(file, "--cores", "66"));
        assertEquals(List.of("host.cores=" + Runtime.getRuntime().availableProcessors()), hostLines(file));
        assertEquals(List.of("host.cores=55", "host.yield=2"),
            hostLines(file, "--model", "host.cores=55,host.yield=2"));
        assertEquals(List.of("host.send=99", "host.cores=77", "host.yield=3"),
            hostLines(file, "--from", base.toString()));
        assertEquals(List.of("host.send=99", "host.cores=66", "host.yield=3"),
            hostLines(file, "--from", base.toString(), "--cores", "66"));
    }

    /** Returns the costs within hosts that are written when TCP was measured. */
    private static List<String> hostLines(final Path file, final String... options)
    {
        final List<String> arguments = new ArrayList<>(List.of(file.toString(), "--wire", "tcp"));
        arguments.addAll(List.of(options));
        return CommandResult.by(new CalibrateCommand(), arguments.toArray(String[]::new)).succeeds().out().lines()
            .filter(line -> line.startsWith("host.")).toList();
    }

    @Test
    void shouldRejectMalformedLines() throws IOException
    {
        final Path file = directory.resolve("measured.csv");
        Files.writeString(file, "allreduce,ring,2,4\n");

        assertTrue(CommandResult.by(new CalibrateCommand(), file.toString()).refusal()
            .endsWith("\"allreduce,ring,2,4\": must be collective,algorithm,ranks,bytes,microseconds"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "shm|allreduces,ring,2,4,1|unknown collective \"allreduces\": must be one of allreduce, ",
        "shm|allreduce,rings,2,4,1|unknown algorithm \"rings\" for allreduce: must be one of ring, ",
        "shm|allreduce,ring,1,4,1|ranks=1: must be a whole number, at least 2 and at most 1048576",
        "shm|allreduce,ring,two,4,1|ranks=two: must be a whole number, at least 2 and at most 1048576",
        "shm|allreduce,ring,2,-4,1|bytes=-4: must be a whole number, at least 4",
        "shm|allgather,ring,2,4,1|bytes=4: must be a whole number, at least 8",
        "shm|allreduce,ring,2,4,0|microseconds=0: must be a number greater than 0",
        "shm|allreduce,ring,2,4,-1|microseconds=-1: must be a number greater than 0",
        "shm|allreduce,ring,2,4,NaN|microseconds=NaN: must be a number greater than 0",
        "shm|allreduce,ring,2,4,Infinity|microseconds=Infinity: must be a number greater than 0",
        "shm|allreduce,ring,2,4,fast|microseconds=fast: must be a number greater than 0",
        "tcp|allreduce,direct,2,4,1|algorithm=direct: must be one that ranks of different hosts can use over tcp: "})
    void shouldNameFileLineAndValueWhenALineIsInvalid(final String wire, final String line, final String problem)
        throws IOException
    {
        final Path file = directory.resolve("measured.csv");
        Files.writeString(file, "# a machine\nallreduce,ring,2,4,20\n\n" + line);

        final String message =
            CommandResult.by(new CalibrateCommand(), file.toString(), "--wire", wire, "--cores", "8").refusal();

        assertTrue(message.startsWith(file + ":4: \"" + line + "\": " + problem), message);
    }

    private static List<String> hostValues(final Path file) throws IOException
    {
        return Files.readAllLines(file).stream().filter(line -> line.startsWith("host.s")).toList();
    }

    private static Calibration.Measured measured(
        final CostModel model, final String algorithm, final int ranks, final long bytes)
    {
        final Calibration.Measured row = new Calibration.Measured(Collective.ALLREDUCE, algorithm, ranks, bytes, 1);
        return new Calibration.Measured(
            Collective.ALLREDUCE, algorithm, ranks, bytes, predictUs(model, WireKind.SHM, row));
    }

    /** Predicts a call of a run with shipped parameters. */
    private static double predictUs(final CostModel model, final WireKind wire, final Calibration.Measured row)
    {
        return Calibration.predictUs(model, CostModel.of(WireKind.SHM, wire), wire, row, 4);
    }
}
