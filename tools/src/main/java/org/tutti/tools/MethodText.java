/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import java.util.Locale;

import org.tutti.tools.simulate.Prediction;

/** Descriptions of {@link org.tutti.tools.simulate.Method}, for users. Stateless. */
final class MethodText
{
    private MethodText()
    {
    }

    static String describe(final Prediction prediction)
    {
        return switch (prediction.method())
        {
            case FULL -> "all ranks";
            case SYMMETRIC -> prediction.simulatedRanks() == 1 ? "1 rank represents all" :
                prediction.simulatedRanks() + " ranks represent all";
            case ROUNDED -> "rounded up to equal parts" + (Double.isNaN(prediction.error()) ? "" : error(prediction));
            case EXTENDED -> "extrapolated from fewer segments" + error(prediction);
            case CLOSED_FORM -> "closed form: too many steps to simulate";
        };
    }

    private static String error(final Prediction prediction)
    {
        final double percent = 100 * prediction.error();
        return percent < 0.01 ? ", error below 0.01 %" :
            String.format(Locale.ROOT, ", error about %.2f %%", percent);
    }
}
