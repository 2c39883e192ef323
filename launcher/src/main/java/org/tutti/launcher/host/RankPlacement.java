/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.host;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

import org.tutti.bootstrap.Hosts;

/** The assignment of a job's ranks to hosts. */
public final class RankPlacement
{
    /** The maximum number of ranks of a job. */
    public static final int MAX_RANKS = 1024;

    /**
     * A host of a job.
     *
     * @param name    the name as the user gave it; {@link Hosts#local()} if the host is local.
     * @param isLocal whether the host is that of this process.
     * @param ranks   the ranks that run on the host, ascending.
     */
    public record Host(String name, boolean isLocal, List<Integer> ranks)
    {
    }

    /** The order in which ranks take slots. */
    public enum Order
    {
        /** All slots of a host, then all slots of the next host. */
        SLOT,
        /** One slot of each host in turn, round-robin. */
        NODE
    }

    private final List<HostSlots> slots;
    private final Order order;
    private final List<Host> hosts = new ArrayList<>();
    private final int[] hostOf;

    private RankPlacement(final List<HostSlots> slots, final int size, final Order order)
    {
        this.slots = List.copyOf(slots);
        this.order = order;
        hostOf = new int[size];
    }

    /**
     * Places all ranks on this host.
     *
     * @param size the number of ranks.
     * @return the placement.
     */
    public static RankPlacement local(final int size)
    {
        return of(List.of(new HostSlots(Hosts.local(), size)), size, Order.SLOT);
    }

    /**
     * Places ranks in slots. The placement omits hosts without a rank.
     *
     * @param slots the slots of hosts with distinct names; the local host is named {@link Hosts#local()}.
     * @param size  the number of ranks, at most the number of slots.
     * @param order the order in which ranks take slots.
     * @return the placement.
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
        final RankPlacement placement = new RankPlacement(slots, size, order);
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

    /**
     * Places the same ranks without some of the hosts.
     *
     * @param names the names of the hosts to leave out; at least one host with a slot remains.
     * @return a placement of as many ranks as this one, or as the remaining hosts have slots.
     */
    public RankPlacement without(final Set<String> names)
    {
        final List<HostSlots> left = slots.stream().filter(host -> !names.contains(host.name())).toList();
        return of(left, Math.min(size(), left.stream().mapToInt(HostSlots::slots).sum()), order);
    }

    /**
     * Returns the number of hosts that ranks were placed on, including those that got none.
     *
     * @return the number of hosts, at least 1.
     */
    public int givenHosts()
    {
        return slots.size();
    }

    /**
     * Returns the number of ranks.
     *
     * @return the number of ranks, at least 1.
     */
    public int size()
    {
        return hostOf.length;
    }

    /**
     * Returns the hosts that have ranks.
     *
     * @return the hosts, in the order in which the user gave them.
     */
    public List<Host> hosts()
    {
        return hosts;
    }

    /**
     * Returns the host of a rank.
     *
     * @param rank the rank.
     * @return the index of its host in {@link #hosts()}.
     */
    public int hostOf(final int rank)
    {
        return hostOf[rank];
    }

    /**
     * Returns the index of a rank among the ranks of its host.
     *
     * @param rank the rank.
     * @return the local rank, from 0.
     */
    public int localRank(final int rank)
    {
        return hosts.get(hostOf[rank]).ranks().indexOf(rank);
    }

    /**
     * Returns the number of ranks on the host of a rank.
     *
     * @param rank the rank.
     * @return the number of local ranks, at least 1.
     */
    public int localSize(final int rank)
    {
        return hosts.get(hostOf[rank]).ranks().size();
    }

    /**
     * Returns whether this host has ranks.
     *
     * @return true if this host has at least one rank.
     */
    public boolean isLocalUsed()
    {
        return hosts.stream().anyMatch(Host::isLocal);
    }

    /**
     * Returns whether other hosts have ranks.
     *
     * @return true if at least one other host has a rank.
     */
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
