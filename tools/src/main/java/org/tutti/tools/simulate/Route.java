/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

/**
 * The directed links that a message takes, in order. Written by {@link HostNetwork#route}, and used again and again,
 * since there is one for each message. Not thread-safe.
 * <p>
 * A network that is folded keeps one link for all those that a rotation maps to each other; the <i>block</i> says how
 * many turns the real link is away from the one that is kept.
 */
final class Route
{
    private static final int LONGEST = 6;

    final int[] links = new int[LONGEST];
    final int[] blocks = new int[LONGEST];
    int length;

    void clear()
    {
        length = 0;
    }

    void add(final int base, final int index, final int perBlock)
    {
        links[length] = base + index % perBlock;
        blocks[length++] = index / perBlock;
    }

    /** Each link but the last leads to a switch. */
    int switches()
    {
        return length - 1;
    }
}
