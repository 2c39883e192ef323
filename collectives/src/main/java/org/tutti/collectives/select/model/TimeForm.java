/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select.model;

/** Time of an algorithm in closed form. */
@FunctionalInterface
interface TimeForm
{
    /**
     * Computes the time of a call.
     *
     * @param call call on at least two ranks.
     * @return time until the last rank completes, in nanoseconds.
     */
    double ns(ModelledCall call);
}
