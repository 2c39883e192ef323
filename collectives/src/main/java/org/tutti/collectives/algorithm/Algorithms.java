/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.Trait;

import java.util.List;
import java.util.Locale;
import java.util.Set;

import static org.tutti.collectives.schedule.Collective.ALLGATHER;
import static org.tutti.collectives.schedule.Collective.ALLREDUCE;
import static org.tutti.collectives.schedule.Collective.ALLTOALL;
import static org.tutti.collectives.schedule.Collective.ALLTOALLV;
import static org.tutti.collectives.schedule.Collective.BARRIER;
import static org.tutti.collectives.schedule.Collective.BROADCAST;
import static org.tutti.collectives.schedule.Collective.EXSCAN;
import static org.tutti.collectives.schedule.Collective.GATHER;
import static org.tutti.collectives.schedule.Collective.GATHERV;
import static org.tutti.collectives.schedule.Collective.REDUCE;
import static org.tutti.collectives.schedule.Collective.REDUCE_SCATTER;
import static org.tutti.collectives.schedule.Collective.SCAN;
import static org.tutti.collectives.schedule.Collective.SCATTER;
import static org.tutti.collectives.schedule.Collective.SCATTERV;
import static org.tutti.collectives.schedule.Trait.FUSION_SAFE;
import static org.tutti.collectives.schedule.Trait.KEEPS_RANK_ORDER;
import static org.tutti.collectives.schedule.Trait.READS_PEERS;
import static org.tutti.collectives.schedule.Trait.REPRODUCIBLE;
import static org.tutti.collectives.schedule.Trait.USES_EAGER;
import static org.tutti.collectives.schedule.Trait.USES_HOSTS;

/**
 * Table of all algorithms: collective, name, generator, traits. Every algorithm supports any number of ranks and any
 * count. A reduction that does not keep rank order requires a commutative operation.
 */
