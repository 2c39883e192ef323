/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

/**
 * State of a training after a step, from which it continues to the same bits.
 *
 * @param steps      number of steps done, over all epochs.
 * @param loss       sum of the losses of the images that the current epoch has used.
 * @param parameters parameters of the network.
 * @param velocity   momentum, in the shape of the parameters.
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record Checkpoint(long steps, double loss, float[][] parameters, float[][] velocity)
{
}
