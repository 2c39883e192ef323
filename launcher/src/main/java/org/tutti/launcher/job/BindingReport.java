/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/** Collects the CPUs of all ranks, to report them in the order of ranks. */
final class BindingReport
{
    private final int size;
    private final Map<Integer, String> lines = new TreeMap<>();

    /** Creates the report of a job with {@code size} ranks. */
    BindingReport(final int size)
    {
        this.size = size;
    }

    /**
     * Adds a rank.
     *
     * @param rank the rank.
     * @param host the name of its host.
     * @param cpus the description of its CPUs.
     * @return the report if this rank was the last, else null.
     */
    String add(final int rank, final String host, final String cpus)
    {
        lines.put(rank, "tutti: rank " + rank + " on " + host + ": " + cpus);
        if (lines.size() < size)
        {
            return null;
        }
        final StringJoiner report = new StringJoiner("\n");
        lines.values().forEach(report::add);
        lines.clear();
        return report.toString();
    }
}
