/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.kernels;

import org.tutti.collectives.DataType;
import org.tutti.collectives.Elements;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.reduce.Reducer;
import org.tutti.collectives.reduce.Reducers;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Runs a kernel and its native baseline alternately on the same memory, and compares their times. */
final class KernelComparison
{
    /** Number of checked elements: not a multiple of the vector length, so that both sides have a remainder loop. */
    static final int CHECKED = (1 << 18) + 2;

    private static final int ROUNDS = 31;
    /** Minimum bytes of results per side and round. */
    private static final long ROUND_LENGTH = 8 << 20;
    private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(3);
    /** Fill byte of the operands, whose sums are then never denormal: arithmetic on denormals would be slow. */
    private static final byte ORDINARY = 0x3F;
    private static final int RANKS = 2;
    /** Offsets the operands so that their addresses map to different cache sets. */
    private static final long GAP = 4096 + 192;
    private static final int ALIGNMENT = 4096;

    private final DataType type;
    private final boolean isLast;
    private final Reducer java;
    private final MethodHandle baseline;

    /** By round: mean times of a call in nanoseconds, and Java's time over C's. */
    private final double[] javaNs = new double[ROUNDS];
    private final double[] nativeNs = new double[ROUNDS];
    private final double[] ratios = new double[ROUNDS];

    /**
     * Creates the comparison of a Java kernel with its native baseline.
     *
     * @param type     type of the elements, which are summed.
     * @param isLast   whether to compare the kernel for the last reduction of a collective.
     * @param baseline the equivalent C function.
     */
    KernelComparison(final DataType type, final boolean isLast, final MethodHandle baseline)
    {
        this.type = type;
        this.isLast = isLast;
        this.baseline = baseline;
        java = Reducers.of(type, ReduceOp.SUM);
    }

    /** Runs until the JIT compiler has compiled the loops. */
    void warmUp() throws Throwable
    {
        final long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < WARM_UP_NS)
        {
            run(1 << 16, false);
        }
    }

    /**
     * Sums operands of random bits in Java and in C, and compares the results bitwise. NaNs with different payloads
     * count as equal, except with the kernel for the last reduction, which makes NaNs canonical.
     *
     * @throws IllegalStateException naming the first element that differs.
     */
    void check() throws Throwable
    {
        final long length = (long)CHECKED * type.size();
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment left = arena.allocate(length, ALIGNMENT);
            final MemorySegment right = arena.allocate(length, ALIGNMENT);
            final MemorySegment byJava = arena.allocate(length, ALIGNMENT);
            final MemorySegment byNative = arena.allocate(length, ALIGNMENT);
            final long seed = System.nanoTime();
            final Random random = new Random(seed);
            left.copyFrom(MemorySegment.ofArray(random.ints(length / Integer.BYTES).toArray()));
            right.copyFrom(MemorySegment.ofArray(random.ints(length / Integer.BYTES).toArray()));
            call(true, left.address(), right.address(), byJava.address(), CHECKED);
            call(false, left.address(), right.address(), byNative.address(), CHECKED);
            for (long at = 0; at < length; at += type.size())
            {
                final boolean isSame =
                    MemorySegment.mismatch(byJava, at, at + type.size(), byNative, at, at + type.size()) < 0;
                final double sum = Elements.getDouble(type, byJava, at);
                final double nativeSum = Elements.getDouble(type, byNative, at);
                if (!isSame && (isLast || !Double.isNaN(sum) || !Double.isNaN(nativeSum)))
                {
                    throw new IllegalStateException("sums of " + type + " differ: " +
                        Elements.getDouble(type, left, at) + " and " + Elements.getDouble(type, right, at) + " are " +
                        sum + " by Java and " + nativeSum + " by C, element " + at / type.size() + " of seed " + seed);
                }
            }
        }
    }

    /**
     * Measures operands of one length.
     *
     * @param length    bytes of each operand.
     * @param isInPlace whether the result overwrites the left operand.
     * @return a line of the table.
     */
    String row(final long length, final boolean isInPlace) throws Throwable
    {
        run(length, isInPlace);
        return String.format("%10d  %-8s  %-4s  %-9s  %8.2f  %8.2f  %6.2f  (%.2f - %.2f)", length, type,
            isLast ? "yes" : "no", isInPlace ? "left" : "other", length / quantile(javaNs, 0.5),
            length / quantile(nativeNs, 0.5), quantile(ratios, 0.5), quantile(ratios, 0.25), quantile(ratios, 0.75));
    }

    private void run(final long length, final boolean isInPlace) throws Throwable
    {
        final int calls = (int)Math.max(1, ROUND_LENGTH / length);
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment memory = arena.allocate(3 * (length + GAP), ALIGNMENT);
            final long left = memory.address();
            final long right = left + length + GAP;
            final long dst = isInPlace ? left : right + length + GAP;
            memory.fill(ORDINARY);
            for (int round = -2; round < ROUNDS; round++)
            {
                final boolean isJavaFirst = (round & 1) == 0;
                final double first = takesNs(isJavaFirst, left, right, dst, length, calls);
                final double second = takesNs(!isJavaFirst, left, right, dst, length, calls);
                if (round >= 0)
                {
                    javaNs[round] = isJavaFirst ? first : second;
                    nativeNs[round] = isJavaFirst ? second : first;
                    ratios[round] = javaNs[round] / nativeNs[round];
                }
            }
        }
    }

    private double takesNs(
        final boolean isJava, final long left, final long right, final long dst, final long length, final int calls)
        throws Throwable
    {
        final long count = length / type.size();
        final long startNs = System.nanoTime();
        for (int i = 0; i < calls; i++)
        {
            call(isJava, left, right, dst, count);
        }
        return (System.nanoTime() - startNs) / (double)calls;
    }

    private void call(final boolean isJava, final long left, final long right, final long dst, final long count)
        throws Throwable
    {
        if (!isJava)
        {
            baseline.invokeExact(left, right, dst, count);
        }
        else if (isLast)
        {
            java.reduceAndFinish(left, right, dst, count, RANKS);
        }
        else
        {
            java.reduce(left, right, dst, count);
        }
    }

    private static double quantile(final double[] values, final double part)
    {
        final double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[(int)(part * (sorted.length - 1))];
    }
}
