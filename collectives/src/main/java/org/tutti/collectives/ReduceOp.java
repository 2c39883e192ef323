/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

/**
 * What a reduction does with two elements. All are commutative and, on integers, associative.
 * <p>
 * MIN and MAX of floating-point types follow {@link Math#min(float, float)}: NaN wins, and -0.0 is less than 0.0.
 * AVG is the sum divided by the number of ranks; on integers the quotient is truncated toward zero.
 */
public enum ReduceOp
{
    /** Sum. */
    SUM,
    /** Product. */
    PROD,
    /** The smaller. */
    MIN,
    /** The larger. */
    MAX,
    /** The sum divided by the number of ranks. */
    AVG
}
