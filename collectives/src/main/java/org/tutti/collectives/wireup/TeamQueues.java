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

/** The queues of a communicator, by network device that it reaches peers over. Not thread-safe. */
final class TeamQueues
{
    private final List<NetDevice> devices;
    /** By device; null where none is needed. */
    private final NetDeviceQueues[] queues;
    private NetDeviceQueues first;
    private CompletionQueue all;

    /**
     * Opens queues.
     *
     * @param devices  devices of the rank.
     * @param isNeeded by index: whether the device is needed.
     * @param ranks    ranks of the communicator.
     * @param parts    gets them.
     */
    TeamQueues(final List<NetDevice> devices, final IntPredicate isNeeded, final int ranks, final ResourceScope parts)
    {
        this.devices = devices;
        queues = new NetDeviceQueues[devices.size()];
        for (int i = 0; i < queues.length; i++)
        {
            queues[i] = isNeeded.test(i) ? parts.add(new NetDeviceQueues(devices.get(i), ranks)) : null;
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

    /** Of a device that peers are reached over. */
    NetDeviceQueues of(final NetDevice device)
    {
        return queues[device.index()];
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

    /** Whether some peers are reached over one device and some over the other. */
    boolean isMixed()
    {
        return all instanceof BothQueues;
    }

    /** What ends the communicator, or null. */
    AsyncEvent pollEvent()
    {
        for (int i = 0; i < queues.length; i++)
        {
            final AsyncEvent event = queues[i] == null ? null : devices.get(i).events().poll();
            if (event != null)
            {
                return event;
            }
        }
        return null;
    }

    /** The names of the devices in use. */
    @Override
    public String toString()
    {
        return NetDevice.text(devices.stream().filter(device -> queues[device.index()] != null).toList());
    }
}
