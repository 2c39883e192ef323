/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select.model;

import org.tutti.collectives.schedule.Algorithm;

import java.util.Map;

/** Table of the closed forms, by collective and name of the algorithm. */
final class TimeForms
{
    private static final Map<String, TimeForm> FORMS = Map.ofEntries(
        Map.entry("allreduce:ring", RingForms::allreduce),
        Map.entry("allreduce:double_binary_tree", TreeForms::doubleBinaryTree),
        Map.entry("allreduce:recursive_doubling", ExchangeForms::recursiveDoubling),
        Map.entry("allreduce:rabenseifner", ExchangeForms::rabenseifner),
        Map.entry("allreduce:one_shot", FanForms::oneShot),
        Map.entry("allreduce:two_shot", FanForms::twoShot),
        Map.entry("allreduce:direct", FanForms::directAllreduce),
        Map.entry("allreduce:hierarchical", HierarchicalForms::allreduce),
        Map.entry("allreduce:hierarchical_ring", HierarchicalForms::ringAllreduce),
        Map.entry("allreduce:hierarchical_direct", HierarchicalForms::directAllreduce),
        Map.entry("allreduce:hierarchical_leader", HierarchicalForms::leaderAllreduce),
        Map.entry("broadcast:binomial", TreeForms::binomialBroadcast),
        Map.entry("broadcast:knomial_4", TreeForms::knomial4Broadcast),
        Map.entry("broadcast:chain", TreeForms::chainBroadcast),
        Map.entry("broadcast:scatter_allgather", FanForms::scatterAllgather),
        Map.entry("broadcast:direct", FanForms::directBroadcast),
        Map.entry("broadcast:hierarchical", HierarchicalForms::broadcast),
        Map.entry("barrier:dissemination", ExchangeForms::dissemination),
        Map.entry("barrier:all_pairs", FanForms::allPairsBarrier),
        Map.entry("barrier:hierarchical", HierarchicalForms::barrier),
        Map.entry("allgather:ring", RingForms::allgather),
        Map.entry("allgather:bruck", ExchangeForms::bruckAllgather),
        Map.entry("allgather:neighbor_exchange", ExchangeForms::neighborExchange),
        Map.entry("allgather:pat", ExchangeForms::patAllgather),
        Map.entry("allgather:all_pairs", FanForms::allPairs),
        Map.entry("allgather:hierarchical", HierarchicalForms::allgather),
        Map.entry("reduce_scatter:ring", RingForms::reduceScatter),
        Map.entry("reduce_scatter:circulant", ExchangeForms::circulant),
        Map.entry("reduce_scatter:recursive_halving", ExchangeForms::recursiveHalving),
        Map.entry("reduce_scatter:pat", ExchangeForms::patReduceScatter),
        Map.entry("reduce_scatter:pairwise", FanForms::pairwiseReduceScatter),
        Map.entry("reduce_scatter:direct", FanForms::directReduceScatter),
        Map.entry("reduce_scatter:hierarchical", HierarchicalForms::reduceScatter),
        Map.entry("reduce:binomial", TreeForms::binomialReduce),
        Map.entry("reduce:knomial_4", TreeForms::knomial4Reduce),
        Map.entry("reduce:chain", TreeForms::chainReduce),
        Map.entry("reduce:in_order_tree", TreeForms::inOrderTreeReduce),
        Map.entry("reduce:in_order_binomial", TreeForms::inOrderBinomialReduce),
        Map.entry("reduce:direct", FanForms::directReduce),
        Map.entry("reduce:hierarchical", HierarchicalForms::reduce),
        Map.entry("gather:binomial", FanForms::binomialGather),
        Map.entry("gather:linear", FanForms::linearGather),
        Map.entry("gather:hierarchical", HierarchicalForms::gather),
        Map.entry("scatter:binomial", FanForms::binomialScatter),
        Map.entry("scatter:linear", FanForms::linearScatter),
        Map.entry("scatter:hierarchical", HierarchicalForms::scatter),
        Map.entry("alltoall:bruck", ExchangeForms::bruckAlltoall),
        Map.entry("alltoall:pairwise", FanForms::pairwiseAlltoall),
        Map.entry("alltoall:all_pairs", FanForms::allPairs),
        Map.entry("alltoall:hierarchical", HierarchicalForms::alltoall),
        Map.entry("scan:recursive_doubling", ExchangeForms::recursiveDoublingScan),
        Map.entry("scan:chain", TreeForms::chainScan),
        Map.entry("scan:hierarchical", HierarchicalForms::scan),
        Map.entry("exscan:recursive_doubling", ExchangeForms::recursiveDoublingScan),
        Map.entry("exscan:chain", TreeForms::chainExscan),
        Map.entry("exscan:hierarchical", HierarchicalForms::exscan));

    private TimeForms()
    {
    }

    /** Form of an algorithm, or null if it has none: the model does not choose it then. */
    static TimeForm of(final Algorithm algorithm)
    {
        return FORMS.get(algorithm.toString());
    }
}
