/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

/**
 * Times of the first calls of one kind: one element type, reduction operation, root and size.
 *
 * @param of      the calls that were timed.
 * @param calls   number of calls, counted from the first.
 * @param totalUs total time of these calls in microseconds, the maximum over all ranks.
 * @param meanUs  mean time of a call since the previous row, in microseconds.
 */
record FirstCallsRow(RowWorkload of, int calls, double totalUs, double meanUs)
{
}
