/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

/** The network between hosts. Immutable, thread-safe. */
sealed interface HostNetwork permits FlatNetwork, FatTree
{
    /**
     * Maximum number of hosts.
     *
     * @return number of hosts, at least 1.
     */
    long capacity();

    /**
     * Rotation under which the network is symmetric: hosts h and h + period have equal positions relative to all other
     * hosts.
     *
     * @return number of hosts.
     */
    int period();

    /**
     * This network with one link in place of all those that rotations by {@code keptHosts} hosts map to each other.
     *
     * @param keptHosts number of hosts whose own links are kept: all, which keeps all links, or a multiple of the
     *                  period.
     * @return network that routes between all hosts over the kept links.
     */
    HostNetwork folded(int keptHosts);

    /**
     * Number of kept links.
     *
     * @return number of links, which are numbered from 0.
     */
    int links();

    /**
     * Routes a message.
     *
     * @param from  sending host.
     * @param to    receiving host, other than {@code from}.
     * @param route receives the links.
     */
    void route(int from, int to, Route route);
}
