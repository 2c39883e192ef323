/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

/** How a time was predicted. */
public enum Method
{
    /** All ranks were simulated, step by step. */
    FULL,
    /**
     * Only ranks that represent all others were simulated. The others do the same at the same times, so this
     * is as exact as {@link #FULL}.
     */
    SYMMETRIC,
    /**
     * SYMMETRIC, with the count rounded up so that all ranks have equal chunks; the error is the difference from the
     * time for the count rounded down, or unknown if there are fewer elements than ranks.
     */
    ROUNDED,
    /**
     * Three simulations with fewer segments were extrapolated linearly; the error is estimated from the difference
     * between the slope of the first two times and that of the last two.
     */
    EXTENDED,
    /**
     * Not simulated, because the ranks have too many steps and differ: the time by which the cost model chooses
     * algorithms. It ignores contention in the network; error and traffic are unknown.
     */
    CLOSED_FORM
}
