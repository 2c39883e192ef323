/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

/** Arithmetic on two elements of up to 32 bits. Stateless. */
@FunctionalInterface
interface IntMath
{
    /**
     * Combines two elements.
     *
     * @param left  left operand, sign-extended to 32 bits.
     * @param right right operand, sign-extended to 32 bits.
     * @return the result; only the low bits, as many as an element has, are used.
     */
    int combine(int left, int right);

    /**
     * Combines two elements and makes the final value.
     *
     * @param left  left operand, sign-extended to 32 bits.
     * @param right right operand, sign-extended to 32 bits.
     * @param ranks number of inputs combined.
     * @return the final value.
     */
    default int finish(final int left, final int right, final int ranks)
    {
        return combine(left, right);
    }
}
