/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.store;

import java.util.BitSet;

/** A barrier or allgather under way: who has come, with what, and who waits for the others. */
final class Gathering
{
    static final String BARRIER = "barrier";
    static final String ALLGATHER = "allgather";

    final String kind;
    final String name;
    final byte[][] values;
    final BitSet missing;
    final Wait[] waits;

    Gathering(final String kind, final String name, final int size)
    {
        this.kind = kind;
        this.name = name;
        values = new byte[size][];
        waits = new Wait[size];
        missing = new BitSet(size);
        missing.set(0, size);
    }

    /** As people read it: {@code barrier 'connect'}. */
    @Override
    public String toString()
    {
        return kind + " '" + name + "'";
    }
}
