/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import jdk.incubator.vector.VectorOperators;

/**
 * The arithmetic of a copy of a vector loop: the constant that {@link LoopTemplate} binds to it.
 *
 * @param op        vector instruction.
 * @param isAverage whether final values are divided by the number of ranks.
 * @param rest      plain loop for the elements that do not fill a vector.
 */
record VectorKernel(VectorOperators.Binary op, boolean isAverage, BlockReducer rest)
{
}
