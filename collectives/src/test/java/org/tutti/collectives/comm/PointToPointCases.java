/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.Request;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Point-to-point cases for any transport. */
final class PointToPointCases
{
    private PointToPointCases()
    {
    }

    /** Sends of random lengths between all pairs, begun and awaited in any order, with collectives in between. */
    static void callAtRandom(final Communicator communicator, final long seed)
    {
        final int rank = communicator.rank();
        final int rounds = 12;
        final Random order = new Random(seed + rank);
        final List<Integer> calls = new ArrayList<>();
        for (int peer = 0; peer < communicator.size(); peer++)
        {
            calls.addAll(Collections.nCopies(peer == rank ? rounds : 2 * rounds, peer));
        }
        Collections.shuffle(calls, order);
        final int[] sent = new int[communicator.size()];
        final int[] received = new int[communicator.size()];
        final List<Request> requests = new ArrayList<>();
        final List<Runnable> checks = new ArrayList<>();
        int collectives = 0;
        for (final int peer : calls)
        {
            if (peer == rank)
            {
                final DataBuffer sum = communicator.allocate(DataType.INT32, 1);
                sum.segment().set(JAVA_INT, 0, rank);
                if (collectives++ % 2 == 0)
                {
                    requests.add(communicator.iallreduce(sum, ReduceOp.SUM));
                }
                else
                {
                    communicator.allreduce(sum, ReduceOp.SUM);
                }
                checks.add(() -> assertEquals(
                    communicator.size() * (communicator.size() - 1) / 2, sum.segment().get(JAVA_INT, 0)));
            }
            else if (received[peer] == rounds || (sent[peer] < rounds && order.nextBoolean()))
            {
                final int number = sent[peer]++;
                requests.add(communicator.isend(filled(
                    communicator, count(seed, rank, peer, number), number + 100 * rank), peer));
            }
            else
            {
                final int number = received[peer]++;
                final DataBuffer output =
                    communicator.allocate(DataType.INT32, count(seed, peer, rank, number));
                requests.add(communicator.irecv(output, peer));
                checks.add(() -> requireFilled(output, number + 100 * peer));
            }
        }
        Collections.shuffle(requests, order);
        requests.forEach(Request::await);
        checks.forEach(Runnable::run);
    }

    private static int count(final long seed, final int from, final int to, final int number)
    {
        final Random random = new Random(seed * 31 + from * 1_000L + to * 100L + number);
        return random.nextInt(1 << random.nextInt(18));
    }

    static DataBuffer filled(final Communicator communicator, final long count, final int value)
    {
        final DataBuffer buffer = communicator.allocate(DataType.INT32, count);
        fill(buffer, value);
        return buffer;
    }

    static void fill(final DataBuffer buffer, final int value)
    {
        for (long i = 0; i < buffer.count(); i++)
        {
            buffer.segment().setAtIndex(JAVA_INT, i, (int)i * 31 + value);
        }
    }

    static void requireFilled(final DataBuffer buffer, final int value)
    {
        for (long i = 0; i < buffer.count(); i++)
        {
            if (buffer.segment().getAtIndex(JAVA_INT, i) != (int)i * 31 + value)
            {
                assertEquals((int)i * 31 + value, buffer.segment().getAtIndex(JAVA_INT, i), "element " + i);
            }
        }
    }
}
