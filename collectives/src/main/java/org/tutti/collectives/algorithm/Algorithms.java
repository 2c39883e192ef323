/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.ScheduleGenerator;

import java.util.List;
import java.util.Locale;

/** All algorithms there are, by collective and name. */
public final class Algorithms
{
    private static final List<ScheduleGenerator> ALL = List.of(
        new RingAllreduce(),
        new DoubleBinaryTreeAllreduce(),
        new RecursiveDoublingAllreduce(),
        new RabenseifnerAllreduce(),
        new OneShotAllreduce(),
        new TwoShotAllreduce(),
        new DirectAllreduce(),
        new HierarchicalAllreduce(false),
        new HierarchicalAllreduce(true),
        new HierarchicalLeaderAllreduce(),
        new KnomialBroadcast(2),
        new KnomialBroadcast(4),
        new ChainBroadcast(),
        new ScatterAllgatherBroadcast(),
        new DirectBroadcast(),
        new HierarchicalBroadcast(),
        new DisseminationBarrier(),
        new AllPairsBarrier(),
        new HierarchicalBarrier(),
        new RingAllgather(),
        new BruckAllgather(),
        new NeighborExchangeAllgather(),
        new PatAllgather(),
        new AllPairsExchange(Collective.ALLGATHER),
        new HierarchicalAllgather(),
        new RingReduceScatter(),
        new CirculantReduceScatter(),
        new RecursiveHalvingReduceScatter(),
        new PatReduceScatter(),
        new PairwiseReduceScatter(),
        new DirectReduceScatter(),
        new HierarchicalReduceScatter(),
        new KnomialReduce(2),
        new KnomialReduce(4),
        new ChainReduce(),
        new InOrderTreeReduce(),
        new InOrderBinomialReduce(),
        new DirectReduce(),
        new HierarchicalReduce(),
        new BinomialGather(),
        new LinearGather(Collective.GATHER),
        new LinearGather(Collective.GATHERV),
        new BinomialScatter(),
        new LinearScatter(Collective.SCATTER),
        new LinearScatter(Collective.SCATTERV),
        new BruckAlltoall(),
        new PairwiseAlltoall(Collective.ALLTOALL),
        new AllPairsExchange(Collective.ALLTOALL),
        new PairwiseAlltoall(Collective.ALLTOALLV),
        new RecursiveDoublingScan(Collective.SCAN),
        new ChainScan(Collective.SCAN),
        new RecursiveDoublingScan(Collective.EXSCAN),
        new ChainScan(Collective.EXSCAN));

    private Algorithms()
    {
    }

    /**
     * All of them.
     *
     * @return immutable, in the order in which to show them.
     */
    public static List<ScheduleGenerator> all()
    {
        return ALL;
    }

    /**
     * The algorithms of a collective.
     *
     * @param collective which.
     * @return immutable, at least one.
     */
    public static List<ScheduleGenerator> of(final Collective collective)
    {
        return ALL.stream().filter((algorithm) -> algorithm.collective() == collective).toList();
    }

    /**
     * The algorithm of a name.
     *
     * @param collective which computes this.
     * @param name       as {@link ScheduleGenerator#name()}.
     * @return never null.
     * @throws IllegalArgumentException if there is none, with the names there are.
     */
    public static ScheduleGenerator named(final Collective collective, final String name)
    {
        for (final ScheduleGenerator algorithm : ALL)
        {
            if (algorithm.collective() == collective && algorithm.name().equals(name))
            {
                return algorithm;
            }
        }
        throw new IllegalArgumentException(
            "no algorithm \"" + name + "\" for " + collective.name().toLowerCase(Locale.ROOT) +
            ": there are " + String.join(", ", of(collective).stream().map(ScheduleGenerator::name).toList()));
    }
}
