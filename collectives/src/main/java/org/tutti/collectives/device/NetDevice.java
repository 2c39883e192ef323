/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.device;

import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.select.TransportNames;

import java.util.List;

/**
 * An open port with the resources of its device, through which a rank communicates with peers. A rank has one device,
 * or two: shared memory for peers on its host, and another device for other hosts.
 *
 * @param index  index among the devices of the rank, from 0; registered memory has a pair of keys for each index.
 * @param port   open port.
 * @param events events of the port's device.
 * @param domain protection domain in which the rank's memory is registered.
 */
public record NetDevice(int index, LocalPort port, EventWatch events, ProtectionDomain domain)
{
    /**
     * Creates a reliable queue pair for messages that the peer acts on. A completion need only say that their memory
     * may be used again.
     *
     * @return new queue pair that reports all completions to one completion queue, owned by the caller.
     */
    public QueuePair createMessageQueuePair(
        final CompletionQueue completions, final int sendDepth, final int receiveDepth, final int maxInline)
    {
        return domain.createQueuePair(
            QueuePairInitAttributes.reliable(completions, sendDepth, receiveDepth, 1, maxInline).completedLocally());
    }

    /**
     * Creates a reliable queue pair for access to the peer's memory. A completion says that the peer's memory is
     * written.
     *
     * @return new queue pair that reports all completions to one completion queue, owned by the caller.
     */
    public QueuePair createMemoryQueuePair(
        final CompletionQueue completions, final int sendDepth, final int receiveDepth, final int maxInline)
    {
        return domain.createQueuePair(
            QueuePairInitAttributes.reliable(completions, sendDepth, receiveDepth, 1, maxInline));
    }

    /** Formats several devices: "shm/shm0+verbs/mlx5_0". */
    public static String text(final List<NetDevice> devices)
    {
        return String.join(TransportNames.SEPARATOR, devices.stream().map(NetDevice::toString).toList());
    }

    @Override
    public String toString()
    {
        return port.toString();
    }
}
