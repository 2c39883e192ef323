/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What was found out about a case.
 *
 * @param of         the case.
 * @param conditions the conditions that it was measured in.
 * @param nearNs     latency from core to core in the runs that count, in nanoseconds, such as {@code 57-61}.
 * @param rounds     number of rounds of each peer that count, by label, Tutti first and the roofline last.
 * @param rows       rows by size: a figure for each peer that has one, by label.
 * @param samples    all runs, those too that do not count; empty if the result was read from a file.
 */
record CaseResult(
    Case of, Conditions conditions, String nearNs, Map<String, Long> rounds, SortedMap<Long, Map<String, Figure>> rows,
    List<Sample> samples)
{
    /** The label of Tutti. */
    static final String TUTTI = "Tutti";
    /** The label of what the memory allows, which is no library. */
    static final String ROOFLINE = "roofline";

    /**
     * Takes the medians of the runs that count.
     *
     * @param samples samples of at least one run.
     */
    static CaseResult of(final Case of, final Conditions conditions, final List<Sample> samples)
    {
        List<Sample> near = Sample.near(samples);
        final Set<String> all = labels(samples);
        if (!labels(near).equals(all))
        {
            // No round had its processors as near for all: better all runs, whose distances are told, than none.
            near = samples;
        }
        final Map<String, Long> rounds = new LinkedHashMap<>();
        final SortedMap<Long, Map<String, List<Double>>> times = new TreeMap<>();
        for (final String peer : all)
        {
            rounds.put(peer, Sample.count(near, peer));
            near.stream().filter(sample -> sample.peer().equals(peer)).forEach(sample -> sample.timesUs().forEach(
                (size, timeUs) -> times.computeIfAbsent(size, key -> new LinkedHashMap<>())
                    .computeIfAbsent(peer, key -> new ArrayList<>()).add(timeUs)));
        }
        final SortedMap<Long, Map<String, Figure>> rows = new TreeMap<>();
        times.forEach((size, byLabel) ->
        {
            final Map<String, Figure> figures = new LinkedHashMap<>();
            byLabel.forEach((peer, timesUs) -> figures.put(peer, Figure.of(timesUs)));
            rows.put(size, figures);
        });
        final int least = near.stream().mapToInt(Sample::distanceNs).min().orElse(0);
        final int most = near.stream().mapToInt(Sample::distanceNs).max().orElse(0);
        return new CaseResult(of, conditions, least + "-" + most, rounds, rows, List.copyOf(samples));
    }

    /** The peers that have runs: Tutti, then the others by name, then the roofline. */
    private static Set<String> labels(final List<Sample> samples)
    {
        final Set<String> labels = new LinkedHashSet<>();
        final Set<String> found = new LinkedHashSet<>();
        samples.forEach(sample -> found.add(sample.peer()));
        if (found.remove(TUTTI))
        {
            labels.add(TUTTI);
        }
        final boolean hasRoofline = found.remove(ROOFLINE);
        found.stream().sorted().forEach(labels::add);
        if (hasRoofline)
        {
            labels.add(ROOFLINE);
        }
        return labels;
    }

    /** All but Tutti. */
    List<String> others()
    {
        return rounds.keySet().stream().filter(label -> !label.equals(TUTTI)).toList();
    }

    /** The libraries that Tutti is compared with: all but Tutti and the roofline. */
    List<String> peers()
    {
        return others().stream().filter(label -> !label.equals(ROOFLINE)).toList();
    }

    /** The fewest rounds that any peer has. */
    long leastRounds()
    {
        return rounds.values().stream().mapToLong(Long::longValue).min().orElse(0);
    }

    /** How many rounds the figures are made of, for people. */
    String medians()
    {
        final long least = leastRounds();
        final long discarded = discarded();
        return (least == 1 ? "one round" : "medians of " + least + " rounds") +
            (discarded == 0 ? "" : " (" + discarded + " of " + samples.size() + " runs were too far to count)");
    }

    /** How many runs did not count, because the processors were far from each other. */
    long discarded()
    {
        return samples.isEmpty() ? 0 : samples.size() - rounds.values().stream().mapToLong(Long::longValue).sum();
    }

    /** A time of another by Tutti's: more than 1 means that Tutti is faster; NaN if one of them is missing. */
    static double ratio(final Map<String, Figure> row, final String other)
    {
        final Figure tutti = row.get(TUTTI);
        final Figure its = row.get(other);
        return tutti == null || its == null ? Double.NaN : its.medianUs() / tutti.medianUs();
    }

    /** How a label is written where there is no room for its version. */
    static String shortName(final String label)
    {
        return label.replaceFirst(" v?[0-9].*", "");
    }
}
