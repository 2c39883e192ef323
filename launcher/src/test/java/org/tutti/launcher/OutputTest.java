/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldNeverInterleaveLinesOfRanks()
    {
        final TuttiProcess.Result result = TuttiProcess.run("run", "-q", "-np", "4", "--tag", "awk",
            "BEGIN { line = sprintf(\"%3000s\", \"\"); gsub(/ /, ENVIRON[\"RANK\"], line); " +
            "for (i = 0; i < 500; i++) print line }");

        final List<String> lines = result.outLines();
        assertEquals(4 * 500, lines.size());
        for (int rank = 0; rank < 4; rank++)
        {
            final String line = "[" + rank + "] " + Integer.toString(rank).repeat(3000);
            assertEquals(500, lines.stream().filter(line::equals).count(), "rank=" + rank);
        }
    }

    @Test
    void shouldPassBytesUnchangedAndTerminateLinesThatOthersFollow() throws IOException
    {
        final Path bytes = directory.resolve("bytes");
        final byte[] all = new byte[256 * 1024];
        for (int i = 0; i < all.length; i++)
        {
            all[i] = (byte)((i * 7) >> 3);
        }
        Files.write(bytes, all);
        final Path copies = directory.resolve("copies");

        final TuttiProcess.Result one =
            TuttiProcess.run("run", "-np", "1", "--output-dir", copies.toString(), "cat", bytes.toString());
        final TuttiProcess.Result two = TuttiProcess.run("run", "-np", "2", "printf", "no newline");

        assertEquals(0, one.code(), one.err());
        assertArrayEquals(all, Files.readAllBytes(copies.resolve("rank-0.out")));
        assertEquals("no newline\nno newline", two.out());
    }

    @Test
    void shouldWriteAllRanksToFilesAndShownRanksToConsole() throws IOException
    {
        Files.writeString(directory.resolve("rank-00.out"), "of an earlier job, longer than the new text\n");

        final TuttiProcess.Result result = TuttiProcess.run("run", "-q", "-np", "12",
            "--output-dir", directory.toString(), "--tee", "--show", "10-11,0", "--tag",
            "sh", "-c", "echo out $RANK; echo err $RANK >&2");

        assertEquals(0, result.code(), result.err());
        assertEquals(List.of("[0] out 0", "[10] out 10", "[11] out 11"), result.outLines().stream().sorted().toList());
        assertEquals(List.of("[0] err 0", "[10] err 10", "[11] err 11"), result.err().lines().sorted().toList());
        for (int rank = 0; rank < 12; rank++)
        {
            final String name = "rank-" + (rank < 10 ? "0" : "") + rank;
            assertEquals("out " + rank + "\n", Files.readString(directory.resolve(name + ".out")));
            assertEquals("err " + rank + "\n", Files.readString(directory.resolve(name + ".err")));
        }
    }

    @Test
    void shouldReportLastOutputOfFailedRankThatIsNotShown()
    {
        final TuttiProcess.Result result = TuttiProcess.run("run", "-q", "-np", "2", "--show", "0", "sh", "-c",
            "if [ $RANK = 1 ]; then echo what went wrong >&2; exit 7; fi; exec sleep 60");

        assertEquals(7, result.code());
        assertTrue(result.err().matches(
            """
            tutti: rank 1 on \\S+ \\(pid \\d+\\) failed: exited with code 7
            tutti: its last output:
                what went wrong
            """), result.err());
    }

    @Test
    void shouldReportLastOutputOfOnlyRankUnlessItIsShown()
    {
        final TuttiProcess.Result files = TuttiProcess.run("run", "-q", "-np", "1", "--output-dir",
            directory.toString(), "sh", "-c", "echo what went wrong; exit 7");
        final TuttiProcess.Result both = TuttiProcess.run("run", "-q", "-np", "1", "--output-dir",
            directory.toString(), "--tee", "sh", "-c", "echo what went wrong; exit 7");

        assertTrue(files.err().endsWith("tutti: its last output:\n    what went wrong\n"), files.err());
        assertEquals("what went wrong\n", both.out());
        assertTrue(both.err().endsWith("failed: exited with code 7\n"), both.err());
    }

    @Test
    void shouldGiveStdinToRankZeroOnly() throws IOException
    {
        final Path input = directory.resolve("input");
        Files.writeString(input, "first\nsecond");

        final TuttiProcess.Result read =
            TuttiProcess.runWithInput(input, "run", "-np", "2", "--tag", "sh", "-c", "cat; echo .");
        final TuttiProcess.Result unread =
            TuttiProcess.runWithInput(Path.of("/dev/zero"), "run", "-np", "2", "echo", "done");

        assertEquals(List.of("[0] first", "[0] second.", "[1] ."), read.outLines().stream().sorted().toList());
        assertEquals(List.of("done", "done"), unread.outLines());
    }

    @Test
    void shouldEndJobWhenReaderClosesItsOutput()
    {
        assertEquals("y\n".repeat(3), shell("TUTTI run -np 2 yes 2>&1 | head -n 3"));
        assertEquals("141\n", shell("{ { TUTTI run -np 2 yes; echo $? >&3; } | head -n 1 >/dev/null; } 3>&1"));
    }

    @Test
    void shouldWaitForSlowReader()
    {
        assertEquals("20000\n", shell("TUTTI run -np 1 seq 20000 | { sleep 3; wc -l; }"));
    }

    @Test
    void shouldReportTargetWhenOutputCannotBeWritten() throws IOException
    {
        Files.createSymbolicLink(directory.resolve("rank-1.out"), Path.of("/dev/full"));
        final String reason = ": No space left on device: free space, or ";

        final TuttiProcess.Result files =
            TuttiProcess.run("run", "-q", "-np", "2", "--output-dir", directory.toString(), "yes");

        assertEquals(new TuttiProcess.Result(1, "", "tutti: cannot write the output of rank 1 to " +
            directory.resolve("rank-1.out") + reason + "choose another --output-dir\n"), files);
        assertEquals("tutti: cannot write the output of rank 0 to /dev/full" + reason + "redirect the output\n1\n",
            shell("{ TUTTI run -np 1 sh -c 'echo a' >/dev/full; echo $?; } 2>&1"));
    }

    @Test
    void shouldTerminateLastLinesOfRankOnBothStreams()
    {
        final TuttiProcess.Result result = TuttiProcess.run("run", "-q", "-np", "2", "sh", "-c",
            "sleep $RANK; printf out; printf err >&2");

        assertEquals(new TuttiProcess.Result(0, "out\nout", "err\nerr"), result);
    }

    /** Runs a shell command in which TUTTI is replaced by the launcher's command; returns its stdout. */
    private String shell(final String command)
    {
        final Path output = directory.resolve("shell.out");
        final String line = command.replace("TUTTI", "'" + String.join("' '", TuttiProcess.command()) + "'");
        try
        {
            final Process shell =
                new ProcessBuilder("sh", "-c", line).inheritIO().redirectOutput(output.toFile()).start();
            assertTrue(shell.waitFor(60, TimeUnit.SECONDS), command);
            return Files.readString(output);
        }
        catch (final IOException | InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    @Test
    void shouldNotWaitForOutputOfProcessesThatRanksLeftBehind()
    {
        final TuttiProcess.Result result = TuttiProcess.run(
            "run", "-np", "1", "-x", "TUTTI_LEFT=behind-output", "sh", "-c", "setsid sleep 600 & echo a");

        assertEquals(new TuttiProcess.Result(0, "a\n", ""), result);
        assertEquals(List.of(), TuttiProcess.processesWith("TUTTI_LEFT=behind-output"));
    }
}
