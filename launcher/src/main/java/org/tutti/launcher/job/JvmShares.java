/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

import org.tutti.launcher.host.RankPlacement;
import org.tutti.launcher.io.Console;
import org.tutti.launcher.rank.JvmShare;

/** Reports how the memory and cores of hosts are divided between the JVMs of ranks. Stateless. */
final class JvmShares
{
    /**
     * What the ranks of a host share.
     *
     * @param cores       the number of cores.
     * @param heapPercent the maximum of all heaps together, as a percentage of the memory.
     */
    record Shared(int cores, int heapPercent)
    {
    }

    private JvmShares()
    {
    }

    /**
     * Prints the shares, once for hosts where they are the same.
     *
     * @param placement the ranks of each host.
     * @param sharedOf  what the ranks share on the host with an index in the placement.
     * @param console   the console.
     */
    static void print(final RankPlacement placement, final IntFunction<Shared> sharedOf, final Console console)
    {
        final Map<String, List<String>> hosts = new LinkedHashMap<>();
        for (int i = 0; i < placement.hosts().size(); i++)
        {
            final RankPlacement.Host host = placement.hosts().get(i);
            final int size = host.ranks().size();
            final Shared shared = sharedOf.apply(i);
            final int cores = shared.cores();
            if (size > 1)
            {
                hosts.computeIfAbsent(size + " JVMs on " + cores + (cores == 1 ? " core" : " cores") +
                    ", each with a " + JvmShare.of(size, cores, shared.heapPercent()), share -> new ArrayList<>())
                    .add(host.name());
            }
        }
        hosts.forEach((share, names) -> console.say("tutti: " + String.join(", ", names) + ": " + share));
    }
}
