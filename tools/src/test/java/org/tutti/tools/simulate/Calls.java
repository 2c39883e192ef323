/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

import org.tutti.collectives.select.model.LinkClass;
import org.tutti.collectives.select.model.CostModel;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.ScheduleRequest;

/** Calls and models for tests. */
final class Calls
{
    static final int ELEMENT = 4;
    /** Posting and receiving cost nothing, so that times consist of alpha and beta only. */
    static final CostModel ALPHA_BETA = new CostModel(
        new LinkClass(0, 0, 1000, 0, 1, false), new LinkClass(0, 0, 1000, 0, 1, false), 0, 0, 0, 0, 0, 4096, 0, 0);

    private Calls()
    {
    }

    static SimulatedCall of(
        final Algorithm algorithm, final int size, final long count, final long segment, final int window)
    {
        final boolean inPlace = algorithm.collective() == Collective.BROADCAST;
        return new SimulatedCall(
            algorithm, (elements) -> new ScheduleRequest(0, size, elements, 0, inPlace, segment, window)
                .withHosts(HostMap.inOrder(size, algorithm.usesHosts() ? size < 5 ? 2 : 4 : size)), count, ELEMENT);
    }

    static SimulatedCall of(
        final Collective collective, final String name, final int size, final long count, final long segment,
        final int window)
    {
        return of(Algorithms.named(collective, name), size, count, segment, window);
    }

    static Simulator simulator(final CostModel model, final String topology, final int size)
    {
        return new Simulator(model, Topology.parse(topology, size), Perturbation.NONE);
    }
}
