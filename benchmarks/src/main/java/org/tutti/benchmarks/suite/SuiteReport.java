/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Complete or partial results of the suite.
 *
 * @param command command line that repeats the run.
 * @param cases   cases with at least one run each.
 * @param missing reason why results are missing, or null if complete.
 */
record SuiteReport(String command, List<CaseResult> cases, String missing)
{
    /** Peers of any of the cases, in the order of first appearance. */
    Set<String> peers()
    {
        final Set<String> peers = new LinkedHashSet<>();
        cases.forEach(result -> peers.addAll(result.peers()));
        return peers;
    }
}
