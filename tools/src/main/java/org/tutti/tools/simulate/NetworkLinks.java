/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

import org.tutti.collectives.select.model.CostModel;

/**
 * The directed links of a network, each of which serves one message after another. SIGNALs have no bytes: they overtake
 * messages in transit, as packets of several messages interleave on a link, and delay no message. Not thread-safe.
 */
final class NetworkLinks
{
    /** Maximum number of connections with cached routes; with more, the route of each message is computed again. */
    private static final int MOST_ROUTES = 1 << 19;

    private final Topology topology;
    private final int size;
    private final Route[] routes;
    private final Route found = new Route();
    private final long[] free;
    private final long latency;
    private final long perSwitch;
    private final long gap;
    private final double psPerByte;

    NetworkLinks(final CostModel model, final Topology topology, final int size, final int connections)
    {
        this.topology = topology;
        this.size = size;
        routes = connections <= MOST_ROUTES ? new Route[connections] : null;
        free = new long[topology.links()];
        latency = Costs.ps(model.network().latencyNs());
        perSwitch = Costs.ps(model.switchNs());
        gap = Costs.ps(model.network().gapNs());
        psPerByte = model.network().nsPerByte() * 1000;
    }

    /**
     * Carries a message over its links.
     *
     * @param connection number of the connection.
     * @param from       sending rank.
     * @param distance   distance from the sending to the receiving rank, which is on another host.
     * @param bytes      number of bytes, at least 0.
     * @param posted     time when the message is at the adapter.
     * @return time when the whole message has arrived.
     */
    long carry(final int connection, final int from, final int distance, final long bytes, final long posted)
    {
        final Route route = route(connection, from, distance);
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

    private Route route(final int connection, final int from, final int distance)
    {
        Route route = routes == null ? found : routes[connection];
        if (route == null || route == found)
        {
            route = route == null ? new Route() : route;
            topology.route(from, (int)((from + (long)distance) % size), route);
            if (routes != null)
            {
                routes[connection] = route;
            }
        }
        return route;
    }
}
