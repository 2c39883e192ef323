/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Filters schedules that were seen before: calls whose segments and windows differ, but whose steps are equal, need be
 * proved only once. Steps are compared by a 64-bit hash. Thread-safe.
 */
final class Distinct
{
    private record Key(ScheduleRequest request, long hash)
    {
    }

    private final Set<Key> seen = ConcurrentHashMap.newKeySet();

    /** Returns whether no schedules of the same call with the same steps were seen before. */
    boolean isNew(final List<Schedule> schedules)
    {
        final ScheduleRequest asked = schedules.getFirst().request();
        long hash = 0;
        for (final Schedule schedule : schedules)
        {
            hash = mix(hash, schedule.scratchCount());
            for (int step = 0; step < schedule.stepCount(); step++)
            {
                hash = step(hash, schedule, step);
            }
        }
        return seen.add(new Key(new ScheduleRequest(asked.rank(), asked.size(), asked.count(), asked.root(),
            asked.inPlace(), 1, 1, asked.blocks(), asked.received(), HostMap.one(asked.size()), 0), hash));
    }

    private static long step(final long before, final Schedule schedule, final int step)
    {
        long hash = mix(before, schedule.kind(step).ordinal());
        hash = mix(hash, schedule.peer(step));
        hash = mix(hash, schedule.channel(step));
        hash = mix(hash, schedule.source(step).ordinal());
        hash = mix(hash, schedule.sourceOffset(step));
        hash = mix(hash, schedule.secondSource(step).ordinal());
        hash = mix(hash, schedule.secondSourceOffset(step));
        hash = mix(hash, schedule.destination(step).ordinal());
        hash = mix(hash, schedule.destinationOffset(step));
        hash = mix(hash, schedule.count(step));
        hash = mix(hash, schedule.flag(step) ? 1 : 0);
        for (int i = 0; i < schedule.dependencyCount(step); i++)
        {
            hash = mix(hash, schedule.dependency(step, i));
        }
        return hash;
    }

    /** The finaliser of SplitMix64, which mixes all bits: Steele, Lea and Flood, doi:10.1145/2660193.2660195. */
    private static long mix(final long hash, final long value)
    {
        long mixed = hash + 0x9E3779B97F4A7C15L * (value + 0x632BE59BD9B4E019L);
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}
