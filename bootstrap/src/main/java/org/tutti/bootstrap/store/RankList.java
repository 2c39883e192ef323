/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.store;

import java.util.BitSet;

/** Formats lists of ranks for messages: {@code 3, 7-15 and 17 more}. */
public final class RankList
{
    private static final int MAX_RUNS = 8;

    private RankList()
    {
    }

    /**
     * Formats consecutive ranks as ranges; ranks after the first eight ranges are only counted.
     *
     * @param ranks the ranks.
     * @return the text; "none" for no ranks.
     */
    public static String format(final BitSet ranks)
    {
        if (ranks.isEmpty())
        {
            return "none";
        }
        final StringBuilder text = new StringBuilder();
        int runs = 0;
        int listed = 0;
        for (int first = ranks.nextSetBit(0); first >= 0 && runs < MAX_RUNS; runs++)
        {
            final int end = ranks.nextClearBit(first);
            text.append(runs == 0 ? "" : ", ").append(first);
            if (end - first > 1)
            {
                text.append(end - first == 2 ? ", " : "-").append(end - 1);
            }
            listed += end - first;
            first = ranks.nextSetBit(end);
        }
        final int more = ranks.cardinality() - listed;
        return more == 0 ? text.toString() : text.append(" and ").append(more).append(" more").toString();
    }
}
