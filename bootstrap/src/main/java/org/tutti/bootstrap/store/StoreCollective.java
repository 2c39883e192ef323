/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.store;

import java.util.Arrays;
import java.util.BitSet;

/** A barrier or allgather in progress: the ranks that have arrived, their values, and their waits. */
final class StoreCollective
{
    static final String BARRIER = "barrier";
    static final String ALLGATHER = "allgather";

    final String kind;
    final String name;
    /** Ranks that take part, ascending; an empty array stands for all ranks. */
    final int[] members;
    /** Value of each member that has arrived, indexed like {@link #waits} by position in {@link #members}. */
    final byte[][] values;
    final BitSet missing;
    final WaitingRank[] waits;

    StoreCollective(final String kind, final String name, final int[] members, final int size)
    {
        this.kind = kind;
        this.name = name;
        this.members = members;
        final int count = members.length == 0 ? size : members.length;
        values = new byte[count][];
        waits = new WaitingRank[count];
        missing = new BitSet(size);
        if (members.length == 0)
        {
            missing.set(0, size);
        }
        for (final int member : members)
        {
            missing.set(member);
        }
    }

    /** Returns the index of a rank among the members. */
    int index(final int rank)
    {
        return members.length == 0 ? rank : Arrays.binarySearch(members, rank);
    }

    /** Returns the name for messages: {@code barrier 'connect'}. */
    @Override
    public String toString()
    {
        return kind + " '" + name + "'";
    }
}
