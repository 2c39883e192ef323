/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.host;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.tutti.bootstrap.Hosts;

/** Which rank of a job runs on which host. */
public final class RankPlacement
{
    /** How many ranks a job may have. */
    public static final int MAX_RANKS = 1024;

    /**
     * A host of a job.
     *
     * @param name    as the user gave it; this host's own if it is local.
     * @param isLocal whether it is the host that this process is on.
     * @param ranks   that run there, ascending.
     */
    public record Host(String name, boolean isLocal, List<Integer> ranks)
    {
    }

    /** In which order slots are taken. */
    public enum Order
    {
        /** All of a host's, then the next host's. */
        SLOT,
        /** One of each host's in turn. */
        NODE
    }

    private final List<Host> hosts = new ArrayList<>();
    private final int[] hostOf;

    private RankPlacement(final int size)
    {
        hostOf = new int[size];
    }

    /** All ranks on this host. */
    public static RankPlacement local(final int size)
    {
        return of(List.of(new HostSlots(Hosts.local(), size)), size, Order.SLOT);
    }

    /**
     * Gives ranks to slots.
     *
     * @param slots of hosts with different names; the local one is called {@link Hosts#local()}.
     * @param size  how many ranks, at most as many as there are slots. Hosts without one are left out.
     * @param order of the slots.
     */
    public static RankPlacement of(final List<HostSlots> slots, final int size, final Order order)
    {
        final List<List<Integer>> ranks = new ArrayList<>();
        slots.forEach(host -> ranks.add(new ArrayList<>()));
        int next = 0;
        for (int rank = 0; rank < size; rank++)
        {
            while (ranks.get(next).size() == slots.get(next).slots())
            {
                next = (next + 1) % slots.size();
            }
            ranks.get(next).add(rank);
            next = order == Order.NODE ? (next + 1) % slots.size() : next;
        }
        final RankPlacement placement = new RankPlacement(size);
        for (int i = 0; i < slots.size(); i++)
        {
            if (!ranks.get(i).isEmpty())
            {
                final int index = placement.hosts.size();
                ranks.get(i).forEach(rank -> placement.hostOf[rank] = index);
                final String name = slots.get(i).name();
                placement.hosts.add(new Host(name, name.equals(Hosts.local()), List.copyOf(ranks.get(i))));
            }
        }
        return placement;
    }

    /** How many ranks there are. */
    public int size()
    {
        return hostOf.length;
    }

    /** The hosts that have ranks, in the order of the list. */
    public List<Host> hosts()
    {
        return hosts;
    }

    /** The number of a rank's host in {@link #hosts()}. */
    public int hostOf(final int rank)
    {
        return hostOf[rank];
    }

    /** The rank's number among those of its host. */
    public int localRank(final int rank)
    {
        return hosts.get(hostOf[rank]).ranks().indexOf(rank);
    }

    /** How many ranks the rank's host has. */
    public int localSize(final int rank)
    {
        return hosts.get(hostOf[rank]).ranks().size();
    }

    /** Whether this host has ranks. */
    public boolean isLocalUsed()
    {
        return hosts.stream().anyMatch(Host::isLocal);
    }

    /** Whether other hosts than this one have ranks. */
    public boolean isRemoteUsed()
    {
        return hosts.stream().anyMatch(host -> !host.isLocal());
    }

    @Override
    public String toString()
    {
        return hosts + " " + Arrays.toString(hostOf);
    }
}
