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
 * One of the ways by which a rank reaches others: a port, and what was opened on its device. A rank has one, or that of
 * shared memory, by which it reaches the ranks of its host, and then one to other hosts.
 *
 * @param index  among the rank's, from 0: also that of the keys of its memory.
 * @param port   open.
 * @param events events of its device.
 * @param domain protection domain of its memory.
 */
public record NetDevice(int index, LocalPort port, EventWatch events, ProtectionDomain domain)
{
    /** Makes a reliable queue pair, whose requests all complete in one queue; owned by the caller. */
    public QueuePair createQueuePair(
        final CompletionQueue completions, final int sendDepth, final int receiveDepth, final int maxInline)
    {
        return domain.createQueuePair(
            QueuePairInitAttributes.reliable(completions, sendDepth, receiveDepth, 1, maxInline));
    }

    /** What people call several: "shm/shm0+verbs/mlx5_0". */
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
