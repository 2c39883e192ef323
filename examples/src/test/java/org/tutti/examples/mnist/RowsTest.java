/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

class RowsTest
{
    private final float[][] rows = {{1, 2, 3}, {}, {4}, {5, 6}};

    @Test
    void shouldCopyRowsContiguously()
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment memory = arena.allocate(ValueLayout.JAVA_FLOAT, Rows.count(rows));

            Rows.copyTo(rows, memory);
            final float[][] back = Rows.like(rows);
            Rows.copyFrom(back, memory);

            assertArrayEquals(new float[]{1, 2, 3, 4, 5, 6}, memory.toArray(ValueLayout.JAVA_FLOAT));
            assertArrayEquals(rows, back);
        }
    }

    @Test
    void shouldChangeFingerprintWithAnyBitOrOrder()
    {
        final long fingerprint = Rows.fingerprint(rows);
        rows[2][0] = Math.nextUp(rows[2][0]);
        assertNotEquals(fingerprint, Rows.fingerprint(rows));

        assertEquals(fingerprint, Rows.fingerprint(new float[][]{{1, 2, 3}, {}, {4}, {5, 6}}));
        assertNotEquals(fingerprint, Rows.fingerprint(new float[][]{{1, 2, 3}, {}, {4}, {6, 5}}));
        assertNotEquals(Rows.fingerprint(new float[][]{{0f}}), Rows.fingerprint(new float[][]{{-0f}}));
    }
}
