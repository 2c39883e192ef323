/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.util.BitSet;

/** Sets of ranks in words. */
final class Ranks
{
    private Ranks()
    {
    }

    /** The ranks by number, runs of them shortened: "rank 3", "ranks 0-2, 5". */
    static String name(final BitSet ranks)
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
}
