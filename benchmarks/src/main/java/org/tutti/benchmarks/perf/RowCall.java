/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

/**
 * The calls of one row of a table.
 *
 * @param size       bytes; of all blocks together where there are blocks.
 * @param count      elements; of the longest block where there are blocks.
 * @param type       its name, or none.
 * @param op         its name, or none.
 * @param root       rank, or -1 for none.
 * @param outOfPlace null if there is no such form.
 * @param inPlace    null if there is no such form.
 */
record RowCall(long size, long count, String type, String op, int root, MeasuredCall outOfPlace, MeasuredCall inPlace)
{
    /** Out of place if there is such a form. */
    MeasuredCall first()
    {
        return outOfPlace == null ? inPlace : outOfPlace;
    }
}
