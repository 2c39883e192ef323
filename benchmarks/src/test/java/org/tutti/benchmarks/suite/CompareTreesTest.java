/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.tutti.launcher.cli.Main;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Tests the script {@code benchmarks/compare-trees}, mostly on trees whose {@code tutti} reports given times.
 */
@Timeout(300)
class CompareTreesTest
{
    private static final Path ROOT = Path.of(System.getProperty("tutti.root"));
    private static final int DEADLINE_S = 120;
    /** Reports the next line of the file times; rows.sed may change the report. */
    private static final String TUTTI = """
        #!/bin/sh
        cd "${0%/*}" || exit
        for last
        do
            :
        done
        if [ "$1" = --version ]
        then
            [ ! -e broken ] || { echo 'A.java: cannot find symbol'; exit 1; }
            exit 0
        fi
        echo "${PWD##*/} $*" >>../calls
        [ ! -e endless ] || exec sleep 1000
        [ ! -e failing ] || { echo 'rank 1 was killed'; exit 9; }
        echo >>runs
        time=$(sed -n "$(wc -l <runs)p" times)
        sed "s/TIME/$time/" report >"$last"
        """;

    @TempDir
    private Path directory;
    private Path before;
    private Path after;

    /** Exit code and output of the script. */
    private record Result(int code, String out, String err)
    {
        /** The columns of the only row after its times. */
        String ratio()
        {
            final List<String> rows = out.lines().filter(line -> !line.startsWith("#")).toList();
            assertEquals(1, rows.size(), out + err);
            return Stream.of(rows.getFirst().split(" +", -1)).skip(9).collect(Collectors.joining(" "));
        }
    }

    @BeforeEach
    void makeTrees() throws IOException
    {
        Files.createDirectory(directory.resolve("tmp"));
        before = makeTree("before", TUTTI);
        after = makeTree("after", TUTTI);
    }

    @Test
    void shouldReportMedianAndConfidenceIntervalOfRatios() throws Exception
    {
        // Ratios from 1.01 to 1.15; of 15, the interval is from the 4th to the 12th.
        times(before, IntStream.of(108, 115, 101, 114, 102, 113, 103, 112, 104, 111, 105, 110, 106, 109, 107));
        times(after, IntStream.generate(() -> 100).limit(15));

        final Result result = compare("-o", directory.resolve("all.csv").toString());

        assertEquals(0, result.code(), result.err());
        assertEquals("1.080 1.040-1.120 faster", result.ratio());
        assertTrue(result.out().contains("values 4 and 12 of 15: coverage 96.5 %"), result.out());
        final List<String> csv = Files.readAllLines(directory.resolve("all.csv"));
        assertTrue(csv.contains("1,before,allreduce,2,8,float,sum,-1,0,108,100,1.080000"), csv.toString());
        assertTrue(csv.contains("2,after,allreduce,2,8,float,sum,-1,0,115,100,1.150000"), csv.toString());
    }

    @Test
    void shouldFailOnlyWhenIntervalIsBelowLimit() throws Exception
    {
        // Of 6 ratios, the interval is from the minimum to the maximum.
        times(before, IntStream.of(960, 950, 940, 930, 920, 969));
        times(after, IntStream.generate(() -> 1000).limit(6));
        final Result slower = compare("--pairs", "6");
        Files.delete(before.resolve("runs"));
        Files.delete(after.resolve("runs"));
        times(before, IntStream.of(960, 950, 940, 930, 920, 970));
        final Result unclear = compare("--pairs", "6");

        assertEquals(1, slower.code(), slower.err());
        assertEquals("0.945 0.920-0.969 slower", slower.ratio());
        assertEquals(0, unclear.code(), unclear.err());
        assertEquals("0.945 0.920-0.970", unclear.ratio());
    }

    @Test
    void shouldGiveNoVerdictWhenPairsAreTooFew() throws Exception
    {
        times(before, IntStream.generate(() -> 50).limit(5));
        times(after, IntStream.generate(() -> 100).limit(5));

        final Result result = compare("--pairs", "5");

        assertEquals(0, result.code(), result.err());
        assertEquals("0.500 0.500-0.500", result.ratio());
        assertTrue(result.out().contains("too few pairs for a 95 % interval"), result.out());
    }

