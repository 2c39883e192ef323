/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import java.lang.foreign.MemorySegment;

/**
 * The two vectors of a model in training, its parameters and the sums over all points. The ranks of a barrier stage
 * divide each into a chunk per rank; on the driver, there is one chunk. All ranks make the same calls, except those
 * that return memory.
 */
interface ModelVectors
{
    /**
     * Returns the index of the first element of this rank's chunk.
     *
     * @return index, from 0.
     */
    long chunkStart();

    /**
     * Returns the length of this rank's chunk.
     *
     * @return number of elements, from 0.
     */
    int chunkLength();

    /**
     * Returns the parameters.
     *
     * @return all parameters, initially 0, and at times some unused numbers at the end.
     */
    MemorySegment parameters();

    /**
     * Returns the sums.
     *
     * @return all sums, in the same order as the parameters, until the next {@link #addPoints()}.
     */
    MemorySegment sums();

    /**
     * Sets the sums to the contributions of this rank's points, or, on the driver, of all points.
     *
     * @return sum of the costs of these points.
     */
    double addPoints();

    /** Sums all sums over all ranks. */
    void sumAll();

    /** Sums this rank's chunk of the sums over all ranks; the other chunks are undefined then. */
    void sumChunks();

    /** Sets all parameters to those in the chunks of all ranks. */
    void gatherParameters();

    /**
     * Sums a few numbers over all ranks.
     *
     * @param values numbers of this rank; set to the sums.
     */
    void sum(double[] values);

    /**
     * Starts to choose points as centers.
     *
     * @param features number of features.
     * @return candidates, none of which has been chosen.
     */
    CenterCandidates candidates(int features);
}
