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

/** The queues of a communicator, by network device. Not thread-safe. */
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
     * @param isNeeded whether the device with an index is needed.
     * @param ranks    number of ranks of the communicator.
     * @param resources    scope that owns the queues.
     */
    TeamQueues(
        final List<NetDevice> devices, final IntPredicate isNeeded, final int ranks, final ResourceScope resources)
    {
        this.devices = devices;
        queues = new NetDeviceQueues[devices.size()];
        for (int i = 0; i < queues.length; i++)
        {
            queues[i] = isNeeded.test(i) ? resources.add(new NetDeviceQueues(devices.get(i), ranks)) : null;
        }
        settle();
    }

    /** Closes the queues of unused devices. */
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
        all = used.size() == 1 ? first.queue() : new MergedCompletionQueue(first.queue(), used.getLast().queue());
    }

    /** Returns the open queues, at least one. */
    List<NetDeviceQueues> used()
    {
        return Arrays.stream(queues).filter(Objects::nonNull).toList();
    }

    /** Returns the queues of a device, which must be in use. */
    NetDeviceQueues of(final NetDevice device)
    {
        return queues[device.index()];
    }

    NetDeviceQueues first()
    {
        return first;
    }

    /** Returns the completion queue of all devices in use. */
    CompletionQueue all()
    {
        return all;
    }

    /** Returns whether some peers are reached over one device and some over the other. */
    boolean isMixed()
    {
        return all instanceof MergedCompletionQueue;
    }

    /** Returns whether each poll for completions makes system calls. */
    boolean arePolledBySystemCalls()
    {
        return devices.stream().anyMatch(device ->
            queues[device.index()] != null && device.port().isPolledBySystemCalls());
    }

    /** Returns an asynchronous event that fails the communicator, or null. */
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

    /** Returns the names of the devices in use. */
    @Override
    public String toString()
    {
        return NetDevice.text(devices.stream().filter(device -> queues[device.index()] != null).toList());
    }
}
