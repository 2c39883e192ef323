/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.wireup;

import org.tutti.rdma.select.TransportNames;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Selects the device over which a rank reaches a peer: shared memory if both are on one host, else the other device.
 * Depends only on the exchanged records, so both sides select the same. Ranks are on one host if they have read the
 * same random number in a directory, or have the same {@code TUTTI_HOST}; they use shared memory if they can map the
 * same memory. Ranks of different hosts that can map the same shared memory use it if they have no other device in
 * common.
 */
final class NetDeviceChoice
{
    /** No device. */
    static final int NONE = -1;

    private NetDeviceChoice()
    {
    }

    /**
     * Selects a device.
     *
     * @param own    records of this rank, by device.
     * @param theirs records of the peer, by device.
     * @return index of this rank's device, or {@link #NONE}.
     */
    static int between(final List<EndpointRecord> own, final List<EndpointRecord> theirs)
    {
        final boolean isOneHost = own.getFirst().hostId().equals(theirs.getFirst().hostId());
        int chosen = NONE;
        for (int i = 0; i < own.size(); i++)
        {
            final int counterpart = counterpart(own.get(i), theirs);
            if (counterpart != NONE && reaches(own.get(i), theirs.get(counterpart)) &&
                (chosen == NONE || isOneHost == isShared(own.get(i))))
            {
                chosen = i;
            }
        }
        return chosen;
    }

    /**
     * Returns whether all ranks reach one another through shared memory, which two ranks alone cannot determine.
     *
     * @param records records by rank, then by that rank's device.
     * @return true if all do; the same on all ranks, as they have the same records.
     */
    static boolean isAllShared(final List<List<EndpointRecord>> records)
    {
        final EndpointRecord first = records.getFirst().getFirst();
        return records.stream().map(List::getFirst)
            .allMatch(record -> isShared(record) && reaches(first, record)) &&
            (records.stream().allMatch(each -> each.getFirst().hostId().equals(first.hostId())) ||
                records.stream().allMatch(each -> each.size() == 1));
    }

    /**
     * Returns whether all ranks that share their host with another rank have shared memory.
     *
     * @param records records by rank, then by that rank's device.
     * @return true if all do; the same on all ranks, as they have the same records.
     */
    static boolean isSharedWithinHosts(final List<List<EndpointRecord>> records)
    {
        final Map<String, Long> ranks = records.stream().map(List::getFirst)
            .collect(Collectors.groupingBy(EndpointRecord::hostId, Collectors.counting()));
        return records.stream().map(List::getFirst)
            .allMatch(record -> isShared(record) || ranks.get(record.hostId()) == 1);
    }

    /**
     * Returns whether the ranks of each host can map one another's memory.
     *
     * @param records records by rank, then by that rank's device.
     * @return true if all can; the same on all ranks, as they have the same records.
     */
    static boolean isLoadableWithinHosts(final List<List<EndpointRecord>> records)
    {
        final Map<String, EndpointRecord> firsts = new HashMap<>();
        return records.stream().map(List::getFirst).allMatch((record) ->
        {
            final EndpointRecord first = firsts.putIfAbsent(record.hostId(), record);
            return first == null || (isShared(first) && isShared(record) && reaches(first, record));
        });
    }

    /**
     * Returns the rate of the slowest link between hosts.
     *
     * @param records records by rank, then by that rank's device.
     * @return nominal rate in Mbit/s of those that are known, else 0; the same on all ranks, as they have the same
     *         records.
     */
    static int slowestMbit(final List<List<EndpointRecord>> records)
    {
        return records.stream().map(List::getLast).mapToInt(EndpointRecord::mbit).filter(mbit -> mbit > 0).min()
            .orElse(0);
    }

    /** Returns the index of the peer's device with the same transport, or {@link #NONE}. */
    static int counterpart(final EndpointRecord own, final List<EndpointRecord> theirs)
    {
        for (int i = 0; i < theirs.size(); i++)
        {
            if (theirs.get(i).transport().equals(own.transport()))
            {
                return i;
            }
        }
        return NONE;
    }

    /** Returns whether two ports of one transport may be on one network. */
    static boolean reaches(final EndpointRecord own, final EndpointRecord theirs)
    {
        return isOneNetwork(own.network(), theirs.network()) && (!isShared(own) || isOneMemory(own, theirs));
    }

    /** A GID type that is unknown on one side matches any type of the other. */
    private static boolean isOneNetwork(final String network, final String other)
    {
        return network.startsWith(other) || other.startsWith(network);
    }

    private static boolean isOneMemory(final EndpointRecord own, final EndpointRecord theirs)
    {
        // The first half contains the random number of the directory.
        return own.gid().high() == theirs.gid().high();
    }

    private static boolean isShared(final EndpointRecord record)
    {
        return record.transport().equals(TransportNames.SHARED);
    }
}
