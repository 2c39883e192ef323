/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.report;

import java.util.ArrayList;
import java.util.List;

/**
 * A logarithmic axis: equal factors lie equally far from each other.
 *
 * @param low  least value, more than 0.
 * @param high greatest value, more than {@code low}.
 * @param from position of the least value.
 * @param to   position of the greatest value, before or after it.
 */
record LogAxis(double low, double high, double from, double to)
{
    private static final double[] STEPS = {1, 2, 5, 10};
    /** Up to so many factors of ten there is room for more labels than those of powers of ten. */
    private static final double FEW_DECADES = 1.8;
    /** Values of floating point are a little off. */
    private static final double SLACK = 1e-9;

    /**
     * An axis that has room for values: its ends are 1, 2 or 5 times a power of ten.
     *
     * @param least    least of the values, more than 0.
     * @param greatest greatest of the values.
     */
    static LogAxis around(final double least, final double greatest, final double from, final double to)
    {
        final double low = step(least * (1 + SLACK), false);
        final double high = step(greatest * (1 - SLACK), true);
        return new LogAxis(low, high > low ? high : step(low * 1.5, true), from, to);
    }

    /** The next 1, 2 or 5 times a power of ten, from a value down or up. */
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

    /** Where a value lies; one that is out of the axis, at its end. */
    double at(final double value)
    {
        final double clamped = Math.clamp(value, low, high);
        return from + (Math.log(clamped) - Math.log(low)) / (Math.log(high) - Math.log(low)) * (to - from);
    }

    /** The values to be labelled, ascending: powers of ten, and where these are few, 2 and 5 times them too. */
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
