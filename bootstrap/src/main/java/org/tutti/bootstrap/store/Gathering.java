/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.store;

import java.util.Arrays;
import java.util.BitSet;

/** A barrier or allgather under way: who has come, with what, and who waits for the others. */
final class Gathering
{
    static final String BARRIER = "barrier";
    static final String ALLGATHER = "allgather";

    final String kind;
    final String name;
    /** Ascending; empty for all ranks. */
    final int[] members;
    /** By place among the members, as are the waits. */
    final byte[][] values;
    final BitSet missing;
    final Wait[] waits;

    Gathering(final String kind, final String name, final int[] members, final int size)
    {
        this.kind = kind;
        this.name = name;
        this.members = members;
        final int count = members.length == 0 ? size : members.length;
        values = new byte[count][];
        waits = new Wait[count];
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

    /** Where a rank is among the members. */
    int place(final int rank)
    {
        return members.length == 0 ? rank : Arrays.binarySearch(members, rank);
    }

    /** As people read it: {@code barrier 'connect'}. */
    @Override
    public String toString()
    {
        return kind + " '" + name + "'";
    }
}
