/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import org.tutti.collectives.Communicator;

import java.io.Serializable;
import java.util.Iterator;

/**
 * Code of a rank, which Spark runs in the task of a partition.
 *
 * @param <T> type of the partition's elements.
 * @param <R> type of the results.
 */
@FunctionalInterface
public interface RankFunction<T, R> extends Serializable
{
    /**
     * Runs in the task, on its thread.
     *
     * @param communicator communicator of all tasks of the stage; the rank is the index of the partition. It is open
     *                     until Spark has read all results, and is closed with the task: do not close it.
     * @param partition    elements of the partition.
     * @return results, which may be computed while Spark reads them; all ranks must then make the same calls.
     * @throws Exception if the rank fails: the stage then fails.
     */
    Iterator<R> call(Communicator communicator, Iterator<T> partition) throws Exception;
}
