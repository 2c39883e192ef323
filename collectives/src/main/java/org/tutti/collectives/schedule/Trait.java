/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.schedule;

/** Properties of all schedules of an {@link Algorithm}. */
public enum Trait
{
    /** Reductions combine the inputs in rank order, so the operation need not commute. */
    KEEPS_RANK_ORDER,
    /**
     * For the same ranks and root, the inputs of every element are combined in the same order, regardless of the
     * element's offset and of the count: fused calls give the same bits as separate ones.
     */
    FUSION_SAFE,
    /**
     * For a given number of ranks, every element is combined in the same order in all collectives except scans,
     * regardless of the count, the root and the rest of the request: neighbours first
     * ({@link org.tutti.collectives.pattern.FoldedRanks}). Implies {@link #KEEPS_RANK_ORDER} and {@link #FUSION_SAFE}.
     */
    REPRODUCIBLE,
    /** Schedules depend on which ranks share a host. */
    USES_HOSTS,
    /** Blocks of up to {@link ScheduleRequest#eager} elements are sent without waiting for the peer. */
    USES_EAGER,
    /**
     * Ranks load from INPUT of their peers; with {@link #USES_HOSTS}, of those on the same host only. Selected only
     * where that memory can be loaded.
     */
    READS_PEERS
}
