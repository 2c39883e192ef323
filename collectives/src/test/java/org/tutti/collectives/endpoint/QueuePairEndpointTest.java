/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.endpoint;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.comm.Ranks;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.WorkCompletion;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;

class QueuePairEndpointTest
{
    /** The number of ordinals that fit into a wr_id. */
    private static final long ORDINALS = 1L << 40;
    private static final Map<String, String> BY_REQUESTS = Map.of("TUTTI_DIRECT", "0");

    @Test
    void shouldContinueWhenOrdinalsWrapInWorkRequestIds()
    {
        try (Ranks ranks = Ranks.of(List.of(BY_REQUESTS, BY_REQUESTS)))
        {
            ranks.run(Communicator::barrier);
            ranks.team(0).connections()[1].byQueuePair().sender().startAt(ORDINALS - 100);
            ranks.team(1).connections()[0].byQueuePair().sender().startAt(3 * ORDINALS - 1);

            ranks.run(communicator ->
            {
                final DataBuffer buffer = communicator.allocate(DataType.INT32, 10_000);
                for (int i = 0; i < 300; i++)
                {
                    communicator.withTimeout(Duration.ofSeconds(20)).barrier();
                    communicator.withTimeout(Duration.ofSeconds(20)).allreduce(buffer, ReduceOp.MAX);
                }
            });
        }
    }

    @Test
    void shouldPostMessagesInOrderWhenTheChainIsFullOrFlushed()
    {
        try (Ranks ranks = Ranks.of(List.of(BY_REQUESTS, BY_REQUESTS)))
        {
            ranks.run(Communicator::barrier);
            final Endpoint endpoint = ranks.team(0).connections()[1].endpoint();
            final CompletionQueue queue = ranks.team(1).completionQueue();
            immediates(queue);

            for (int i = 0; i < 7; i++)
            {
                endpoint.signal(i, 0);
            }
            assertEquals(List.of(), immediates(queue));
            endpoint.signal(7, 0);
            assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7), immediates(queue));
            endpoint.signal(8, 0);
            endpoint.signal(9, 0);
            assertEquals(List.of(), immediates(queue));
            endpoint.flush();
            assertEquals(List.of(8, 9), immediates(queue));
            endpoint.flush();
            assertEquals(List.of(), immediates(queue));
        }
    }

    /** Returns the messages that have arrived: in shared memory all that were posted. */
    private static List<Integer> immediates(final CompletionQueue queue)
    {
        final UnsafeBuffer memory = new UnsafeBuffer(BufferUtil.allocateDirectAligned(WorkCompletion.SIZE, 64));
        final WorkCompletion completion = new WorkCompletion();
        final List<Integer> arrived = new ArrayList<>();
        while (queue.poll(memory.addressOffset(), 1) == 1)
        {
            arrived.add(completion.wrap(memory, 0).immData());
        }
        return arrived;
    }
}
