/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import jdk.incubator.vector.VectorOperators;

/**
 * What a copy of a loop over vectors is made with.
 *
 * @param op        the instruction.
 * @param isAverage whether final values are divided by the number of ranks.
 * @param rest      loop for the elements that do not fill a vector.
 */
record VectorKernel(VectorOperators.Binary op, boolean isAverage, BlockReducer rest)
{
}
