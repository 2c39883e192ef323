/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Result of a case.
 *
 * @param of           the case.
 * @param conditions   conditions of the measurement.
 * @param coreToCoreNs core-to-core latency of the counted runs in nanoseconds, such as {@code 57-61}.
 * @param rounds       number of counted runs by label of the peer, Tutti first and limits last.
 * @param rows         figures by row (see {@link PeerOutput}), then by label of each peer that has a figure.
 * @param samples      all runs, including those that do not count; empty if the result was read from a file.
 */
record CaseResult(
    Case of, Conditions conditions, String coreToCoreNs, Map<String, Long> rounds,
    SortedMap<Long, Map<String, Figure>> rows, List<Sample> samples)
{
    /** Label of Tutti. */
    static final String TUTTI = "Tutti";
    /** Label of the peer that measures the memory bandwidth limit and is no library. */
    static final String ROOFLINE = "roofline";
    /** Label of the peer that measures the least time of TCP and is no library. */
    static final String FLOOR = "floor";

    /**
     * Summarizes the counted runs, those of {@link Sample#near}, by their medians.
     *
     * @param samples samples of at least one run.
     */
    static CaseResult of(final Case of, final Conditions conditions, final List<Sample> samples)
    {
        List<Sample> near = Sample.near(samples);
        final Set<String> all = labels(samples);
        if (!labels(near).equals(all))
        {
            // Some peer has no run near the lowest latency: all runs count, and the result has their range of
            // latencies.
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
        final int least = near.stream().mapToInt(Sample::coreToCoreNs).min().orElse(0);
        final int most = near.stream().mapToInt(Sample::coreToCoreNs).max().orElse(0);
        return new CaseResult(of, conditions, least + "-" + most, rounds, rows, List.copyOf(samples));
    }

    /** Labels of the peers that have runs: Tutti, then the other libraries by name, then the limits. */
    private static Set<String> labels(final List<Sample> samples)
    {
        final Set<String> labels = new LinkedHashSet<>();
        final Set<String> found = new LinkedHashSet<>();
        samples.forEach(sample -> found.add(sample.peer()));
        if (found.remove(TUTTI))
        {
            labels.add(TUTTI);
        }
        found.stream().sorted(Comparator.comparing(CaseResult::isLimit).thenComparing(Comparator.naturalOrder()))
            .forEach(labels::add);
        return labels;
    }

    /**
     * Omits rows that are close to the row before.
     *
     * @param factor minimum ratio of the sizes of a row and the row before; 1 to omit none.
     */
    CaseResult withRowsApart(final long factor)
    {
        final SortedMap<Long, Map<String, Figure>> apart = new TreeMap<>();
        rows.forEach((size, row) ->
        {
            if (apart.isEmpty() || size / factor >= apart.lastKey())
            {
                apart.put(size, row);
            }
        });
        return new CaseResult(of, conditions, coreToCoreNs, rounds, apart, samples);
    }

    /** Whether a label is that of a limit of this host, which is no library. */
    static boolean isLimit(final String label)
    {
        return label.equals(ROOFLINE) || label.equals(FLOOR);
    }

    /** All labels except Tutti. */
    List<String> others()
    {
        return rounds.keySet().stream().filter(label -> !label.equals(TUTTI)).toList();
    }

    /** The libraries that Tutti is compared with: all labels except Tutti and limits. */
    List<String> peers()
    {
        return others().stream().filter(label -> !isLimit(label)).toList();
    }

    /** The library other than Tutti with the lowest time in a row; empty if none has a time. */
    Optional<String> fastest(final Map<String, Figure> row)
    {
        return peers().stream().filter(row::containsKey).min(Comparator.comparing(peer -> row.get(peer).medianUs()));
    }

    /** Minimum number of rounds over the peers. */
    long leastRounds()
    {
        return rounds.values().stream().mapToLong(Long::longValue).min().orElse(0);
    }

    /** Returns the number of rounds of which the figures are medians, and how many runs were discarded. */
    String medians()
    {
        final long least = leastRounds();
        final long discarded = discarded();
        return (least == 1 ? "one round" : "medians of " + least + " rounds") +
            (discarded == 0 ? "" :
            " (" + discarded + " of " + samples.size() + " runs discarded: core-to-core latency too high)");
    }

    /** Number of runs discarded because of their core-to-core latency. */
    long discarded()
    {
        return samples.isEmpty() ? 0 : samples.size() - rounds.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Time of a peer over Tutti's: greater than 1 if Tutti is faster; NaN if either is missing. */
    static double ratio(final Map<String, Figure> row, final String other)
    {
        final Figure tutti = row.get(TUTTI);
        final Figure its = row.get(other);
        return tutti == null || its == null ? Double.NaN : its.medianUs() / tutti.medianUs();
    }

    /** Label without its version. */
    static String shortName(final String label)
    {
        return label.replaceFirst(" v?[0-9].*", "");
    }
}
