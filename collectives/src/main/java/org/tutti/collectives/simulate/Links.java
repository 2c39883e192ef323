/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.simulate;

/**
 * The directed links of a network, each of which serves one message after the other. SIGNALs have no bytes: they pass
 * what is under way, as packets of several messages take turns on a link, and hold nothing up. Not thread-safe.
 */
final class Links
{
    private final Topology topology;
    private final Route route = new Route();
    private final long[] free;
    private final long latency;
    private final long perSwitch;
    private final long gap;
    private final double psPerByte;

    Links(final CostModel model, final Topology topology)
    {
        this.topology = topology;
        free = new long[topology.links()];
        latency = Costs.ps(model.network().latencyNs());
        perSwitch = Costs.ps(model.switchNs());
        gap = Costs.ps(model.network().gapNs());
        psPerByte = model.network().nsPerByte() * 1000;
    }

    /**
     * Takes a message through.
     *
     * @param from   rank.
     * @param to     rank on another host.
     * @param bytes  from 0.
     * @param posted when it is at the adapter.
     * @return when all of it has arrived.
     */
    long carry(final int from, final int to, final long bytes, final long posted)
    {
        topology.route(from, to, route);
        if (bytes == 0)
        {
            return posted + latency + route.switches() * perSwitch;
        }
        final long onLink = Math.round(bytes * psPerByte);
        long head = posted;
        for (int i = 0; i < route.length; i++)
        {
            final int link = route.links[i];
            final long begin = Math.max(head, free[link]);
            free[link] = begin + onLink + (i == 0 ? gap : 0);
            head = begin + (i + 1 < route.length ? perSwitch : 0);
        }
        return head + onLink + latency;
    }
}
