/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.Request;
import org.tutti.collectives.exec.StagingBuffer;
import org.tutti.collectives.rma.WindowCases;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Arrays, which are sent in segments through staging buffers. */
@Timeout(60)
class PointToPointArraysTest
{
    @Test
    void shouldSendArraysAndReceiveRegisteredMemory()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final float[] floats = {1, 2, 3};
                final double[] doubles = {4, 5};
                final long[] longs = {6};
                final int[] ints = new int[5_000_000];
                final DataBuffer buffer = communicator.allocate(DataType.INT32, 3);
                if (communicator.rank() == 0)
                {
                    ints[ints.length - 1] = 7;
                    communicator.send(floats, 1);
                    communicator.send(doubles, 1);
                    communicator.send(longs, 1);
                    communicator.send(ints, 1);
                    communicator.send(new int[] {8, 9, 10}, 1);
                    return;
                }
                final float[] gotFloats = new float[3];
                final double[] gotDoubles = new double[2];
                final long[] gotLongs = new long[1];
                communicator.recv(gotFloats, 0);
                communicator.recv(gotDoubles, 0);
                communicator.recv(gotLongs, 0);
                communicator.recv(ints, 0);
                communicator.recv(buffer, 0);
                assertArrayEquals(floats, gotFloats);
                assertArrayEquals(doubles, gotDoubles);
                assertArrayEquals(longs, gotLongs);
                assertEquals(7, ints[ints.length - 1]);
                assertArrayEquals(new int[] {8, 9, 10}, buffer.segment().toArray(JAVA_INT));
            });
        }
    }

    /** Lengths with different numbers of segments in the two directions, and other forms at the peer. */
    @ParameterizedTest
    @CsvSource({"0, 0", "0, 5", "5, 0", "1000, 1000", "5000000, 3", "2097152, 4194305"})
    void shouldExchangeArraysOfDifferentLengths(final int there, final int back)
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final boolean isFirst = communicator.rank() == 0;
                final int other = 1 - communicator.rank();
                final int[] input = new int[isFirst ? there : back];
                final int[] output = new int[isFirst ? back : there];
                Arrays.setAll(input, i -> i * 31 + communicator.rank());
                communicator.sendrecv(input, other, output, other);
                requireAll(output, other);
                Arrays.fill(output, -1);
                final Request pending =
                    isFirst ? communicator.isend(PointToPointCases.filled(communicator, 3, 5), 1) : null;
                if (isFirst)
                {
                    communicator.sendrecv(input, other, output, other);
                    pending.await();
                }
                else
                {
                    communicator.recv(new int[3], 0);
                    final Thread sender = Thread.ofPlatform().start(() -> communicator.send(input, 0));
                    communicator.recv(output, 0);
                    sender.join();
                }
                requireAll(output, other);
                assertThrows(IllegalArgumentException.class, () -> communicator.sendrecv(
                    MemorySegment.ofArray(new int[4]), 5, other, MemorySegment.ofArray(output), 0, other,
                    DataType.INT32));
            });
        }
    }

    private static void requireAll(final int[] output, final int rank)
    {
        final int[] expected = new int[output.length];
        Arrays.setAll(expected, i -> i * 31 + rank);
        assertArrayEquals(expected, output);
    }

    /** A sendrecv sends segments that the peer receives only after it has sent all of its own. */
    @Test
    void shouldExchangeSegmentsWhenThePeerSendsAllBeforeItReceives()
    {
        final int count = (int)(StagingBuffer.MAX_LENGTH / Integer.BYTES * 5 / 2);
        try (Ranks ranks = new Ranks(2, Map.of("TUTTI_TIMEOUT", "10s")))
        {
            ranks.run(communicator ->
            {
                final int[] input = new int[count];
                final int[] output = new int[count];
                Arrays.setAll(input, i -> WindowCases.value(communicator.rank(), i));
                if (communicator.rank() == 0)
                {
                    communicator.sendrecv(input, 1, output, 1);
                }
                else
                {
                    communicator.send(input, 0);
                    communicator.recv(output, 0);
                }
                for (int i = 0; i < count; i++)
                {
                    assertEquals(WindowCases.value(1 - communicator.rank(), i), output[i]);
                }
            });
        }
    }
}
