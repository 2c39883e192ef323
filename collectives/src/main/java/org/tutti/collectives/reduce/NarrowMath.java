/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import org.tutti.collectives.NarrowFloat;

/**
 * Arithmetic of floating-point numbers of 16 and 8 bits: computed as {@code float}s, rounded when the result is stored.
 *
 * @param format    format of the elements.
 * @param math      arithmetic of {@code float}s.
 * @param isAverage whether final values are divided by the number of ranks.
 */
record NarrowMath(NarrowFloat format, FloatMath math, boolean isAverage) implements IntMath
{
    @Override
    public int combine(final int left, final int right)
    {
        return format.encode(math.combine(format.decode(left), format.decode(right)));
    }

    @Override
    public int finish(final int left, final int right, final int ranks)
    {
        return format.encode(math.finish(format.decode(left), format.decode(right), ranks));
    }
}