    @Test
    void shouldAlternateWhichTreeRunsFirst() throws Exception
    {
        times(before, IntStream.of(1, 1, 1));
        times(after, IntStream.of(1, 1, 1));

        compare("--pairs", "3");

        assertEquals("before after after before before after", calls().stream()
            .map(line -> line.substring(0, line.indexOf(' '))).collect(Collectors.joining(" ")));
        assertTrue(calls().getFirst().startsWith(
            "before run -np 2 -q --timeout 1h perf allreduce -b 8 -e 8 --json "), calls().getFirst());
    }

    @Test
    void shouldMeasureStandardSetWithTwoAndFourRanks() throws Exception
    {
        times(before, IntStream.generate(() -> 1).limit(10));
        times(after, IntStream.generate(() -> 1).limit(10));

        final Process process = start("--keep-all", "--pairs", "1", before.toString(), after.toString());
        final Result result = end(process);

        assertEquals(0, result.code(), result.err());
        assertEquals(
            Stream.of(2, 4).flatMap(ranks -> Stream.of("allreduce -b 8 -e 4k -f 512", "allreduce -b 1M -e 64M -f 64",
                "broadcast -b 8 -e 8", "reduce -b 8 -e 8", "sendrecv -b 8 -e 8")
                .map(each -> "-np " + ranks + " -q --timeout 1h perf " + each)).toList(),
            calls().stream().filter(line -> line.startsWith("before "))
                .map(line -> line.substring("before run ".length(), line.indexOf(" --json"))).toList());
    }

    @Test
    void shouldCompareFirstTenThousandCallsWhenCold() throws Exception
    {
        final String rows = Stream.of("1,300", "1000,400", "10000,TIME", "30000,600")
            .map(row -> "{ \"size\": 8, \"count\": 2, \"type\": \"float\", \"redop\": \"sum\", \"root\": -1, " +
                "\"calls\": " + row.replace(",", ", \"total_us\": ") + ", \"mean_us\": 1 }")
            .collect(Collectors.joining(",", "{ \"first_calls\": [", "], \"out_of_bounds\": 0 }"));
        Files.writeString(before.resolve("report"), rows);
        Files.writeString(after.resolve("report"), rows);
        times(before, IntStream.of(500));
        times(after, IntStream.of(250));

        final Result result = compare("--cold", "--pairs", "1");

        assertEquals(0, result.code(), result.err());
        assertEquals("2.000 2.000-2.000", result.ratio());
        assertTrue(result.out().contains(" 10000 "), result.out());
        assertTrue(calls().getFirst().contains(" perf allreduce -b 8 -e 8 --cold --json "), calls().getFirst());
    }

    @Test
    void shouldReportWhyTreesCannotBeCompared() throws Exception
    {
        final Result noCheckout = end(start(before.toString(), directory.toString()));
        Files.writeString(after.resolve("broken"), "");
        final Result noBuild = compare();
        Files.delete(after.resolve("broken"));
        times(before, IntStream.of(1));
        times(after, IntStream.of(1));
        Files.writeString(after.resolve("report"),
            Files.readString(after.resolve("report")).replace("\"size\": 8", "\"size\": 16"));
        final Result otherRows = compare();
        Files.writeString(after.resolve("failing"), "");
        final Result noRun = compare();
        final Result noPairs = compare("--pairs", "none");

        assertEquals(2, noCheckout.code());
        assertTrue(noCheckout.err().contains(directory + ": not a checkout of Tutti"), noCheckout.err());
        assertEquals(2, noBuild.code());
        assertTrue(noBuild.err().endsWith("A.java: cannot find symbol\ncompare-trees: " + after +
            ": cannot be built; its output is above\n"), noBuild.err());
        assertEquals(2, otherRows.code());
        assertTrue(otherRows.err().contains("before: 8,float,sum,-1,0\nafter:  16,float,sum,-1,0\n" +
            "compare-trees: the trees measured different rows"), otherRows.err());
        assertEquals(2, noRun.code());
        assertTrue(noRun.err().contains("rank 1 was killed\ncompare-trees: command failed: " + after +
            "/tutti run -np 2"), noRun.err());
        assertEquals(2, noPairs.code());
        assertEquals("compare-trees: --pairs=none: must be a number, from 1 to 999\n", noPairs.err());
        assertNothingIsLeft();
    }

