/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

/** What is done with two elements of 64 bits. Stateless. */
@FunctionalInterface
interface LongMath
{
    /**
     * Combines two elements.
     *
     * @param left  operand.
     * @param right operand.
     * @return the result.
     */
    long combine(long left, long right);

    /**
     * Combines two elements for the last time.
     *
     * @param left  operand.
     * @param right operand.
     * @param ranks number of inputs combined.
     * @return the final value.
     */
    default long finish(final long left, final long right, final int ranks)
    {
        return combine(left, right);
    }
}
