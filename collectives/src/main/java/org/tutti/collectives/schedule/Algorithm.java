/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.schedule;

import java.util.Locale;
import java.util.Set;

/**
 * An algorithm of a collective. Immutable, thread-safe.
 *
 * @param name       name by which users select it: lower case with underscores, such as {@code recursive_doubling}.
 * @param collective collective that it computes.
 * @param generator  generator of its schedules.
 * @param traits     traits of all its schedules.
 */
public record Algorithm(String name, Collective collective, ScheduleGenerator generator, Set<Trait> traits)
{
    /**
     * Generates the schedule of one rank.
     *
     * @param request request of the schedule.
     * @return schedule that matches those of the other ranks; equal for equal requests.
     */
    public Schedule generate(final ScheduleRequest request)
    {
        return generator.generate(request);
    }

    public boolean keepsRankOrder()
    {
        return traits.contains(Trait.KEEPS_RANK_ORDER) || isReproducible();
    }

    public boolean isFusionSafe()
    {
        return traits.contains(Trait.FUSION_SAFE) || isReproducible();
    }

    public boolean isReproducible()
    {
        return traits.contains(Trait.REPRODUCIBLE);
    }

    public boolean usesHosts()
    {
        return traits.contains(Trait.USES_HOSTS);
    }

    public boolean usesEager()
    {
        return traits.contains(Trait.USES_EAGER);
    }

    public boolean readsPeers()
    {
        return traits.contains(Trait.READS_PEERS);
    }

    /**
     * Compares collective and name. Explicit, because a record's generated method takes about 10 ms at the first call.
     */
    @Override
    public boolean equals(final Object other)
    {
        return other instanceof final Algorithm algorithm && collective == algorithm.collective &&
            name.equals(algorithm.name);
    }

    @Override
    public int hashCode()
    {
        return 31 * collective.ordinal() + name.hashCode();
    }

    /** Returns the form that {@code TUTTI_ALGORITHM} uses, such as {@code allreduce:ring}. */
    @Override
    public String toString()
    {
        return collective.name().toLowerCase(Locale.ROOT) + ":" + name;
    }
}
