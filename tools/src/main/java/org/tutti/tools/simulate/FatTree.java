/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

/**
 * A fat tree of switches with equal numbers of ports: of two levels, or of three if there are more hosts than two
 * levels can connect. Leiserson, <i>Fat-Trees: Universal Networks for Hardware-Efficient Supercomputing</i>, IEEE
 * Transactions on Computers C-34(10), 1985, doi:10.1109/TC.1985.6312192; folded from equal switches by Al-Fares,
 * Loukissas and Vahdat, <i>A Scalable, Commodity Data Center Network Architecture</i>, SIGCOMM 2008,
 * doi:10.1145/1402946.1402967.
 * <p>
 * An edge switch has {@code down} links to hosts and {@code up} uplinks; {@code down / up} is the oversubscription.
 * With three levels, a pod has half as many edge switches as a switch has ports. The destination selects the upward
 * links of a message, so that paths to one host join in one top-level switch, and paths to the hosts of an edge switch
 * are spread over its links: D-mod-K routing, Zahavi, <i>Fat-Tree Routing and Node Ordering Providing Contention Free
 * Traffic for MPI Global Collectives</i>, Journal of Parallel and Distributed Computing 72(11), 2012,
 * doi:10.1016/j.jpdc.2012.01.018.
 */
final class FatTree implements HostNetwork
{
    private final int ports;
    private final int down;
    private final int up;
    private final boolean hasPods;
    private final int keptHosts;
    private final int edges;
    private final int pods;

    private FatTree(final int ports, final int up, final boolean hasPods, final int keptHosts)
    {
        this.ports = ports;
        this.up = up;
        this.down = ports - up;
        this.hasPods = hasPods;
        this.keptHosts = keptHosts;
        edges = Math.ceilDiv(keptHosts, down);
        pods = Math.ceilDiv(edges, ports / 2);
    }

    /**
     * Creates the smallest fat tree for a number of hosts.
     *
     * @param ports            even number of ports of each switch, from 4 to 1024.
     * @param oversubscription hosts per uplink of an edge switch, at least 1.
     * @param hosts            number of hosts.
     * @return the fat tree.
     * @throws IllegalArgumentException naming the value and its limits.
     */
    static FatTree of(final int ports, final double oversubscription, final int hosts)
    {
        if (ports < 4 || ports > 1024 || ports % 2 != 0)
        {
            throw new IllegalArgumentException("fat-tree:" + ports + ": switches must have an even number of ports " +
                "from 4 to 1024");
        }
        if (!(oversubscription >= 1 && oversubscription <= ports - 1))
        {
            throw new IllegalArgumentException("fat-tree:" + ports + "," + oversubscription +
                ": the oversubscription must be from 1 to " + (ports - 1));
        }
        final int up = Math.clamp(Math.round(ports / (1 + oversubscription)), 1, ports / 2);
        final boolean hasPods = hosts > (long)(ports - up) * ports;
        return new FatTree(ports, up, hasPods, hosts);
    }

    @Override
    public long capacity()
    {
        return (long)down * ports * (hasPods ? ports / 2 : 1);
    }

    @Override
    public int period()
    {
        return hasPods ? down * (ports / 2) : down;
    }

    @Override
    public HostNetwork folded(final int hosts)
    {
        return new FatTree(ports, up, hasPods, hosts);
    }

    @Override
    public int links()
    {
        return 2 * keptHosts + 2 * edges * up + (hasPods ? 2 * pods * up * (ports / 2) : 0);
    }

    @Override
    public void route(final int from, final int to, final Route route)
    {
        route.clear();
        route.add(0, from, keptHosts);
        final int fromEdge = from / down;
        final int toEdge = to / down;
        if (fromEdge != toEdge)
        {
            final int lane = to % down % up;
            final int edgeLinks = edges * up;
            route.add(2 * keptHosts, fromEdge * up + lane, edgeLinks);
            final int half = ports / 2;
            if (hasPods && fromEdge / half != toEdge / half)
            {
                final int core = lane * half + toEdge % half;
                final int podLinks = pods * up * half;
                final int base = 2 * keptHosts + 2 * edgeLinks;
                route.add(base, fromEdge / half * up * half + core, podLinks);
                route.add(base + podLinks, toEdge / half * up * half + core, podLinks);
            }
            route.add(2 * keptHosts + edgeLinks, toEdge * up + lane, edgeLinks);
        }
        route.add(keptHosts, to, keptHosts);
    }

    @Override
    public String toString()
    {
        return "a fat tree of " + (hasPods ? "three" : "two") + " levels of switches with " + ports + " ports, " +
            down + " hosts and " + up + " uplinks each";
    }
}
