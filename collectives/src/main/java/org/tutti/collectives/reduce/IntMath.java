/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

/** What is done with two elements of up to 32 bits. Stateless. */
@FunctionalInterface
interface IntMath
{
    /**
     * Combines two elements.
     *
     * @param left  operand, its bits extended by its highest one.
     * @param right operand, its bits extended by its highest one.
     * @return the result, of which as many low bits count as an element has.
     */
    int combine(int left, int right);

    /**
     * Combines two elements for the last time.
     *
     * @param left  operand, its bits extended by its highest one.
     * @param right operand, its bits extended by its highest one.
     * @param ranks number of inputs combined.
     * @return the final value.
     */
    default int finish(final int left, final int right, final int ranks)
    {
        return combine(left, right);
    }
}
