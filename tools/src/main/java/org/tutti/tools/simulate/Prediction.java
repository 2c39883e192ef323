/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

/**
 * Predicted time of a call.
 *
 * @param seconds        time until the last rank has completed, in seconds.
 * @param method         prediction method.
 * @param error          relative error due to the method, not to the cost model, at least 0; NaN if unknown.
 * @param simulatedRanks number of simulated ranks; 0 if the time is a closed form.
 * @param messages       mean number of PUTs and SIGNALs per rank; NaN if the time is a closed form.
 * @param bytes          mean number of bytes sent per rank; NaN if the time is a closed form.
 */
public record Prediction(
    double seconds, Method method, double error, int simulatedRanks, double messages, double bytes)
{
    Prediction by(final Method otherMethod, final double otherError)
    {
        return new Prediction(seconds, otherMethod, otherError, simulatedRanks, messages, bytes);
    }
}
