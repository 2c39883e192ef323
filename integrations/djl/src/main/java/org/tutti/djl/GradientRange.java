/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.djl;

/**
 * Consecutive elements of a gradient, which are in one bucket.
 *
 * @param parameter parameter that has the gradient.
 * @param first     index of the first element, from 0.
 * @param count     number of elements, from 0.
 */
record GradientRange(TrainedParameter parameter, long first, long count)
{
}
