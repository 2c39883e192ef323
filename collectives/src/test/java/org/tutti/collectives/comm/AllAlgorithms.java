/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataType;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.config.EngineConfiguration;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.select.AlgorithmSelector;
import org.tutti.collectives.select.OperandOrder;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Checks every algorithm but those that read peers' memory, on one communicator: each is selected for its own range of
 * lengths, short and long, so that ranks need not reconnect for each. A collective without lengths (a barrier, and
 * calls with counts known only to two ranks) uses its last algorithm; its first is the default.
 */
final class AllAlgorithms
{
    private static final long SHORT_STEP_BYTES = 64;
    private static final long LONG_BYTES = 32 << 10;
    private static final long LONG_STEP_BYTES = 1 << 10;

    private AllAlgorithms()
    {
    }

    /** Settings for {@link #check} with fewer than eight ranks; the caller may add to them. */
    static Map<String, String> settings(final String transport)
    {
        final List<String> entries = new ArrayList<>();
        for (final Collective collective : Collective.values())
        {
            final List<Algorithm> algorithms = of(collective);
            for (int i = 0; i < algorithms.size(); i++)
            {
                final String name = algorithms.get(i).name();
                if (hasLengths(collective))
                {
                    entries.add(entry(collective, i * SHORT_STEP_BYTES, SHORT_STEP_BYTES, name));
                    entries.add(entry(collective, LONG_BYTES + i * LONG_STEP_BYTES, LONG_STEP_BYTES, name));
                }
                else if (i == algorithms.size() - 1)
                {
                    entries.add(nameOf(collective) + ":0-:" + name);
                }
            }
        }
        // The minimum, so that long messages are split into segments.
        return new HashMap<>(Map.of(
            "TUTTI_TRANSPORT", transport, "TUTTI_SCRATCH", "64K", "TUTTI_ALGORITHM", String.join(";", entries)));
    }

    private static String entry(
        final Collective collective, final long bytes, final long step, final String algorithm)
    {
        return nameOf(collective) + ":" + bytes + "-" + (bytes + step) + ":" + algorithm;
    }

    private static String nameOf(final Collective collective)
    {
        return collective.name().toLowerCase(Locale.ROOT);
    }

    private static List<Algorithm> of(final Collective collective)
    {
        return Algorithms.of(collective).stream().filter(algorithm -> !algorithm.readsPeers()).toList();
    }

    private static boolean hasLengths(final Collective collective)
    {
        return collective != Collective.BARRIER && !collective.hasLocalCounts();
    }

    /**
     * Makes the calls, in place and not, with blocks of equal and of different lengths.
     *
     * @param ranks    ranks to run on.
     * @param settings settings of all ranks, with which the communicator was created.
     */
    static void check(final Ranks ranks, final Map<String, String> settings)
    {
        check(ranks, settings, true);
    }

    /**
     * As above, with long messages, which are split into segments.
     *
     * @param ranks    ranks to run on.
     * @param settings settings of all ranks, with which the communicator was created.
     * @param isWhole  whether to send short messages, too, and to make each call in place and not, rather than one with
     *                 every other algorithm.
     */
    static void check(final Ranks ranks, final Map<String, String> settings, final boolean isWhole)
    {
        final AlgorithmSelector selector = EngineConfiguration.of(settings).selector().withoutPeerAccess();
        ranks.run(communicator ->
        {
            for (final Collective collective : Collective.values())
            {
                final List<Algorithm> algorithms = of(collective);
                for (int i = hasLengths(collective) ? 0 : algorithms.size() - 1; i < algorithms.size(); i++)
                {
                    for (int length = isWhole ? 0 : 1; length < 2; length++)
                    {
                        final long bytes = length == 0 ? i * SHORT_STEP_BYTES : LONG_BYTES + i * LONG_STEP_BYTES;
                        final long count = count(communicator, collective, bytes);
                        assertEquals(algorithms.get(i), selector.algorithm(
                            collective, ranks.team(communicator.rank()).hosts(),
                            hasLengths(collective) ? count * elementBytes(collective) : 0, OperandOrder.ANY));
                        if (isWhole)
                        {
                            EveryAlgorithmTest.check(communicator, collective, count);
                        }
                        else
                        {
                            EveryAlgorithmTest.check(communicator, collective, count, i % 2 == 1);
                        }
                        checkUneven(communicator, collective, count);
                    }
                }
            }
        });
    }

    /** Number of elements (per rank, for collectives with blocks) of slightly more than a number of bytes. */
    private static long count(final Communicator communicator, final Collective collective, final long bytes)
    {
        final int step = collective.hasBlocks() ? communicator.size() : 1;
        return (bytes / (step * elementBytes(collective)) + 1) * step;
    }

    /** Size of the elements that {@link EveryAlgorithmTest#check} uses. */
    private static long elementBytes(final Collective collective)
    {
        return (collective == Collective.ALLREDUCE || collective == Collective.BROADCAST ?
            DataType.FLOAT32 : DataType.INT64).size();
    }

    /** Checks blocks of different lengths with the same total; that of rank 0 is empty. */
    private static void checkUneven(final Communicator communicator, final Collective collective, final long count)
    {
        final int size = communicator.size();
        final long[] counts = new long[size];
        Arrays.setAll(counts, i -> count * i / ((long)size * size));
        counts[size - 1] += count - Arrays.stream(counts).sum();
        final CollectiveCase aCase = new CollectiveCase(communicator, collective, (int)(count % size), count);
        if (collective == Collective.ALLTOALLV)
        {
            final long[][] matrix = new long[size][size];
            for (int from = 0; from < size; from++)
            {
                final int sender = from;
                Arrays.setAll(matrix[from], to -> count * ((sender + 2L * to) % 3) / (2L * size));
            }
            aCase.checkExchange(matrix, 1, false);
        }
        else if (collective.hasLocalCounts())
        {
            aCase.checkUneven(counts, CollectiveCase.places(counts, 2), false);
        }
        else if (collective.hasGlobalCounts())
        {
            aCase.checkUneven(counts, null, false);
        }
    }
}
