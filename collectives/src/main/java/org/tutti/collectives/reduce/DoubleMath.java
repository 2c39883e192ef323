/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

/** Arithmetic on two {@code double}s. Stateless. */
@FunctionalInterface
interface DoubleMath
{
    /**
     * Combines two elements.
     *
     * @param left  left operand.
     * @param right right operand.
     * @return the result.
     */
    double combine(double left, double right);

    /**
     * Combines two elements and makes the final value.
     *
     * @param left  left operand.
     * @param right right operand.
     * @param ranks number of inputs combined.
     * @return the final value.
     */
    default double finish(final double left, final double right, final int ranks)
    {
        return combine(left, right);
    }
}
