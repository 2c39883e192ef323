/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.wireup;

import org.tutti.rdma.Gid;
import org.tutti.rdma.select.TransportNames;

import java.util.List;

/**
 * Over which of its devices a rank reaches a peer: by shared memory if both are on one host, else by the other one.
 * Depends on nothing but what both have told each other, and both ends come to the same. To be on one host, ranks must
 * call it the same (TUTTI_HOST), and their shared memory must be within reach: in containers either may be without the
 * other. Shared memory that is within reach also serves ranks which call their hosts differently, if they have nothing
 * else.
 */
final class NetDeviceChoice
{
    /** None of them. */
    static final int NONE = -1;

    /** The last bits of a port's GID in shared memory are its own, the others are the host's and the directory's. */
    private static final int SHM_PORT_BITS = 16;

    private NetDeviceChoice()
    {
    }

    /**
     * Chooses.
     *
     * @param own    those of a rank, by device.
     * @param theirs those of a peer, by device.
     * @return the index of the rank's device, or {@link #NONE}.
     */
    static int between(final List<EndpointRecord> own, final List<EndpointRecord> theirs)
    {
        final boolean isOneHost = own.getFirst().host().equals(theirs.getFirst().host());
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
     * Whether all reach one another by shared memory, which no two can tell.
     *
     * @param records records by rank, then by its device.
     * @return the same for all that know the same.
     */
    static boolean isAllShared(final List<List<EndpointRecord>> records)
    {
        final EndpointRecord first = records.getFirst().getFirst();
        return records.stream().map(List::getFirst)
            .allMatch(record -> isShared(record) && reaches(first, record)) &&
            (records.stream().allMatch(each -> each.getFirst().host().equals(first.host())) ||
                records.stream().allMatch(each -> each.size() == 1));
    }

    /** The device of a peer that is of the same transport, or {@link #NONE}. */
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

    /** Whether two ports of one transport may be on one network. */
    static boolean reaches(final EndpointRecord own, final EndpointRecord theirs)
    {
        return isOneNetwork(own.network(), theirs.network()) && (!isShared(own) || isOneMemory(own, theirs));
    }

    /** A type of GIDs that one side cannot tell may be that of the other. */
    private static boolean isOneNetwork(final String network, final String other)
    {
        return network.startsWith(other) || other.startsWith(network);
    }

    private static boolean isOneMemory(final EndpointRecord own, final EndpointRecord theirs)
    {
        final Gid gid = own.gid();
        final Gid other = theirs.gid();
        return gid.high() == other.high() && (gid.low() ^ other.low()) >>> SHM_PORT_BITS == 0;
    }

    private static boolean isShared(final EndpointRecord record)
    {
        return record.transport().equals(TransportNames.SHARED);
    }
}
