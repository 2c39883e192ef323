/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import java.util.ArrayList;
import java.util.List;

/** Collects violations. */
final class Findings
{
    private final List<Violation> violations = new ArrayList<>();

    void add(final int rank, final int step, final long element, final String problem)
    {
        if (violations.size() < CheckReport.MAX_VIOLATIONS)
        {
            violations.add(new Violation(rank, step, element, problem));
        }
    }

    boolean isEmpty()
    {
        return violations.isEmpty();
    }

    CheckReport report(final int outstanding)
    {
        return new CheckReport(List.copyOf(violations), outstanding);
    }
}
