/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

/**
 * How long a call takes.
 *
 * @param seconds        time until the last rank is done, in seconds.
 * @param method         how this was found.
 * @param error          the part of the time by which it may be wrong because of the method, from 0, not because of the
 *                       cost model; NaN where that is unknown.
 * @param simulatedRanks number of simulated ranks.
 * @param messages       PUTs and SIGNALs that a rank sends, on the mean.
 * @param bytes          what a rank sends, on the mean.
 */
public record Prediction(
    double seconds, Method method, double error, int simulatedRanks, double messages, double bytes)
{
    Prediction by(final Method otherMethod, final double otherError)
    {
        return new Prediction(seconds, otherMethod, otherError, simulatedRanks, messages, bytes);
    }
}
