/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.schedule;

import java.util.Locale;
import java.util.Set;

/**
 * One way to do a collective. Immutable, thread-safe.
 *
 * @param name       name by which users choose it: lower case with underscores, such as {@code recursive_doubling}.
 * @param collective collective that it computes.
 * @param generator  makes its schedules.
 * @param traits     traits of all of them.
 */
public record Algorithm(String name, Collective collective, ScheduleGenerator generator, Set<Trait> traits)
{
    /**
     * Makes the schedule of one rank.
     *
     * @param request request of the schedule.
     * @return equal for equal requests; it matches those of the other ranks.
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

    /** By name and collective. Written out, because a record's own takes some 10 ms of a process's first call. */
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

    /** As {@code TUTTI_ALGORITHM} names it, such as {@code allreduce:ring}. */
    @Override
    public String toString()
    {
        return collective.name().toLowerCase(Locale.ROOT) + ":" + name;
    }
}
