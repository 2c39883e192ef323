/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

/**
 * A line of the table.
 *
 * @param size       bytes of the buffer.
 * @param count      elements of the buffer.
 * @param type       their type, as nccl-tests spells it, or {@code none}.
 * @param op         the reduction, or {@code none}.
 * @param root       the root, or -1.
 * @param outOfPlace null if the collective has no such form.
 * @param inPlace    null if the collective has no such form.
 */
record Row(long size, long count, String type, String op, int root, Measurement outOfPlace, Measurement inPlace)
{
    /** Whether it is of nonblocking calls. */
    boolean hasOverlap()
    {
        return (outOfPlace == null ? inPlace : outOfPlace).overlap() != null;
    }
}
