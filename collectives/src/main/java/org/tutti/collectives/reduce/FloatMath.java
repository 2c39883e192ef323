/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

/** Arithmetic on two {@code float}s. Stateless. */
@FunctionalInterface
interface FloatMath
{
    /**
     * Combines two elements.
     *
     * @param left  left operand.
     * @param right right operand.
     * @return the result.
     */
    float combine(float left, float right);

    /**
     * Combines two elements and makes the final value.
     *
     * @param left  left operand.
     * @param right right operand.
     * @param ranks number of inputs combined.
     * @return the final value.
     */
    default float finish(final float left, final float right, final int ranks)
    {
        return combine(left, right);
    }
}
