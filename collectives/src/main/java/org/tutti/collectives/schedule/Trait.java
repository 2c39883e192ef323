/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.schedule;

/** What holds for every schedule of an {@link Algorithm}, whatever the request. */
public enum Trait
{
    /**
     * Reductions combine the ranks' inputs in the order of ranks, so that operations which do not commute are computed
     * too.
     */
    KEEPS_RANK_ORDER,
    /**
     * All elements are combined in the same order, wherever they are and however many there are, for the same ranks and
     * root: calls that are fused into one leave the same bits as single ones.
     */
    FUSION_SAFE,
    /**
     * Every element is combined in the one way that its collective has for a number of ranks, whatever the count, the
     * root, and what else a request says: neighbours first ({@link org.tutti.collectives.pattern.FoldedRanks}), the
     * same in all collectives but scans. Implies {@link #KEEPS_RANK_ORDER} and {@link #FUSION_SAFE}.
     */
    REPRODUCIBLE,
    /** Schedules depend on which ranks share a host. */
    USES_HOSTS,
    /** Blocks of up to {@link ScheduleRequest#eager} elements are sent before the peer is heard from. */
    USES_EAGER,
    /** Ranks load from a peer's INPUT: the algorithm is chosen only where they can. */
    READS_PEERS
}
