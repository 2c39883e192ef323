/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.device;

import org.tutti.collectives.util.ResourceScope;
import org.tutti.rdma.CompletionChannel;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Errno;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.RdmaException;

import java.util.ArrayList;
import java.util.List;

/**
 * The queues of a communicator on one device: a completion queue with its channel, and queue pairs. Not thread-safe.
 */
public final class NetDeviceQueues implements AutoCloseable
{
    private final NetDevice device;
    private final int peers;
    private final QueueSizes sizes;
    private final ResourceScope parts = new ResourceScope();
    private final CompletionChannel channel;
    private final CompletionQueue queue;
    private QueuePair spare;
    private int count;

    /**
     * Creates the completion queue: sized for a few connections if the device can resize completion queues, else for
     * connections to all other ranks.
     *
     * @param device device of the rank.
     * @param ranks  number of ranks of the communicator.
     */
    public NetDeviceQueues(final NetDevice device, final int ranks)
    {
        this.device = device;
        peers = ranks - 1;
        sizes = QueueSizes.of(ranks, device.port().limits(), device.toString());
        channel = parts.add(device.port().context().createCompletionChannel());
        try
        {
            queue = createCompletionQueue();
        }
        catch (final RuntimeException | Error e)
        {
            channel.close();
            throw e;
        }
    }

    public QueueSizes sizes()
    {
        return sizes;
    }

    public CompletionChannel channel()
    {
        return channel;
    }

    public CompletionQueue queue()
    {
        return queue;
    }

    private CompletionQueue createCompletionQueue()
    {
        final int first = Math.min(sizes.connections(), QueueSizes.FIRST_CONNECTIONS);
        final CompletionQueue small = device.port().context().createCompletionQueue(sizes.completions(first), channel);
        if (first == sizes.connections())
        {
            return parts.add(small);
        }
        try
        {
            small.resize(sizes.completions(first + 1));
            return parts.add(small);
        }
        catch (final RdmaException cannotGrow)
        {
            small.close();
            return parts.add(
                device.port().context().createCompletionQueue(sizes.completions(sizes.connections()), channel));
        }
    }

    /**
     * Determines the maximum inline size of queue pairs, which no verb reports: halves the size until creation
     * succeeds. The queue pair created here is used for the first connection.
     *
     * @param requested inline size to try first, in bytes.
     * @return the largest inline size that the device accepts, at most the requested one.
     */
    public int findMaxInline(final int requested)
    {
        final int limit = device.port().limits().maxInlineData;
        int maxInline = limit > 0 ? Math.min(requested, limit) : requested;
        RdmaException first = null;
        while (spare == null)
        {
            try
            {
                spare = parts.add(createQueuePair(maxInline));
            }
            catch (final RdmaException e)
            {
                first = first == null ? e : first;
                if (maxInline == 0)
                {
                    throw first;
                }
                maxInline /= 2;
            }
        }
        return Math.min(maxInline, spare.capabilities().maxInlineData());
    }

    /**
     * Creates a queue pair, and resizes the completion queue if necessary.
     *
     * @param maxInline maximum inline size in bytes.
     * @return queue pair, owned by this object.
     * @throws RdmaException if the device supports no further connection.
     */
    public QueuePair open(final int maxInline)
    {
        if (count == sizes.connections())
        {
            throw new RdmaException(Errno.ENOMEM, "ibv_create_qp", "connections to more than " +
                sizes.connections() + " of " + peers + " peers are needed, " + device +
                " supports no more connections: start fewer ranks, or choose another algorithm by TUTTI_ALGORITHM");
        }
        final int needed = sizes.completions(count + 1);
        if (needed > queue.capacity())
        {
            queue.resize(sizes.completions(Math.min(2 * count, sizes.connections())));
        }
        final QueuePair qp = spare == null ? parts.add(createQueuePair(maxInline)) : spare;
        spare = null;
        count++;
        return qp;
    }

    private QueuePair createQueuePair(final int inline)
    {
        return device.createMessageQueuePair(queue, sizes.send(), sizes.receive(), inline);
    }

    /** Frees everything. Idempotent. */
    @Override
    public void close()
    {
        final List<Exception> problems = new ArrayList<>();
        parts.close(problems);
        if (!problems.isEmpty())
        {
            final IllegalStateException failure = new IllegalStateException("cannot free the queues of " + device);
            problems.forEach(failure::addSuppressed);
            throw failure;
        }
    }
}
