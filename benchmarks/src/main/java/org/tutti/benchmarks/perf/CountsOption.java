/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.launcher.OptionRules;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The option {@code --counts}: block lengths of the collectives that take counts. */
public final class CountsOption
{
    @Option(names = "--counts", paramLabel = "even|linear",
        description = "Block lengths of allgatherv, gatherv, scatterv, alltoallv and reduce_scatterv, whose sum is " +
            "the size. even: equal up to one element, as in OSU's benchmarks. linear: r + 1 units for rank r; in " +
            "alltoallv, (r + s) mod n + 1 units from rank r to rank s of n (default: even).")
    private String counts;

    /** Required by picocli. */
    public CountsOption()
    {
    }

    /**
     * Checks the option.
     *
     * @param spec       command specification, for the error.
     * @param operations operations to measure; if the option is given, at least one of them must take counts.
     * @return the rule of the block lengths; empty if the option is not given.
     */
    public Optional<CountsRule> rule(final CommandSpec spec, final List<Operation> operations)
    {
        final Optional<CountsRule> rule = counts == null ? Optional.empty() : CountsRule.named(counts);
        OptionRules.require(spec, counts == null || rule.isPresent(), "--counts=" + counts, "must be even or linear");
        OptionRules.require(spec, counts == null || operations.stream().anyMatch(Operation::hasCounts),
            "--counts=" + counts, "must be given with a collective that takes counts, such as allgatherv: " +
                operations.stream().map(Operation::label).collect(Collectors.joining(", ")) +
                (operations.size() == 1 ? " takes none" : " take none"));
        return rule;
    }
}
