/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.agreement;

import java.lang.foreign.MemorySegment;

/**
 * Compares two results of one call. Integers, moved data, minima and maxima must agree bitwise. A sum of n floats in
 * any order differs from the exact sum by at most γ = (n-1)u / (1 - (n-1)u) times the sum of the magnitudes, and a
 * product by γ times its own magnitude (Higham, Accuracy and Stability of Numerical Algorithms, 2002,
 * doi:10.1137/1.9780898718027, sections 3.1 and 4.2): two results differ by at most twice that.
 */
final class Agreement
{
    /** Allows for the rounding of the bound itself, which is computed in doubles. */
    private static final double SLACK = 1 + 1e-9;

    private Agreement()
    {
    }

    /**
     * Compares the results of Tutti and MPI.
     *
     * @param of    the case.
     * @param rank  rank of the results.
     * @param own   Tutti's result of outputCount elements; its padding is overwritten.
     * @param other MPI's result of outputCount elements; its padding is overwritten.
     * @return null if they agree, else the difference.
     */
    static String difference(final AgreementCase of, final int rank, final MemorySegment own, final MemorySegment other)
    {
        of.type().clearPadding(own);
        of.type().clearPadding(other);
        final long mismatch = own.mismatch(other);
        if (mismatch < 0)
        {
            return null;
        }
        if (!of.type().isFloat() || (of.op() != MpiOperation.SUM && of.op() != MpiOperation.PROD))
        {
            return "rank " + rank + " differs at element " + mismatch / of.type().size();
        }
        for (int i = 0; i < of.outputCount(rank); i++)
        {
            final double first = of.type().get(own, i);
            final double second = of.type().get(other, i);
            final double bound = bound(of, rank, i);
            if (!(Math.abs(first - second) <= bound))
            {
                return "rank " + rank + " has " + first + " at element " + i + ", MPI " + second +
                    ": limit of the difference: " + bound;
            }
        }
        return null;
    }

    private static double bound(final AgreementCase of, final int rank, final int index)
    {
        final int inputs = of.shape().reduced(of, rank);
        final int element = of.shape().firstReduced(of, rank) + index;
        double magnitude = of.op() == MpiOperation.SUM ? 0 : 1;
        for (int source = 0; source < inputs; source++)
        {
            final double value = Math.abs(Element.input(of, source, element));
            magnitude = of.op() == MpiOperation.SUM ? magnitude + value : magnitude * value;
        }
        final double error = (inputs - 1) * of.type().unit();
        return 2 * error / (1 - error) * magnitude * SLACK;
    }
}
