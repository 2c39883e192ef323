/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

/**
 * How an epoch went.
 *
 * @param epoch           from 1.
 * @param loss            mean cross entropy of the images as they were trained on.
 * @param accuracy        share of the held-out images that are recognised after it, from 0 to 1.
 * @param imagesPerSecond of all ranks together, while training.
 * @param allreduceShare  of this rank's training time that was spent in allreduce, waiting for others included.
 */
record EpochReport(int epoch, double loss, double accuracy, double imagesPerSecond, double allreduceShare)
{
}
