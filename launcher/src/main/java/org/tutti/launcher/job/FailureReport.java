/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import java.util.List;

import org.tutti.bootstrap.RankFailure;

/** Formats the message about the first failed rank, with its last output. */
final class FailureReport
{
    private FailureReport()
    {
    }

    static String text(final RankFailure failure, final String more, final List<String> lastOutput)
    {
        final StringBuilder text = new StringBuilder("tutti: ").append(failure).append(more);
        if (lastOutput != null && !lastOutput.isEmpty() && !isRepeated(failure, lastOutput))
        {
            text.append("\ntutti: its last output:");
            for (final String line : lastOutput)
            {
                text.append("\n    ").append(line);
            }
        }
        return text.toString();
    }

    /** Returns whether the output is only the reason of the rank's abort, which its failure contains already. */
    private static boolean isRepeated(final RankFailure failure, final List<String> lastOutput)
    {
        return lastOutput.size() == 1 && failure.cause().startsWith(RankFailure.aborted("")) &&
            failure.cause().endsWith(lastOutput.getFirst().replaceFirst("^tutti: rank \\d+: ", ""));
    }
}
