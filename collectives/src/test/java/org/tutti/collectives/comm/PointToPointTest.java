/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.Request;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A send arrives at the named rank. */
@Timeout(60)
class PointToPointTest
{
    private static final int[] COUNTS = {0, 1, 7, 4_096, 4_097, 100_003, (1 << 20) + 1};

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5})
    void shouldPassAroundARing(final int size)
    {
        try (Ranks ranks = new Ranks(size))
        {
            ranks.run(communicator ->
            {
                final int rank = communicator.rank();
                final int left = (rank + size - 1) % size;
                for (final int count : COUNTS)
                {
                    final DataBuffer input = PointToPointCases.filled(communicator, count, rank);
                    final DataBuffer output = communicator.allocate(DataType.INT32, count);
                    final Request received = communicator.irecv(output, left);
                    Request.awaitAll(received, communicator.isend(input, (rank + 1) % size));
                    PointToPointCases.requireFilled(output, left);
                    output.segment().fill((byte)0);
                    communicator.sendrecv(input, (rank + 1) % size, output, left);
                    PointToPointCases.requireFilled(output, left);
                    input.close();
                    output.close();
                }
            });
        }
    }

    /** Also when the peer receives with other forms, and after other sends in between. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4_097, 100_003})
    void shouldSendAndReceiveRepeatedly(final int count)
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final int other = 1 - communicator.rank();
                final DataBuffer input = communicator.allocate(DataType.INT32, count);
                final DataBuffer output = communicator.allocate(DataType.INT32, count);
                try (PersistentRequest sending = communicator.sendInit(input, other);
                    PersistentRequest receiving = communicator.recvInit(output, other))
                {
                    for (int round = 0; round < 20; round++)
                    {
                        PointToPointCases.fill(input, 100 * round + communicator.rank());
                        sending.start();
                        if (round % 3 == 0)
                        {
                            communicator.recv(output, other);
                        }
                        else
                        {
                            receiving.start();
                            receiving.await();
                        }
                        sending.await();
                        PointToPointCases.requireFilled(output, 100 * round + other);
                    }
                    communicator.sendrecv(input, other, output, other);
                    assertThrows(IllegalStateException.class, input::close);
                }
                input.close();
            });
        }
    }

    @Test
    void shouldExchangeDifferentLengths()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final int rank = communicator.rank();
                for (int i = 0; i < COUNTS.length; i++)
                {
                    final int other = COUNTS[COUNTS.length - 1 - i];
                    final DataBuffer input =
                        PointToPointCases.filled(communicator, rank == 0 ? COUNTS[i] : other, rank);
                    final DataBuffer output =
                        communicator.allocate(DataType.INT32, rank == 0 ? other : COUNTS[i]);
                    communicator.sendrecv(input, 1 - rank, output, 1 - rank);
                    PointToPointCases.requireFilled(output, 1 - rank);
                }
            });
        }
    }

    @Test
    void shouldUseTheRanksOfTheCommunicator()
    {
        try (Ranks ranks = new Ranks(5))
        {
            ranks.run(communicator ->
            {
                final Communicator half =
                    communicator.split(communicator.rank() % 2, communicator.size() - communicator.rank());
                final Communicator twin = half.dup();
                if (half.rank() == 0)
                {
                    half.send(new int[] {1}, 1);
                    twin.send(new int[] {2}, 1);
                }
                else if (half.rank() == 1)
                {
                    final int[] got = new int[1];
                    half.recv(got, 0);
                    assertEquals(1, got[0]);
                    twin.recv(got, 0);
                    assertEquals(2, got[0]);
                }
                half.close();
                twin.close();
            });
        }
    }

    @ParameterizedTest
    @CsvSource({"-2, must be from 0 to 1", "2, must be from 0 to 1", "0, must not be this rank"})
    void shouldThrowWhenThePeerIsNotAnotherRank(final int peer, final String expected)
    {
        try (Ranks ranks = new Ranks(2))
        {
            final Communicator communicator = ranks.communicator(0);
            final DataBuffer one = communicator.allocate(DataType.INT32, 1);
            final DataBuffer two = communicator.allocate(DataType.INT32, 1);
            for (final Runnable call : List.<Runnable>of(
                () -> communicator.send(one, peer),
                () -> communicator.recv(one, peer),
                () -> communicator.isend(one, peer),
                () -> communicator.irecv(one, peer),
                () -> communicator.sendrecv(one, peer, two, 1),
                () -> communicator.sendrecv(one, 1, two, peer),
                () -> communicator.send(new int[1], peer),
                () -> communicator.recv(new int[1], peer)))
            {
                final String message = assertThrows(IllegalArgumentException.class, call::run).getMessage();
                assertTrue(message.contains("=" + peer + ": " + expected), message);
            }
            assertThrows(IllegalArgumentException.class, () -> communicator.sendrecv(one, 1, one, 1));
        }
    }
}
