/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import java.io.Serializable;

/**
 * A training in terms of sums over all points. It runs on each rank, where all compute the same, or on the driver.
 *
 * @param <M> type of the model.
 */
@FunctionalInterface
interface TrainingLoop<M extends Serializable> extends Serializable
{
    /**
     * Trains a model.
     *
     * @param vectors  parameters and sums over all points.
     * @param features number of features.
     * @param points   number of points, at least 1.
     * @return the model.
     * @throws InvalidDataException on all ranks, if the model cannot be trained on the points.
     */
    M train(ModelVectors vectors, int features, long points);
}