    @Test
    void shouldRemoveTemporaryFilesWhenInterrupted() throws Exception
    {
        Files.writeString(before.resolve("endless"), "");
        final Process process = start("--keep-all", "--ranks", "2", before.toString(), after.toString());
        while (!Files.exists(directory.resolve("calls")))
        {
            assertTrue(process.isAlive(), () -> read("err"));
            Thread.sleep(20);
        }
        final List<ProcessHandle> children = process.descendants().toList();
        // As a terminal does: to all processes of the group.
        assertEquals(0, new ProcessBuilder("kill", "-s", "INT", "--", "-" + process.pid()).start().waitFor());

        assertEquals(130, end(process).code());
        assertFalse(children.isEmpty());
        for (final ProcessHandle child : children)
        {
            child.onExit().get(DEADLINE_S, TimeUnit.SECONDS);
        }
        assertNothingIsLeft();
    }

    @Test
    @Tag("torture")
    void shouldCompareTreeWithItsCopy() throws Exception
    {
        final Path options = directory.resolve("rank.options");
        final String classPath = "-cp \"" + System.getProperty("java.class.path") + "\"\n";
        // With so few calls, ranks compile next to nothing.
        Files.writeString(options,
            Files.readString(ROOT.resolve("jvm.options")) + "-XX:+UseSerialGC\n-Xint\n" + classPath);
        final String tutti = "#!/bin/sh\nexec '" + System.getProperty("java.home") +
            "/bin/java' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 '@" + ROOT.resolve("jvm.options") +
            "' '-Dtutti.rank.options=" + options + "' -cp '" + System.getProperty("java.class.path") +
            "' " + Main.class.getName() + " \"$@\"\n";
        final Path one = makeTree("one", tutti);
        final Path other = makeTree("other", tutti);

        final String pairs = Boolean.getBoolean("tutti.test.torture") ? "2" : "1";
        final Result result = end(start("--keep-all", "--pairs", pairs, "--ranks", "2", one.toString(),
            other.toString(), "--", "allreduce", "-b", "8", "-e", "8", "-n", "20", "-w", "5"));

        assertEquals(0, result.code(), result.err());
        assertTrue(Double.parseDouble(result.ratio().split(" ", -1)[0]) > 0, result.out());
        assertNothingIsLeft();
    }

    private Path makeTree(final String name, final String tutti) throws IOException
    {
        final Path tree = Files.createDirectory(directory.resolve(name));
        Files.writeString(tree.resolve("pom.xml"), "");
        Files.writeString(tree.resolve("tutti"), tutti);
        Files.setPosixFilePermissions(tree.resolve("tutti"), PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(tree.resolve("report"), """
            {
              "results": [
                {
                  "size": 8,
                  "count": 2,
                  "type": "float",
                  "redop": "sum",
                  "root": -1,
                  "out_of_place": {
                    "time_us": TIME
                  },
                  "in_place": {
                    "time_us": 7.0
                  }
                }
              ],
              "out_of_bounds": 0
            }
            """);
        return tree;
    }

    private static void times(final Path tree, final IntStream times) throws IOException
    {
        Files.write(tree.resolve("times"), times.mapToObj(Integer::toString).toList());
    }

    private List<String> calls() throws IOException
    {
        return Files.readAllLines(directory.resolve("calls"));
    }

    /** Runs the script with some options, on one row of two ranks. */
    private Result compare(final String... options) throws Exception
    {
        final List<String> words = new ArrayList<>(List.of("--keep-all", "--ranks", "2"));
        words.addAll(List.of(options));
        words.addAll(List.of(before.toString(), after.toString(), "--", "allreduce", "-b", "8", "-e", "8"));
        return end(start(words.toArray(String[]::new)));
    }

    private Process start(final String... words) throws IOException
    {
        final List<String> command = new ArrayList<>(List.of(
            // A test run under nohup, or in a script's background, would pass on ignored signals.
            "setsid", "env", "--default-signal=HUP,INT,TERM", ROOT.resolve("benchmarks/compare-trees").toString()));
        command.addAll(List.of(words));
        final ProcessBuilder builder = new ProcessBuilder(command).redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(directory.resolve("out").toFile()).redirectError(directory.resolve("err").toFile());
        builder.environment().put("TMPDIR", directory.resolve("tmp").toString());
        return builder.start();
    }

    private Result end(final Process process) throws Exception
    {
        try
        {
            assertTrue(process.waitFor(DEADLINE_S, TimeUnit.SECONDS), () -> "timeout: " + read("err"));
            return new Result(process.exitValue(), read("out"), read("err"));
        }
        finally
        {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private void assertNothingIsLeft() throws IOException
    {
        try (Stream<Path> left = Files.list(directory.resolve("tmp")))
        {
            assertEquals(List.of(), left.toList());
        }
    }

    private String read(final String stream)
    {
        try
        {
            return Files.readString(directory.resolve(stream));
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }
}
