/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;

/** Describes the device by which a rank reaches each peer. Stateless. */
public final class RouteSummary
{
    private RouteSummary()
    {
    }

    /**
     * Returns a text such as {@code rank 0 reaches ranks 1-3 via shm/shm0, rank 4 via verbs/mlx5_0}.
     *
     * @param self   a rank.
     * @param size   number of ranks, more than 1.
     * @param device device for each peer.
     * @return one line.
     */
    public static String text(final int self, final int size, final IntFunction<String> device)
    {
        final Map<String, Ranks> byDevice = new LinkedHashMap<>();
        for (int peer = 0; peer < size; peer++)
        {
            if (peer != self)
            {
                byDevice.computeIfAbsent(device.apply(peer), key -> new Ranks()).add(peer);
            }
        }
        final StringBuilder text = new StringBuilder("rank " + self + " reaches ");
        byDevice.forEach((name, ranks) -> text.append(ranks).append(" via ").append(name).append(", "));
        return text.substring(0, text.length() - 2);
    }

    /** Ranks in ascending order, with consecutive ones as ranges. */
    private static final class Ranks
    {
        private final StringBuilder text = new StringBuilder();
        private int count;
        private int first;
        private int last;

        void add(final int rank)
        {
            if (count > 0 && rank != last + 1)
            {
                end();
                text.append(", ");
            }
            first = count > 0 && rank == last + 1 ? first : rank;
            last = rank;
            count++;
        }

        private void end()
        {
            text.append(first);
            if (last > first)
            {
                text.append('-').append(last);
            }
        }

        @Override
        public String toString()
        {
            final int length = text.length();
            end();
            final String all = (count == 1 ? "rank " : "ranks ") + text;
            text.setLength(length);
            return all;
        }
    }
}
