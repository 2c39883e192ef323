/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

import org.agrona.UnsafeApi;
import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Blocks hold the lengths that they are taken for, and are used again. */
class UnexpectedStorageTest
{
    @Test
    void shouldKeepBlocksOfAllLengthsApart()
    {
        try (UnexpectedStorage storage = new UnexpectedStorage())
        {
            final int[] lengths = {1, 63, 64, 65, 128, 129, 2048, 2049, 4095, MessageInbox.MAX_EAGER};
            final long[] blocks = new long[lengths.length];
            final Set<Long> distinct = new HashSet<>();
            for (int i = 0; i < lengths.length; i++)
            {
                blocks[i] = storage.take(lengths[i]);
                UnsafeApi.setMemory(blocks[i], lengths[i], (byte)(i + 1));
                assertTrue(distinct.add(blocks[i]));
            }
            for (int i = 0; i < lengths.length; i++)
            {
                assertEquals(i + 1, UnsafeApi.getByte(blocks[i]));
                assertEquals(i + 1, UnsafeApi.getByte(blocks[i] + lengths[i] - 1));
                storage.give(blocks[i], lengths[i]);
            }
            for (final int length : lengths)
            {
                assertTrue(distinct.contains(storage.take(length)), () -> "another block for " + length);
            }
        }
    }
}
