/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

/**
 * A row of the table.
 *
 * @param size       bytes of the buffer; the total over all blocks if there are blocks.
 * @param count      elements of the buffer; of the longest block if there are blocks.
 * @param type       element type, as nccl-tests spells it, or {@code none}.
 * @param op         reduction operation, or {@code none}.
 * @param root       root rank, or -1 for none.
 * @param outOfPlace measurement of the calls out of place, or null if the operation has no such form.
 * @param inPlace    measurement of the calls in place, or null if the operation has no such form.
 */
record Row(long size, long count, String type, String op, int root, Measurement outOfPlace, Measurement inPlace)
{
    /** Whether the calls are nonblocking. */
    boolean hasOverlap()
    {
        return (outOfPlace == null ? inPlace : outOfPlace).overlap() != null;
    }
}
