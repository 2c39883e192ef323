/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

/**
 * Results of an epoch.
 *
 * @param epoch           index of the epoch, from 1.
 * @param loss            mean cross entropy of the images during training.
 * @param accuracy        fraction of the held-out images recognized after the epoch, from 0 to 1.
 * @param imagesPerSecond training throughput of all ranks together in images per second.
 * @param allreduceShare  fraction of the training time spent in allreduce, including waiting for other ranks.
 */
record EpochReport(int epoch, double loss, double accuracy, double imagesPerSecond, double allreduceShare)
{
}
