/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

/** How a predicted time was found. */
public enum Method
{
    /** All ranks were simulated, step by step. */
    FULL,
    /** Some ranks were simulated that stand for all others, which do the same at the same times: as exact as FULL. */
    SYMMETRIC,
    /**
     * With as many elements more as give all ranks the same part, SYMMETRIC; the error is the difference to as many
     * elements less, or unknown where there are fewer elements than ranks.
     */
    ROUNDED,
    /**
     * Fewer segments were simulated, three times, and the line through the times was followed; the error is what the
     * slope between the first two times differs from that between the last two.
     */
    EXTENDED
}
