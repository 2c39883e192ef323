/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

/** The links between hosts. Immutable, thread-safe. */
sealed interface HostNetwork permits FlatNetwork, FatTree
{
    /**
     * The most hosts there can be.
     *
     * @return at least 1.
     */
    long capacity();

    /**
     * The rotation that changes nothing: host h has the same place as host h + period, as seen from all others.
     *
     * @return a number of hosts.
     */
    int period();

    /**
     * The same network, of which only one link is kept for all those that rotations map to each other.
     *
     * @param keptHosts the number of hosts whose own links are kept: all of them, or a multiple of the period.
     * @return what routes between all hosts by the links that are kept.
     */
    HostNetwork folded(int keptHosts);

    /**
     * How many links are kept.
     *
     * @return links are numbered from 0.
     */
    int links();

    /**
     * Finds the way of a message.
     *
     * @param from  a host.
     * @param to    another host.
     * @param route gets the links.
     */
    void route(int from, int to, Route route);
}
