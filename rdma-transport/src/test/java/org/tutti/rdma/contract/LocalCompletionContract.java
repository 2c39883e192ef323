/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.contract.Node.Completion;
import org.tutti.rdma.contract.Node.Receive;
import org.tutti.rdma.contract.Node.Region;
import org.tutti.rdma.contract.Node.Send;
import org.tutti.rdma.contract.Node.Shape;

import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Tests queue pairs whose completions need only say that memory may be used again, also where they say more. */
abstract class LocalCompletionContract extends PairContract
{
    private static final int MESSAGES = 200;
    private static final int SLOTS = 4;
    private static final int MAX_LENGTH = 200_000;

    @BeforeEach
    void completeLocally()
    {
        reopen(Shape.DEFAULT.withLocalCompletion(), Shape.DEFAULT.withLocalCompletion());
    }

    @Test
    void shouldReadMemoryBeforeCompletion()
    {
        final long seed = System.nanoTime();
        System.out.println("seed " + seed);
        final Random random = new Random(seed);
        for (int i = 0; i < MESSAGES; i++)
        {
            final int length = random.nextBoolean() ? random.nextInt(MAX_LENGTH) : random.nextInt(300);
            final long place = (long)i % SLOTS * MAX_LENGTH;
            final byte[] message = bytes(length, i);
            a.put(0, message);
            bReceives(Receive.of(i));
            aPosts(Send.writeImm(i, i, bRegion, place, aRegion.sge(0, length)));
            aSends(WorkCompletionStatus.SUCCESS, i);
            a.put(0, new byte[length]);

            assertEquals(i, bReceived(i).imm());
            assertArrayEquals(message, b.get(place, length));
        }
    }

    @Test
    void shouldCompleteInOrderAroundRead()
    {
        final byte[] first = bytes(50_000, 1);
        final byte[] second = bytes(50_000, 2);
        a.put(0, first);
        a.put(100_000, second);
        aPosts(Send.write(1, bRegion, 0, aRegion.sge(0, first.length)),
            Send.read(2, bRegion, 0, aRegion.sge(200_000, first.length)),
            Send.write(3, bRegion, 0, aRegion.sge(100_000, second.length)),
            Send.write(4, bRegion, 100_000, aRegion.sge(0, first.length)).unsignaled(),
            Send.read(5, bRegion, 0, aRegion.sge(300_000, second.length)));

        final List<Completion> completions = a.pollSends(4, SOON_MS);
        assertEquals(List.of(1L, 2L, 3L, 5L), completions.stream().map(Completion::wrId).toList());
        assertEquals(4, completions.stream().filter(Completion::isSuccess).count());
        assertArrayEquals(first, a.get(200_000, first.length));
        assertArrayEquals(second, a.get(300_000, second.length));
    }

    @Test
    void shouldFailAfterRemoteAccessError()
    {
        final Region wrong = new Region(0, bRegion.address(), bRegion.length(), 0, ~bRegion.rkey());
        aPosts(Send.write(1, wrong, 0, aRegion.sge(0, 100_000)));

        final WorkCompletionStatus status = aSent(1).status();
        if (status != WorkCompletionStatus.SUCCESS)
        {
            assertEquals(WorkCompletionStatus.REM_ACCESS_ERR, status);
        }
        assertState(QueuePairState.ERR, a, aQp);
        assertState(QueuePairState.ERR, b, bQp);
    }
}
