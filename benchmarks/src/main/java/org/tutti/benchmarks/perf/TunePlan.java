/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.Collective;
import org.tutti.tools.options.SizeSweep;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Measurements that choose between algorithms: each collective at several sizes with each of its algorithms. The length
 * of a call selects its algorithm, so the calls at one size differ in length by one element, or by one per block. No
 * call is longer than the size: where a call of that size just fits into a segment, or can just be sent inline, the
 * calls of all algorithms do.
 *
 * @param cases cases ordered by collective, then by ascending size.
 */
record TunePlan(List<TuneCase> cases)
{
    /** Element size in bytes: all measurements use float. */
    static final int ELEMENT = Float.BYTES;

    /**
     * A collective at one size.
     *
     * @param operation  the collective.
     * @param bytes      length of the longest buffer in bytes, as measured with the last algorithm.
     * @param algorithms names of the algorithms.
     * @param counts     elements of the longest buffer, by algorithm.
     */
    record TuneCase(Operation operation, long bytes, List<String> algorithms, List<Long> counts)
    {
    }

    /** The collectives that have more than one algorithm to choose from. */
    static List<Operation> tunable()
    {
        return Operation.collectives().stream()
            .filter(operation -> algorithms(operation, Set.of(), true).size() > 1).toList();
    }

    /**
     * Creates a plan.
     *
     * @param operations operations to measure; those with one algorithm are omitted.
     * @param size       number of ranks.
     * @param sizes      sizes of the longest buffer; each algorithm is measured at its own length, up to that size. A
     *                   size that is too small for that many lengths is increased, and a size whose lengths would
     *                   overlap those of the previous size is omitted.
     * @param without    algorithms to exclude: names, or names qualified by the collective as {@code allreduce:ring}.
     * @param isDirect   whether ranks can load and store one another's memory; else algorithms that need this are
     *                   omitted.
     * @return the plan; the same on all ranks.
     */
    static TunePlan of(
        final List<Operation> operations, final int size, final SizeSweep sizes, final Set<String> without,
        final boolean isDirect)
    {
        final List<TuneCase> cases = new ArrayList<>();
        for (final Operation operation : operations)
        {
            final List<String> algorithms = algorithms(operation, without, isDirect);
            final long unit = operation.hasBlocks() ? size : 1;
            final long spread = (algorithms.size() - 1) * unit;
            long last = 0;
            for (final long bytes : algorithms.size() < 2 ? new long[0] : sizes.counts(1))
            {
                final long most = Math.max(bytes / (unit * ELEMENT) * unit, spread + unit);
                if (most - spread > last)
                {
                    cases.add(new TuneCase(operation, most * ELEMENT, algorithms, IntStream.range(0, algorithms.size())
                        .mapToObj((i) -> most - spread + i * unit).toList()));
                    last = most;
                }
            }
        }
        return new TunePlan(List.copyOf(cases));
    }

    /**
     * Names of the measured algorithms: none for a barrier, because it has no length that could select the algorithm.
     */
    static List<String> algorithms(final Operation operation, final Set<String> without, final boolean isDirect)
    {
        return operation == Operation.BARRIER ? List.of() : Algorithms.of(collective(operation)).stream()
            .filter((algorithm) -> isDirect || !algorithm.readsPeers()).map(Algorithm::name)
            .filter((name) -> !without.contains(name) && !without.contains(operation.label() + ":" + name)).toList();
    }

    static Collective collective(final Operation operation)
    {
        return Collective.valueOf(operation.name());
    }

    List<Operation> operations()
    {
        return cases.stream().map(TuneCase::operation).distinct().toList();
    }

    /**
     * Settings that select the algorithm of each call.
     *
     * @return value of {@code TUTTI_ALGORITHM}.
     */
    String overrides()
    {
        return operations().stream().map((operation) -> operation.label() + ":" + cases.stream()
            .filter((aCase) -> aCase.operation() == operation)
            .flatMap((aCase) -> IntStream.range(0, aCase.algorithms().size())
                .mapToObj((i) -> only(aCase.counts().get(i) * ELEMENT) + ":" + aCase.algorithms().get(i)))
            .collect(Collectors.joining(","))).collect(Collectors.joining(";"));
    }

    private static String only(final long bytes)
    {
        return bytes + "-" + (bytes + 1);
    }
}
