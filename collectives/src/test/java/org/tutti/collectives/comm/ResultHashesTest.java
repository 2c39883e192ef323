/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.ReduceOp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Hashes of results that ranks write for comparing two runs. */
class ResultHashesTest
{
    private static final int SIZE = 3;
    private static final int CALLS = 6;

    @TempDir
    private Path directory;

    @Test
    void shouldWriteTheCrc32cOfEachRanksOutput() throws Exception
    {
        try (Ranks ranks = ranks("run", "", false))
        {
            ranks.run(communicator ->
            {
                communicator.barrier();
                final byte[] text = communicator.rank() == 1 ?
                    "123456789".getBytes(StandardCharsets.US_ASCII) : new byte[9];
                try (DataBuffer buffer = communicator.allocate(DataType.UINT8, 9))
                {
                    buffer.segment().copyFrom(MemorySegment.ofArray(text));
                    communicator.broadcast(buffer, 1);
                }
            });
        }
        for (int rank = 0; rank < SIZE; rank++)
        {
            // The check value of this polynomial.
            assertEquals(List.of("0 1 broadcast(9 × uint8, root 1) e3069283"), lines("run", rank));
        }
    }

    @Test
    void shouldWriteNothingWhenARankHasNoOutput() throws Exception
    {
        try (Ranks ranks = ranks("run", "", false))
        {
            ranks.run(communicator ->
            {
                communicator.reduce(new int[] {1}, new int[1], ReduceOp.SUM, 2);
                communicator.split(communicator.rank() % 2, 0).close();
            });
        }
        assertEquals(List.of(), lines("run", 0));
        assertEquals(List.of(), lines("run", 1));
        assertEquals(1, lines("run", 2).size());
    }

    @Test
    void shouldNotHashAnOutputThatExscanLeavesUnchanged() throws Exception
    {
        try (Ranks ranks = ranks("run", "", false))
        {
            ranks.run(communicator -> communicator.exscan(new int[] {1}, new int[1], ReduceOp.SUM));
        }
        assertEquals(List.of(), lines("run", 0));
        assertEquals(1, lines("run", 1).size());
    }

    @Test
    void shouldDistinguishCommunicators() throws Exception
    {
        try (Ranks ranks = ranks("run", "", false))
        {
            ranks.run(communicator ->
            {
                try (Communicator other = communicator.dup())
                {
                    other.allreduce(new int[1], ReduceOp.SUM);
                    communicator.allreduce(new int[1], ReduceOp.SUM);
                }
            });
        }
        assertEquals(List.of("1 0", "0 0"), lines("run", 0).stream().map(line -> line.substring(0, 3)).toList());
    }

    /** Tests all forms of a call. */
    @Test
    void shouldShowTheFirstCallInWhichTwoRunsDiffer() throws Exception
    {
        run("one", "", -1);
        run("same", "allreduce:0-:ring", -1);
        run("other", "", 4);
        for (int rank = 0; rank < SIZE; rank++)
        {
            final List<String> lines = lines("one", rank);
            assertEquals(CALLS, lines.size());
            assertEquals(lines, lines("same", rank));
            final List<String> others = lines("other", rank);
            assertEquals(lines.subList(0, 4), others.subList(0, 4));
            assertNotEquals(lines.get(4), others.get(4));
            assertEquals(lines.get(5), others.get(5));
        }
    }

    private void run(final String name, final String algorithms, final int otherCall)
    {
        try (Ranks ranks = ranks(name, algorithms, true))
        {
            ranks.run(communicator ->
            {
                try (DataBuffer buffer = communicator.allocate(DataType.FLOAT32, 1000))
                {
                    for (int call = 0; call < CALLS; call++)
                    {
                        fill(buffer, new Random(31L * call + communicator.rank()));
                        if (call == otherCall && communicator.rank() == 1)
                        {
                            final float last = buffer.segment().getAtIndex(ValueLayout.JAVA_FLOAT, 999);
                            buffer.segment().setAtIndex(ValueLayout.JAVA_FLOAT, 999, last + 1);
                        }
                        allreduce(communicator, buffer, call % 3);
                    }
                }
            });
        }
    }

    private static void allreduce(final Communicator communicator, final DataBuffer buffer, final int way)
    {
        switch (way)
        {
            case 0 -> communicator.allreduce(buffer, buffer, ReduceOp.SUM);
            case 1 -> communicator.iallreduce(buffer, buffer, ReduceOp.SUM).await();
            default ->
            {
                try (PersistentRequest request = communicator.allreduceInit(buffer, buffer, ReduceOp.SUM))
                {
                    request.run();
                }
            }
        }
    }

    private static void fill(final DataBuffer buffer, final Random random)
    {
        for (int i = 0; i < 1000; i++)
        {
            buffer.segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, random.nextFloat() - 0.5f);
        }
    }

    @Test
    void shouldNotHashGapsBetweenBlocks() throws Exception
    {
        final List<List<String>> runs = new ArrayList<>();
        for (final int gap : new int[] {1, 2})
        {
            final String name = "gap" + gap;
            try (Ranks ranks = ranks(name, "", false))
            {
                ranks.run(communicator ->
                {
                    try (DataBuffer input = communicator.allocate(DataType.INT8, 1);
                        DataBuffer output = communicator.allocate(DataType.INT8, 5))
                    {
                        output.segment().fill((byte)gap);
                        communicator.gatherv(input, output, new long[] {1, 1, 1}, new long[] {0, 2, 4}, 0);
                    }
                });
            }
            runs.add(lines(name, 0));
        }
        assertEquals(1, runs.get(0).size());
        assertEquals(runs.get(0), runs.get(1));
    }

    @Test
    void shouldThrowWhenTheDirectoryDoesNotExist()
    {
        final BootstrapException thrown =
            assertThrows(BootstrapException.class, () -> ranks("nowhere/run", "", false).close());
        assertTrue(thrown.getMessage().contains("TUTTI_RESULT_HASHES=" + directory.resolve("nowhere/run")),
            thrown.getMessage());
    }

    private Ranks ranks(final String name, final String algorithms, final boolean reproducible)
    {
        return new Ranks(SIZE, Map.of("TUTTI_RESULT_HASHES", directory.resolve(name).toString(),
            "TUTTI_ALGORITHM", algorithms, "TUTTI_REPRODUCIBLE", reproducible ? "1" : "0"));
    }

    private List<String> lines(final String name, final int rank) throws Exception
    {
        return Files.readAllLines(directory.resolve(name + '.' + rank));
    }
}
