/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The ranks of each value of something that should be equal on all ranks. */
final class RanksByValue
{
    /** Of the categories of a feature, for example, there may be thousands. */
    private static final int MAX_LENGTH = 120;

    private final Map<String, List<Integer>> ranks = new LinkedHashMap<>();

    /**
     * Groups the ranks.
     *
     * @param values value of each rank, by rank; at least one.
     */
    RanksByValue(final List<String> values)
    {
        for (int rank = 0; rank < values.size(); rank++)
        {
            ranks.computeIfAbsent(Objects.requireNonNull(values.get(rank)), value -> new ArrayList<>()).add(rank);
        }
    }

    /**
     * Returns whether all ranks have the same value.
     *
     * @return true if they are equal.
     */
    boolean isOne()
    {
        return ranks.size() == 1;
    }

    /**
     * Returns the values with the ranks that have them.
     *
     * @return text such as {@code 10 on ranks 0, 2, 11 on rank 1}.
     */
    String text()
    {
        final List<String> parts = new ArrayList<>();
        ranks.forEach((value, having) -> parts.add(abbreviate(value) + " on " + LightGbmException.name(having)));
        return String.join(", ", parts);
    }

    private static String abbreviate(final String value)
    {
        return value.length() > MAX_LENGTH ? value.substring(0, MAX_LENGTH) + "…" : value;
    }

    /**
     * Returns the ranks that do not have the most frequent value; of equally frequent values, that of the lowest rank
     * counts as the most frequent.
     *
     * @return ranks in ascending order.
     */
    List<Integer> others()
    {
        List<Integer> most = List.of();
        for (final List<Integer> having : ranks.values())
        {
            most = having.size() > most.size() ? having : most;
        }
        final List<Integer> common = most;
        return ranks.values().stream().flatMap(List::stream).filter(rank -> !common.contains(rank)).sorted().toList();
    }
}
