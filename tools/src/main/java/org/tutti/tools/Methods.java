/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import java.util.Locale;

import org.tutti.tools.simulate.Prediction;

/** How predictions were found, for people. Stateless. */
final class Methods
{
    private Methods()
    {
    }

    static String describe(final Prediction prediction)
    {
        return switch (prediction.method())
        {
            case FULL -> "all ranks";
            case SYMMETRIC -> prediction.simulatedRanks() == 1 ? "1 rank stands for all" :
                prediction.simulatedRanks() + " ranks stand for all";
            case ROUNDED -> "parts rounded up" + (Double.isNaN(prediction.error()) ? "" : error(prediction));
            case EXTENDED -> "fewer segments, extended" + error(prediction);
        };
    }

    private static String error(final Prediction prediction)
    {
        final double percent = 100 * prediction.error();
        return percent < 0.01 ? ", error below 0.01 %" :
            String.format(Locale.ROOT, ", error about %.2f %%", percent);
    }
}
