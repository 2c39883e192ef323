/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A run of the suite, or as much of it as there is.
 *
 * @param command command that repeats it.
 * @param cases   cases with at least one run each.
 * @param missing why there is less than was asked for, or null.
 */
record SuiteReport(String command, List<CaseResult> cases, String missing)
{
    /** What Tutti is compared with in any of the cases, in the order of their appearance. */
    Set<String> peers()
    {
        final Set<String> peers = new LinkedHashSet<>();
        cases.forEach(result -> peers.addAll(result.peers()));
        return peers;
    }
}
