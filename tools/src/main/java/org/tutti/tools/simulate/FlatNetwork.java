/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

/**
 * One nonblocking switch: messages contend only for the link from the sending host and the link to the receiving host.
 *
 * @param keptHosts number of hosts whose links are kept.
 */
record FlatNetwork(int keptHosts) implements HostNetwork
{
    @Override
    public long capacity()
    {
        return Integer.MAX_VALUE;
    }

    @Override
    public int period()
    {
        return 1;
    }

    @Override
    public HostNetwork folded(final int hosts)
    {
        return new FlatNetwork(hosts);
    }

    @Override
    public int links()
    {
        return 2 * keptHosts;
    }

    @Override
    public void route(final int from, final int to, final Route route)
    {
        route.clear();
        route.add(0, from, keptHosts);
        route.add(keptHosts, to, keptHosts);
    }

    @Override
    public String toString()
    {
        return "one nonblocking switch";
    }
}
