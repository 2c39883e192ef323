/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

/**
 * The directed links of a message, in order. Filled by {@link HostNetwork#route} and reused, because there is a route
 * for each message. Not thread-safe.
 * <p>
 * A folded network keeps one link for all links that a rotation maps to each other; the <i>block</i> is the number of
 * rotations from the kept link to the real one.
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

    /** Number of switches: every link but the last leads to a switch. */
    int switches()
    {
        return length - 1;
    }
}
