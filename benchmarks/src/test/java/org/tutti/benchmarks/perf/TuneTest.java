/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.tutti.collectives.select.AlgorithmSelector;
import org.tutti.collectives.select.TuningTable;
import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Isolated("changes a system property")
@Timeout(120)
class TuneTest
{
    private static final int RANKS = 3;

    @TempDir
    private Path directory;

    @AfterEach
    void forgetTheChoice()
    {
        System.clearProperty("tutti.algorithm");
    }

    /** Each length asks for one algorithm, of each of the collectives that have several. */
    @Test
    void shouldMeasureEveryAlgorithmAtEverySize()
    {
        final TunePlan plan = TunePlan.of(Operation.collectives(), RANKS, new SizeSweep(16, 1 << 20, 0, 16));

        final AlgorithmSelector selector = AlgorithmSelector.of(plan.overrides());

        assertTrue(plan.operations().contains(Operation.ALLREDUCE) && !plan.operations().contains(Operation.BARRIER));
        for (final TunePlan.Case aCase : plan.cases())
        {
            for (int i = 0; i < aCase.algorithms().size(); i++)
            {
                assertEquals(aCase.algorithms().get(i), selector.choose(TunePlan.collective(aCase.operation()), RANKS,
                    aCase.counts().get(i) * TunePlan.ELEMENT).algorithm().name());
            }
        }
    }

    @Test
    void shouldMakeBandsOfTheFastestThatMeetHalfWay()
    {
        final TunePlan plan = TunePlan.of(List.of(Operation.SCAN, Operation.EXSCAN), 4, new SizeSweep(64, 4096, 0, 4));
        final List<double[]> times = List.of(
            new double[] {1, 2}, new double[] {1.04, 1}, new double[] {3, 2}, new double[] {9, 2},
            new double[] {Double.POSITIVE_INFINITY, 9}, new double[] {1, 9}, new double[] {1, 9},
            new double[] {1, 0.96});
        final TuneResult result = new TuneResult(plan, times);

        assertArrayEquals(new int[] {0, 0, 1, 1, 1, 0, 0, 0}, result.choices());
        assertEquals(List.of("scan 4 0-512 recursive_doubling", "scan 4 512- chain", "exscan 4 0-128 chain",
            "exscan 4 128- recursive_doubling"), result.lines(4));
        TuningTable.of("t", result.lines(4));
    }

    @Test
    void shouldMeasureOnAllRanksAlike() throws Exception
    {
        final TunePlan plan = TunePlan.of(
            List.of(Operation.ALLREDUCE, Operation.BROADCAST, Operation.ALLGATHER), RANKS,
            new SizeSweep(64, 65536, 0, 32));
        System.setProperty("tutti.algorithm", plan.overrides());

        final List<TuneResult> results =
            Ranks.run(RANKS, communicator -> new TuneRun(plan, communicator, 1, 1).run());

        final List<double[]> times = results.getFirst().timesUs();
        assertEquals(plan.cases().size(), times.size());
        assertTrue(times.stream().flatMapToDouble(Arrays::stream).allMatch(us -> us > 0 && us < 1e9));
        for (final TuneResult result : results)
        {
            assertEquals(results.getFirst().lines(RANKS), result.lines(RANKS));
        }
    }

    @Test
    void shouldRefuseWhatItCannotDoBeforeItStarts() throws IOException
    {
        final Path table = directory.resolve("t.tuning");
        Files.writeString(table, "allreduce 4\n");

        assertRefused(1, "-np=1: must be at least 2, as in tutti run -np 4 tune -o x", "-o", "x");
        assertRefused(2, "no collective \"ring\" can be tuned: there are allreduce, broadcast, ", "ring", "-o", "x");
        assertRefused(2, "-f=1: must be at least 2", "-f", "1", "-o", "x");
        assertRefused(2, "--output: " + table + ":1: \"allreduce 4\" must be collective ranks range algorithm, " +
            "such as allreduce 4 0-8k one_shot; mend the file, or remove it to begin anew", "-o", table.toString());
        assertRefused(2, "--output=" + directory + ": must be a file, in a directory that can be written",
            "-o", directory.toString());
    }

    private static void assertRefused(final int size, final String problem, final String... args)
    {
        final TuneCommand command = new TuneCommand();
        new CommandLine(command).setErr(new PrintWriter(new StringWriter())).parseArgs(args);

        final String message =
            assertThrows(CommandLine.ParameterException.class, () -> command.check(size)).getMessage();

        assertTrue(message.startsWith(problem), message);
    }
}
