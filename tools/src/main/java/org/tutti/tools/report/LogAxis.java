/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.report;

import java.util.ArrayList;
import java.util.List;

/**
 * A logarithmic axis.
 *
 * @param low  minimum value, greater than 0.
 * @param high maximum value, greater than {@code low}.
 * @param from position of the minimum.
 * @param to   position of the maximum, before or after that of the minimum.
 */
record LogAxis(double low, double high, double from, double to)
{
    private static final double[] STEPS = {1, 2, 5, 10};
    /** Below this number of decades there is room for more labels than those of powers of ten. */
    private static final double FEW_DECADES = 1.8;
    /** Relative tolerance for rounding errors. */
    private static final double SLACK = 1e-9;

    /**
     * Creates an axis that covers values; the ends of the axis are 1, 2 or 5 times a power of ten.
     *
     * @param least    minimum of the values, greater than 0.
     * @param greatest maximum of the values.
     */
    static LogAxis around(final double least, final double greatest, final double from, final double to)
    {
        final double low = step(least * (1 + SLACK), false);
        final double high = step(greatest * (1 - SLACK), true);
        return new LogAxis(low, high > low ? high : step(low * 1.5, true), from, to);
    }

    /** The nearest 1, 2 or 5 times a power of ten that is not above a value; if {@code isUp}, not below it. */
    private static double step(final double value, final boolean isUp)
    {
        final double power = Math.pow(10, Math.floor(Math.log10(value)));
        double found = power;
        for (final double step : STEPS)
        {
            if (step * power <= value)
            {
                found = step * power;
            }
            else if (isUp)
            {
                return step * power;
            }
        }
        return found;
    }

    /** Position of a value, clamped to the ends of the axis. */
    double at(final double value)
    {
        final double clamped = Math.clamp(value, low, high);
        return from + (Math.log(clamped) - Math.log(low)) / (Math.log(high) - Math.log(low)) * (to - from);
    }

    /** Labelled values in ascending order: powers of ten and, if these are few, 2 and 5 times them. */
    List<Double> ticks()
    {
        final boolean isDense = Math.log10(high / low) <= FEW_DECADES;
        final List<Double> ticks = new ArrayList<>();
        for (double power = Math.floor(Math.log10(low)); Math.pow(10, power) <= high * (1 + SLACK); power++)
        {
            for (final double step : isDense ? new double[] {1, 2, 5} : new double[] {1})
            {
                final double tick = step * Math.pow(10, power);
                if (tick >= low * (1 - SLACK) && tick <= high * (1 + SLACK))
                {
                    ticks.add(tick);
                }
            }
        }
        return ticks;
    }
}
