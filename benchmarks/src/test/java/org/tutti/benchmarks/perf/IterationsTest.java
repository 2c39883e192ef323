/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class IterationsTest
{
    @Test
    void shouldReduceIterationsAsSizesGrow()
    {
        final Iterations bySize = Iterations.of(0, -1, true);
        assertEquals(10_000, bySize.timed(8));
        assertEquals(16, bySize.timed(64 << 20));
        assertEquals(5, bySize.timed(4L << 30));
        assertEquals(2_000, bySize.warmup(8));
        assertEquals(1, bySize.warmup(4L << 30));

        final Iterations asked = Iterations.of(7, 0, false);
        assertEquals(7, asked.timed(4L << 30));
        assertEquals(0, asked.warmup(8));
    }
}
