/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import jdk.jfr.FlightRecorder;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.tutti.collectives.LocalJob;
import picocli.CommandLine.Command;
import picocli.CommandLine;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(120)
class FlightRecordingTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldRecordEveryRankAndPrintPath() throws Exception
    {
        final Path jfr = directory.resolve("new/jfr");
        final PerfConfig config = new Job().config("-e", "8", "-n", "5", "-w", "0");
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        final PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);

        final List<Integer> codes =
            LocalJob.call(2, communicator -> PerfJob.record(config, jfr, communicator, print, false));

        assertEquals(List.of(0, 0), codes);
        for (int rank = 0; rank < 2; rank++)
        {
            assertFalse(RecordingFile.readAllEvents(jfr.resolve("rank-" + rank + ".jfr")).isEmpty());
        }
        final String said = out.toString(StandardCharsets.UTF_8);
        assertTrue(said.contains("# Flight recordings    : " + jfr.resolve("rank-0.jfr")), said);
    }

    @Test
    void shouldNotRecordByDefault() throws Exception
    {
        final PerfConfig config = new Job().config("-e", "8", "-n", "5", "-w", "0");

        LocalJob.call(2, communicator ->
        {
            final PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
            assertEquals(0, PerfJob.record(config, null, communicator, nowhere, false));
            assertEquals(List.of(), FlightRecorder.getFlightRecorder().getRecordings());
            return null;
        });
    }

    @Test
    void shouldRejectFileAsRecordingDirectory() throws IOException
    {
        final Path file = Files.writeString(directory.resolve("file"), "");

        assertTrue(assertThrows(CommandLine.ParameterException.class,
            () -> new Job().config("--jfr", file.toString())).getMessage()
            .startsWith("--jfr=" + file + ": must be a writable directory"));
    }

    /** The command, parsed without the launcher. */
    @Command(name = "allreduce")
    private static final class Job extends PerfJob
    {
        Job()
        {
            super(Operation.ALLREDUCE);
        }

        PerfConfig config(final String... words)
        {
            new CommandLine(this).parseArgs(words);
            return config();
        }
    }
}
