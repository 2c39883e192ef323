/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import java.util.BitSet;

/** Formats ranks and cores in messages. Stateless. */
final class MessageFormat
{
    private MessageFormat()
    {
    }

    /** Lists ranks, with consecutive ones as ranges: "rank 3", "ranks 0-2, 5". */
    static String ranks(final BitSet ranks)
    {
        final StringBuilder text = new StringBuilder(ranks.cardinality() == 1 ? "rank " : "ranks ");
        String separator = "";
        int first = ranks.nextSetBit(0);
        while (first >= 0)
        {
            final int end = ranks.nextClearBit(first);
            text.append(separator).append(first);
            if (end - first > 1)
            {
                text.append(end - first == 2 ? ", " : "-").append(end - 1);
            }
            separator = ", ";
            first = ranks.nextSetBit(end);
        }
        return text.toString();
    }

    /** Returns the warning that ranks share cores. */
    static String sharedCores(final int ranks, final int cores)
    {
        return ranks + " ranks share " + cores + (cores == 1 ? " core" : " cores") + ": they are time-sliced";
    }
}
