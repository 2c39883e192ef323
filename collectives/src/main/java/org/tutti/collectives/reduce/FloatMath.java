/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

/** What is done with two {@code float}s. Stateless. */
@FunctionalInterface
interface FloatMath
{
    /**
     * Combines two elements.
     *
     * @param left  operand.
     * @param right operand.
     * @return the result.
     */
    float combine(float left, float right);

    /**
     * Combines two elements for the last time.
     *
     * @param left  operand.
     * @param right operand.
     * @param ranks number of inputs combined.
     * @return the final value.
     */
    default float finish(final float left, final float right, final int ranks)
    {
        return combine(left, right);
    }
}
