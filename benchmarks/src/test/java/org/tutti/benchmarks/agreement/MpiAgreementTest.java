/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.agreement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.LocalJob;

import java.io.DataInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Random calls of all collectives and exchanges of messages with tags, with all types and operations that MPI has too,
 * on 2, 3 and 5 ranks (torture profile: 1 to 8); many are requests that overlap. Tutti's results must agree with those
 * of Open MPI and MPICH.
 */
@Timeout(900)
class MpiAgreementTest
{
    private static final List<String> IMPLEMENTATIONS = List.of("openmpi", "mpich");
    private static final List<Integer> SIZES =
        Boolean.getBoolean("tutti.test.torture") ? List.of(1, 2, 3, 4, 5, 6, 7, 8) : List.of(2, 3, 5);
    /** Number of cases for each number of ranks. */
    private static final int CASES = Integer.getInteger("tutti.test.agreement", 300) / SIZES.size();

    /** Number of calls of which those that are requests overlap. */
    private static final int OVERLAPPING = 6;

    @Test
    void shouldAgreeWithOpenMpiAndMpichOnRandomCalls(@TempDir final Path directory) throws Exception
    {
        final List<String> installed = IMPLEMENTATIONS.stream().filter(MpiProgram::isInstalled).toList();
        for (final String missing : IMPLEMENTATIONS)
        {
            if (!installed.contains(missing))
            {
                System.err.println("MpiAgreementTest skips " + missing + ", which is not installed: run " +
                    "'apt-get install lib" + missing + "-dev'");
            }
        }
        assumeTrue(!installed.isEmpty());
        final long seed = Long.getLong("tutti.test.seed", new Random().nextLong());
        System.err.println(
            "MpiAgreementTest: " + SIZES.size() * CASES + " cases, " + installed + ", -Dtutti.test.seed=" + seed);
        final Random random = new Random(seed);
        final List<MpiProgram> programs = new ArrayList<>();
        for (final String implementation : installed)
        {
            programs.add(MpiProgram.compile(implementation, directory));
        }
        for (final int ranks : SIZES)
        {
            final List<AgreementCase> cases = new ArrayList<>();
            for (int i = 0; i < CASES; i++)
            {
                cases.add(AgreementCase.random(random, ranks));
            }
            final List<List<Path>> others = new ArrayList<>();
            for (final MpiProgram program : programs)
            {
                others.add(program.run(cases, ranks));
            }
            assertEquals(List.of(), differences(cases, ranks, programs, others));
        }
    }

    private static List<String> differences(
        final List<AgreementCase> cases, final int ranks, final List<MpiProgram> programs,
        final List<List<Path>> others) throws Exception
    {
        return LocalJob.call(ranks, communicator -> differences(cases, communicator, programs,
            others.stream().map(outputs -> outputs.get(communicator.rank())).toList()))
            .stream().flatMap(List::stream).toList();
    }

    private static List<String> differences(
        final List<AgreementCase> cases, final Communicator communicator, final List<MpiProgram> programs,
        final List<Path> files) throws IOException
    {
        final List<String> differences = new ArrayList<>();
        final List<DataInputStream> streams = new ArrayList<>();
        try
        {
            for (final Path file : files)
            {
                streams.add(new DataInputStream(Files.newInputStream(file)));
            }
            for (int first = 0; first < cases.size(); first += OVERLAPPING)
            {
                final List<AgreementCase> some =
                    cases.subList(first, Math.min(first + OVERLAPPING, cases.size()));
                final List<TuttiCall> calls = some.stream().map(of -> new TuttiCall(communicator, of)).toList();
                calls.forEach(TuttiCall::start);
                calls.reversed().forEach(TuttiCall::finish);
                for (int i = 0; i < some.size(); i++)
                {
                    compare(some.get(i), calls.get(i).finish(), communicator.rank(), programs, streams, differences);
                }
            }
            for (final DataInputStream stream : streams)
            {
                assertEquals(-1, stream.read(), "MPI has more results than cases were run");
            }
        }
        finally
        {
            for (final DataInputStream stream : streams)
            {
                stream.close();
            }
        }
        return differences;
    }

    private static void compare(
        final AgreementCase of, final MemorySegment own, final int rank, final List<MpiProgram> programs,
        final List<DataInputStream> streams, final List<String> differences) throws IOException
    {
        for (int i = 0; i < streams.size(); i++)
        {
            final MemorySegment other = MemorySegment.ofArray(streams.get(i).readNBytes((int)own.byteSize()));
            final String difference = Agreement.difference(of, rank, own, other);
            if (difference != null && programs.get(i).isRight(of))
            {
                differences.add(of + " on " + of.ranks() + " ranks: " + difference);
            }
        }
    }
}
