/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.tutti.launcher.ByteSize;

/**
 * An algorithm that is left out of a call's predictions, because it cannot be built for the call.
 *
 * @param size    number of ranks.
 * @param bytes   bytes of the call's longest buffer.
 * @param refusal the algorithm, and why it cannot be built.
 */
record Unavailable(int size, long bytes, Candidates.Refusal refusal)
{
    /** Describes calls in one line per algorithm. */
    static List<String> lines(final List<Unavailable> all)
    {
        final Map<String, List<Unavailable>> byAlgorithm = all.stream().collect(Collectors.groupingBy(
            each -> each.refusal.algorithm(), LinkedHashMap::new, Collectors.toList()));
        return byAlgorithm.values().stream().map(Unavailable::line).toList();
    }

    private static String line(final List<Unavailable> calls)
    {
        final Unavailable first = calls.getFirst();
        final long chosen = calls.stream().filter(each -> each.refusal.isChosen()).count();
        return "unavailable" + (calls.size() == 1 ? "" : " in " + calls.size() + " calls, the first of " +
            new ByteSize(first.bytes)) + ": " + first.refusal.reason() +
            (chosen == 0 ? "" : "; runs fail that choose it, as here with " + chosen + " of these calls");
    }
}
