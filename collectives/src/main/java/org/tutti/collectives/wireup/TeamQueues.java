/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.wireup;

import org.tutti.collectives.device.NetDevice;
import org.tutti.collectives.device.NetDeviceQueues;
import org.tutti.collectives.util.ResourceScope;
import org.tutti.rdma.AsyncEvent;
import org.tutti.rdma.CompletionQueue;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;

/** What a communicator has on each rail by which it reaches peers. Not thread-safe. */
final class TeamQueues
{
    private final List<NetDevice> rails;
    /** By rail; null where none is needed. */
    private final NetDeviceQueues[] queues;
    private NetDeviceQueues first;
    private CompletionQueue all;

    /**
     * Opens queues.
     *
     * @param rails    of the rank.
     * @param isNeeded by index, of which of them.
     * @param ranks    of the communicator.
     * @param parts    gets them.
     */
    TeamQueues(final List<NetDevice> rails, final IntPredicate isNeeded, final int ranks, final ResourceScope parts)
    {
        this.rails = rails;
        queues = new NetDeviceQueues[rails.size()];
        for (int i = 0; i < queues.length; i++)
        {
            queues[i] = isNeeded.test(i) ? parts.add(new NetDeviceQueues(rails.get(i), ranks)) : null;
        }
        settle();
    }

    /** Closes those that turn out to be of no use. */
    void keep(final IntPredicate isUsed)
    {
        for (int i = 0; i < queues.length; i++)
        {
            if (queues[i] != null && !isUsed.test(i))
            {
                queues[i].close();
                queues[i] = null;
            }
        }
        settle();
    }

    private void settle()
    {
        final List<NetDeviceQueues> used = used();
        first = used.getFirst();
        all = used.size() == 1 ? first.queue() : new BothQueues(first.queue(), used.getLast().queue());
    }

    /** Those that there are, at least one. */
    List<NetDeviceQueues> used()
    {
        return Arrays.stream(queues).filter(Objects::nonNull).toList();
    }

    /** Of a rail by which there are peers. */
    NetDeviceQueues of(final NetDevice rail)
    {
        return queues[rail.index()];
    }

    NetDeviceQueues first()
    {
        return first;
    }

    /** In which everything completes. */
    CompletionQueue all()
    {
        return all;
    }

    /** Whether some peers are reached by one rail and some by the other. */
    boolean isMixed()
    {
        return all instanceof BothQueues;
    }

    /** What ends the communicator, or null. */
    AsyncEvent pollEvent()
    {
        for (int i = 0; i < queues.length; i++)
        {
            final AsyncEvent event = queues[i] == null ? null : rails.get(i).events().poll();
            if (event != null)
            {
                return event;
            }
        }
        return null;
    }

    /** The rails, as people call them. */
    @Override
    public String toString()
    {
        return NetDevice.text(rails.stream().filter(rail -> queues[rail.index()] != null).toList());
    }
}