public final class Algorithms
{
    private static final List<Algorithm> ALL = List.of(
        row(ALLREDUCE, "ring", new RingAllreduce()),
        row(ALLREDUCE, "double_binary_tree", new DoubleBinaryTreeAllreduce()),
        row(ALLREDUCE, "recursive_doubling", new RecursiveDoublingAllreduce(), REPRODUCIBLE),
        row(ALLREDUCE, "rabenseifner", new RabenseifnerAllreduce(), REPRODUCIBLE),
        row(ALLREDUCE, "one_shot", new OneShotAllreduce(), KEEPS_RANK_ORDER, FUSION_SAFE),
        row(ALLREDUCE, "two_shot", new TwoShotAllreduce(), KEEPS_RANK_ORDER, FUSION_SAFE),
        row(ALLREDUCE, "direct", new DirectAllreduce(), READS_PEERS),
        row(ALLREDUCE, "hierarchical", new HierarchicalAllreduce(false, false), USES_HOSTS, FUSION_SAFE),
        row(ALLREDUCE, "hierarchical_ring", new HierarchicalAllreduce(true, false), USES_HOSTS),
        row(ALLREDUCE, "hierarchical_direct", new HierarchicalAllreduce(false, true), USES_HOSTS, READS_PEERS),
        row(ALLREDUCE, "hierarchical_leader", new HierarchicalLeaderAllreduce(), USES_HOSTS, FUSION_SAFE),

        row(BROADCAST, "binomial", new KnomialBroadcast(2)),
        row(BROADCAST, "knomial_4", new KnomialBroadcast(4)),
        row(BROADCAST, "chain", new ChainBroadcast()),
        row(BROADCAST, "scatter_allgather", new ScatterAllgatherBroadcast()),
        row(BROADCAST, "direct", new DirectBroadcast(), READS_PEERS),
        row(BROADCAST, "hierarchical", new HierarchicalBroadcast(), USES_HOSTS),

        row(BARRIER, "dissemination", new DisseminationBarrier()),
        row(BARRIER, "all_pairs", new AllPairsBarrier()),
        row(BARRIER, "hierarchical", new HierarchicalBarrier(), USES_HOSTS),

        row(ALLGATHER, "ring", new RingAllgather()),
        row(ALLGATHER, "bruck", new BruckAllgather()),
        row(ALLGATHER, "neighbor_exchange", new NeighborExchangeAllgather()),
        row(ALLGATHER, "pat", new PatAllgather()),
        row(ALLGATHER, "all_pairs", new AllPairsExchange(ALLGATHER)),
        row(ALLGATHER, "hierarchical", new HierarchicalAllgather(), USES_HOSTS),

        row(REDUCE_SCATTER, "ring", new RingReduceScatter()),
        row(REDUCE_SCATTER, "circulant", new CirculantReduceScatter()),
        row(REDUCE_SCATTER, "recursive_halving", new RecursiveHalvingReduceScatter(), REPRODUCIBLE),
        row(REDUCE_SCATTER, "pat", new PatReduceScatter()),
        row(REDUCE_SCATTER, "pairwise", new PairwiseReduceScatter(), REPRODUCIBLE),
        row(REDUCE_SCATTER, "direct", new DirectReduceScatter(), READS_PEERS),
        row(REDUCE_SCATTER, "hierarchical", new HierarchicalReduceScatter(), USES_HOSTS),

        row(REDUCE, "binomial", new KnomialReduce(2)),
        row(REDUCE, "knomial_4", new KnomialReduce(4)),
        row(REDUCE, "chain", new ChainReduce()),
        row(REDUCE, "in_order_tree", new InOrderTreeReduce(), KEEPS_RANK_ORDER),
        row(REDUCE, "in_order_binomial", new InOrderBinomialReduce(), REPRODUCIBLE),
        row(REDUCE, "direct", new DirectReduce(), READS_PEERS),
        row(REDUCE, "hierarchical", new HierarchicalReduce(), USES_HOSTS),

        row(GATHER, "binomial", new BinomialGather()),
        row(GATHER, "linear", new LinearGather(GATHER), USES_EAGER),
        row(GATHER, "hierarchical", new HierarchicalGather(), USES_HOSTS),
        row(GATHERV, "linear", new LinearGather(GATHERV), USES_EAGER),

        row(SCATTER, "binomial", new BinomialScatter()),
        row(SCATTER, "linear", new LinearScatter(SCATTER), USES_EAGER),
        row(SCATTER, "hierarchical", new HierarchicalScatter(), USES_HOSTS),
        row(SCATTERV, "linear", new LinearScatter(SCATTERV), USES_EAGER),

        row(ALLTOALL, "bruck", new BruckAlltoall()),
        row(ALLTOALL, "pairwise", new PairwiseAlltoall(ALLTOALL), USES_EAGER),
        row(ALLTOALL, "all_pairs", new AllPairsExchange(ALLTOALL)),
        row(ALLTOALL, "hierarchical", new HierarchicalAlltoall(), USES_HOSTS),
        row(ALLTOALLV, "pairwise", new PairwiseAlltoall(ALLTOALLV), USES_EAGER),

        row(SCAN, "recursive_doubling", new RecursiveDoublingScan(SCAN), REPRODUCIBLE),
        row(SCAN, "chain", new ChainScan(SCAN), KEEPS_RANK_ORDER),
        row(SCAN, "hierarchical", new HierarchicalScan(SCAN), KEEPS_RANK_ORDER, USES_HOSTS),
        row(EXSCAN, "recursive_doubling", new RecursiveDoublingScan(EXSCAN), REPRODUCIBLE),
        row(EXSCAN, "chain", new ChainScan(EXSCAN), KEEPS_RANK_ORDER),
        row(EXSCAN, "hierarchical", new HierarchicalScan(EXSCAN), KEEPS_RANK_ORDER, USES_HOSTS));

    private Algorithms()
    {
    }

    /**
     * Returns all algorithms.
     *
     * @return immutable list in display order.
     */
    public static List<Algorithm> all()
    {
        return ALL;
    }

    /**
     * Returns the algorithms of a collective.
     *
     * @param collective the collective.
     * @return immutable list of at least one algorithm.
     */
    public static List<Algorithm> of(final Collective collective)
    {
        return ALL.stream().filter((algorithm) -> algorithm.collective() == collective).toList();
    }

    /**
     * Returns the algorithm with a given name.
     *
     * @param collective collective that the algorithm computes.
     * @param name       name of the algorithm, as in {@link Algorithm#name()}.
     * @return the algorithm, never null.
     * @throws IllegalArgumentException if there is none; the message lists the names that exist.
     */
    public static Algorithm named(final Collective collective, final String name)
    {
        for (final Algorithm algorithm : ALL)
        {
            if (algorithm.collective() == collective && algorithm.name().equals(name))
            {
                return algorithm;
            }
        }
        throw new IllegalArgumentException(
            "unknown algorithm \"" + name + "\" for " + collective.name().toLowerCase(Locale.ROOT) +
            ": must be one of " + String.join(", ", of(collective).stream().map(Algorithm::name).toList()));
    }

    private static Algorithm row(
        final Collective collective, final String name, final ScheduleGenerator generator, final Trait... traits)
    {
        return new Algorithm(name, collective, generator, Set.of(traits));
    }
}
