/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.agrona.concurrent.UnsafeBuffer;
import org.tutti.rdma.CompletionOpcode;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.WorkCompletion;
import org.tutti.rdma.contract.Node.Completion;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

/** Polls the completion queues of a node and copies the defined fields of each completion. */
final class Completions
{
    private final int max;
    private final UnsafeBuffer buffer;

    Completions(final int max)
    {
        this.max = max;
        buffer = RequestChain.nativeBuffer(max * WorkCompletion.SIZE);
    }

    /** Polls up to a count of completions within a time; the types are those of the node's queue pairs, by number. */
    List<Completion> poll(final CompletionQueue queue, final Map<Integer, QueuePairType> types, final int count,
        final long timeoutMs)
    {
        final List<Completion> polled = new ArrayList<>();
        final WorkCompletion completion = new WorkCompletion();
        final long deadlineNs = System.nanoTime() + MILLISECONDS.toNanos(timeoutMs);
        do
        {
            final int n = queue.poll(buffer.addressOffset(), Math.min(max, count - polled.size()));
            for (int i = 0; i < n; i++)
            {
                polled.add(read(types, completion.wrap(buffer, i * WorkCompletion.SIZE)));
            }
            if (n <= 0)
            {
                LockSupport.parkNanos(10_000);
            }
        }
        while (polled.size() < count && System.nanoTime() - deadlineNs < 0);
        return polled;
    }

    /** The negative errno of a failed poll, else 0. */
    int errno(final CompletionQueue queue)
    {
        return Math.min(0, queue.poll(buffer.addressOffset(), 1));
    }

    private static Completion read(final Map<Integer, QueuePairType> types, final WorkCompletion completion)
    {
        if (!completion.isSuccess())
        {
            return new Completion(completion.wrId(), completion.status(), completion.qpNum(), 0, 0, 0, 0);
        }
        final int opcode = completion.opcode();
        final boolean isReceive = opcode >= CompletionOpcode.RECV;
        // The length is not defined for sends and writes.
        final boolean hasLength = isReceive || opcode >= CompletionOpcode.RDMA_READ;
        final boolean isDatagram = isReceive && types.get(completion.qpNum()) == QueuePairType.UD;
        return new Completion(completion.wrId(), completion.status(), completion.qpNum(), opcode,
            hasLength ? completion.byteLength() : 0, completion.wcFlags(), isReceive ? completion.immData() : 0,
            isDatagram ? completion.srcQp() : 0);
    }
}
