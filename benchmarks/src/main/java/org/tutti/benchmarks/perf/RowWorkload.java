/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

/**
 * The calls of one row of a table.
 *
 * @param size       bytes of the buffer; the total over all blocks if there are blocks.
 * @param count      elements of the buffer; of the longest block if there are blocks.
 * @param type       name of the element type, or {@code none}.
 * @param op         name of the reduction operation, or {@code none}.
 * @param root       root rank, or -1 for none.
 * @param outOfPlace call out of place, or null if the operation has no such form.
 * @param inPlace    call in place, or null if the operation has no such form.
 */
record RowWorkload(
    long size, long count, String type, String op, int root, MeasuredCall outOfPlace, MeasuredCall inPlace)
{
    /** The out-of-place call if there is one, else the in-place call. */
    MeasuredCall first()
    {
        return outOfPlace == null ? inPlace : outOfPlace;
    }
}
