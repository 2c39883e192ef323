/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft;

import org.agrona.UnsafeApi;
import org.agrona.collections.ArrayUtil;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.Errno;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.soft.segment.ControlLayout;
import org.tutti.rdma.soft.segment.ControlMemory;
import org.tutti.rdma.soft.segment.QueuePairEntry;
import org.tutti.rdma.spi.Parents;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/** The queue pairs, completion queues and shared receive queues of a context, with deferred work. Thread-safe. */
final class QueuePairs
{
    private static final int PER_PAGE = 4096 / QueuePairEntry.SIZE;

    private final ControlMemory memory;
    /** Replaced on each change. Arrays, as waiting ranks iterate over them often, and an iterator is an object. */
    private volatile SoftCompletionQueue[] completionQueues = {};
    private volatile SoftSharedReceiveQueue[] sharedQueues = {};
    /** Held while queue pairs are stopped or created; never acquired with a posting lock held. */
    private final Object stopping = new Object();
    private volatile SoftQueuePair[] table = new SoftQueuePair[PER_PAGE];
    private int lastIndex;

    QueuePairs(final ControlMemory memory)
    {
        this.memory = memory;
        UnsafeApi.putInt(memory.address() + ControlLayout.QP_LIMIT_OFFSET, PER_PAGE);
    }

    /**
     * Finds a queue pair by number.
     *
     * @param qpNum queue pair number.
     * @return the queue pair, or null if there is none.
     */
    SoftQueuePair find(final int qpNum)
    {
        final SoftQueuePair[] all = table;
        final int index = ControlLayout.localIndex(qpNum);
        return index < all.length ? all[index] : null;
    }

    SoftQueuePair create(
        final SoftProtectionDomain domain, final QueuePairInitAttributes attributes, final Parents parents)
    {
        synchronized (stopping)
        {
            return add(domain, attributes, parents);
        }
    }

    private synchronized SoftQueuePair add(
        final SoftProtectionDomain domain, final QueuePairInitAttributes attributes, final Parents parents)
    {
        final int index = freeIndex();
        final SoftQueuePair queuePair = new SoftQueuePair(domain, attributes, index, parents);
        final SoftQueuePair[] next = table.clone();
        next[index] = queuePair;
        table = next;
        lastIndex = index;
        return queuePair;
    }

    /**
     * Searches from the last index assigned, so that the number of a closed queue pair is not reused for a while: late
     * requests to it find no queue pair.
     */
    private int freeIndex()
    {
        final int limit = table.length;
        for (int i = 1; i <= limit; i++)
        {
            final int index = (lastIndex + i) % limit;
            // Entry 0 is reserved so that no number is 0.
            if (index != 0 && table[index] == null)
            {
                return index;
            }
        }
        grow();
        return limit;
    }

    private void grow()
    {
        final int limit = table.length;
        if (limit == ControlLayout.MAX_QPS)
        {
            throw new RdmaException(Errno.ENOMEM, "ibv_create_qp", (limit - 1) +
                " queue pairs are open, the maximum of a context; close some, or open another context");
        }
        memory.reserve(ControlLayout.QP_TABLE_OFFSET + (long)limit * QueuePairEntry.SIZE, 4096, "ibv_create_qp");
        table = Arrays.copyOf(table, limit + PER_PAGE);
        UnsafeApi.putIntVolatile(null, memory.address() + ControlLayout.QP_LIMIT_OFFSET, limit + PER_PAGE);
    }

    synchronized void remove(final SoftQueuePair queuePair)
    {
        final SoftQueuePair[] next = table.clone();
        next[ControlLayout.localIndex(queuePair.qpNum())] = null;
        table = next;
    }

    synchronized void add(final SoftCompletionQueue queue)
    {
        completionQueues = ArrayUtil.add(completionQueues, queue);
    }

    synchronized void remove(final SoftCompletionQueue queue)
    {
        completionQueues = ArrayUtil.remove(completionQueues, queue);
    }

    boolean owns(final SoftCompletionQueue queue)
    {
        return Arrays.asList(completionQueues).contains(queue);
    }

    SoftCompletionQueue completionQueue(final int number)
    {
        for (final SoftCompletionQueue queue : completionQueues)
        {
            if (queue.number() == number)
            {
                return queue;
            }
        }
        return null;
    }

    synchronized void add(final SoftSharedReceiveQueue queue)
    {
        sharedQueues = ArrayUtil.add(sharedQueues, queue);
    }

    synchronized void remove(final SoftSharedReceiveQueue queue)
    {
        sharedQueues = ArrayUtil.remove(sharedQueues, queue);
    }

    boolean owns(final SoftSharedReceiveQueue queue)
    {
        return Arrays.asList(sharedQueues).contains(queue);
    }

    SoftSharedReceiveQueue sharedQueue(final int number)
    {
        for (final SoftSharedReceiveQueue queue : sharedQueues)
        {
            if (queue.number() == number)
            {
                return queue;
            }
        }
        return null;
    }

    /**
     * Runs a change while no thread, local or remote, executes on the selected queue pairs.
     *
     * @param which  selects the queue pairs.
     * @param verb   verb named in errors.
     * @param change change to run.
     * @throws RdmaException with ETIMEDOUT if a peer does not release a queue pair; nothing is changed then.
     */
    void whileStopped(final Predicate<SoftQueuePair> which, final String verb, final Runnable change)
    {
        synchronized (stopping)
        {
            final List<SoftQueuePair> all =
                Arrays.stream(table).filter(Objects::nonNull).filter(which).toList();
            final List<SoftQueuePair> stopped = new ArrayList<>();
            // The posting locks come first: a thread that holds one may wait for a guard.
            all.forEach(SoftQueuePair::lockPosting);
            try
            {
                for (final SoftQueuePair queuePair : all)
                {
                    queuePair.local().acquireGuard(verb);
                    stopped.add(queuePair);
                }
                change.run();
            }
            finally
            {
                stopped.forEach(queuePair -> queuePair.local().releaseGuard());
                all.forEach(SoftQueuePair::unlockPosting);
            }
        }
    }

    /** Waits until all threads that were executing on a queue pair when the call began have finished. */
    void pass(final int key)
    {
        for (final SoftQueuePair queuePair : table)
        {
            if (queuePair != null)
            {
                queuePair.pass(key);
            }
        }
    }

    /**
     * Flushes the receives that are left in queue pairs in the error state.
     *
     * @return delay until the next call, in nanoseconds; {@link Long#MAX_VALUE} if nothing is left.
     */
    long flushReceives()
    {
        long pauseNs = Long.MAX_VALUE;
        for (final SoftQueuePair queuePair : table)
        {
            if (queuePair != null)
            {
                pauseNs = Math.min(pauseNs, queuePair.flushReceives());
            }
        }
        return pauseNs;
    }

    /** Handles overruns and limit events that peers recorded and that only the owner of the queues can handle. */
    void attend()
    {
        handleOverruns();
        for (final SoftSharedReceiveQueue queue : sharedQueues)
        {
            queue.raiseLimitEvent();
        }
    }

    /** Moves the queue pairs of overrun completion queues to the error state. */
    void handleOverruns()
    {
        for (final SoftCompletionQueue queue : completionQueues)
        {
            if (queue.takeOverrun())
            {
                for (final SoftQueuePair queuePair : table)
                {
                    if (queuePair != null && queuePair.uses(queue))
                    {
                        queuePair.sendQueue().fail(AsyncEventType.QP_FATAL);
                    }
                }
            }
        }
    }
}
