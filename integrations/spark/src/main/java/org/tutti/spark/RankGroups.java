/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Ranks grouped by a text, in the order of the first rank of each group, for messages. */
final class RankGroups
{
    private final Map<String, List<Integer>> ranks = new LinkedHashMap<>();

    private RankGroups()
    {
    }

    /**
     * Groups ranks.
     *
     * @param values value of each rank, by rank.
     * @param text   text of a value.
     * @param <T>    type of the values.
     * @return the groups.
     */
    static <T> RankGroups of(final List<T> values, final Function<T, String> text)
    {
        final RankGroups groups = new RankGroups();
        for (int rank = 0; rank < values.size(); rank++)
        {
            groups.ranks.computeIfAbsent(text.apply(values.get(rank)), _ -> new ArrayList<>()).add(rank);
        }
        return groups;
    }

    RankGroups without(final String text)
    {
        ranks.remove(text);
        return this;
    }

    boolean isEmpty()
    {
        return ranks.isEmpty();
    }

    int count()
    {
        return ranks.size();
    }

    /** Returns a text such as {@code 3 on ranks 0, 2; 4 on rank 1}. */
    String describe()
    {
        return describe((text, names) -> text + " on " + names);
    }

    /** Returns the groups, each formatted from its text and the names of its ranks, separated by semicolons. */
    String describe(final BinaryOperator<String> format)
    {
        return ranks.entrySet().stream().map(group -> format.apply(group.getKey(), name(group.getValue())))
            .collect(Collectors.joining("; "));
    }

    private static String name(final List<Integer> group)
    {
        return (group.size() == 1 ? "rank " : "ranks ") +
            group.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
}
