/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

/**
 * What the first calls of one kind took.
 *
 * @param of      calls of which it is.
 * @param calls   number of calls, from the first on.
 * @param totalUs microseconds of all of them, the greatest of all ranks.
 * @param meanUs  microseconds of one of the calls since the row before.
 */
record ColdRow(RowCall of, int calls, double totalUs, double meanUs)
{
}
