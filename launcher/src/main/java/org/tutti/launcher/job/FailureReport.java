/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import java.util.List;

import org.tutti.bootstrap.RankFailure;

/** The block that tells people which rank failed first, and what it said last. */
final class FailureReport
{
    private FailureReport()
    {
    }

    static String text(final RankFailure failure, final List<String> lastWords)
    {
        final StringBuilder text = new StringBuilder("tutti: ").append(failure);
        if (lastWords != null && !lastWords.isEmpty() && !isSaid(failure, lastWords))
        {
            text.append("\ntutti: its last words:");
            for (final String line : lastWords)
            {
                text.append("\n    ").append(line);
            }
        }
        return text.toString();
    }

    /** Whether all that the rank said is why it aborted, which its failure tells already. */
    private static boolean isSaid(final RankFailure failure, final List<String> lastWords)
    {
        return lastWords.size() == 1 && failure.cause().startsWith(RankFailure.aborted("")) &&
            failure.cause().endsWith(lastWords.getFirst().replaceFirst("^tutti: rank \\d+: ", ""));
    }
}
