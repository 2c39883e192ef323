/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

/** Arithmetic on two elements of 64 bits. Stateless. */
@FunctionalInterface
interface LongMath
{
    /**
     * Combines two elements.
     *
     * @param left  left operand.
     * @param right right operand.
     * @return the result.
     */
    long combine(long left, long right);

    /**
     * Combines two elements and makes the final value.
     *
     * @param left  left operand.
     * @param right right operand.
     * @param ranks number of inputs combined.
     * @return the final value.
     */
    default long finish(final long left, final long right, final int ranks)
    {
        return combine(left, right);
    }
}
