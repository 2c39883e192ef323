/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

/**
 * How an epoch went.
 *
 * @param epoch           index of the epoch, from 1.
 * @param loss            mean cross entropy of the images as they were trained on.
 * @param accuracy        share of the held-out images that are recognised after it, from 0 to 1.
 * @param imagesPerSecond images per second of all ranks together, in training.
 * @param allreduceShare  fraction of the training time spent in allreduce, waiting for other ranks included.
 */
record EpochReport(int epoch, double loss, double accuracy, double imagesPerSecond, double allreduceShare)
{
}
