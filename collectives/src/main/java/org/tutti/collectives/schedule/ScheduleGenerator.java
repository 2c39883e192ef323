/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.schedule;

/** An algorithm: a pure function from a request to a schedule. Stateless, thread-safe. */
public interface ScheduleGenerator
{
    /**
     * The name by which users choose it.
     *
     * @return lower case with underscores, such as {@code recursive_doubling}.
     */
    String name();

    /**
     * What it computes.
     *
     * @return the collective.
     */
    Collective collective();

    /**
     * Whether reductions combine the ranks' inputs in the order of ranks, so that operations which do not commute are
     * computed too.
     *
     * @return true only if that holds for every request.
     */
    default boolean keepsRankOrder()
    {
        return false;
    }

    /**
     * Whether every element is combined in the one way that its collective has for so many ranks, whatever the count,
     * the root, and what else a request says: neighbours first ({@link org.tutti.collectives.pattern.FoldedRanks}), the
     * same in all collectives but scans.
     *
     * @return true only if that holds for every request; then the order of ranks is kept too.
     */
    default boolean isReproducible()
    {
        return false;
    }

    /**
     * Whether all elements are combined in the same order, wherever they are and however many there are: then calls
     * that are made as one leave the same bits as single ones.
     *
     * @return true only if that holds for every request of the same ranks and root; whatever is reproducible does so.
     */
    default boolean combinesAlike()
    {
        return isReproducible();
    }

    /**
     * Whether schedules depend on which ranks share a host.
     *
     * @return false if all placements have the same.
     */
    default boolean usesHosts()
    {
        return false;
    }

    /**
     * Whether short blocks are sent before the peer is heard of, where a request says how short.
     *
     * @return false if {@link ScheduleRequest#eager} makes no difference.
     */
    default boolean usesEager()
    {
        return false;
    }

    /**
     * Whether its ranks load one another's memory: only where they can is it chosen.
     *
     * @return true if schedules may have a REDUCE with a peer.
     */
    default boolean readsPeers()
    {
        return false;
    }

    /**
     * Makes the schedule of one rank.
     *
     * @param request whose schedule, and for what.
     * @return equal for equal requests; it matches those of the other ranks.
     */
    Schedule generate(ScheduleRequest request);
}
