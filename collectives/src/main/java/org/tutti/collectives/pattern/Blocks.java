/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

import java.util.Arrays;

/**
 * Division of a buffer into one block per rank: block {@code p} comes from rank {@code p} or goes to it. Lengths and
 * offsets are in elements. Immutable; contiguous blocks of equal length need no memory per block.
 */
public final class Blocks
{
    private final int number;
    private final long longest;
    /** Length of each block; null if all blocks have the length {@code longest} and there are no gaps. */
    private final long[] lengths;
    /** Offset of each block, followed by the extent; null if {@code lengths} is null. */
    private final long[] offsets;
    private final long shortest;
    private final long total;
    private final long extent;
    private final boolean contiguous;
    private final int hash;

    private Blocks(final long[] lengths, final long[] offsets)
    {
        number = lengths.length;
        final long[] ends = new long[number];
        long sum = 0;
        long most = 0;
        long least = number == 0 ? 0 : Long.MAX_VALUE;
        long end = 0;
        boolean even = true;
        boolean gapless = true;
        for (int i = 0; i < number; i++)
        {
            require(lengths[i] >= 0, "count", i, lengths[i]);
            require(offsets == null || offsets[i] >= 0, "displacement", i, offsets == null ? 0 : offsets[i]);
            even &= lengths[i] == lengths[0];
            gapless &= offsets == null || offsets[i] == sum;
            ends[i] = Math.addExact(offsets == null ? sum : offsets[i], lengths[i]);
            sum = Math.addExact(sum, lengths[i]);
            most = Math.max(most, lengths[i]);
            least = Math.min(least, lengths[i]);
            end = Math.max(end, ends[i]);
        }
        total = sum;
        contiguous = gapless;
        longest = most;
        shortest = least;
        extent = end;
        this.lengths = even && gapless ? null : lengths.clone();
        this.offsets = even && gapless ? null : starts(ends);
        hash = hash();
    }

    private Blocks(final int number, final long length)
    {
        this.number = number;
        longest = length;
        shortest = length;
        total = Math.multiplyExact(number, length);
        extent = total;
        contiguous = true;
        lengths = null;
        offsets = null;
        hash = hash();
    }

    /**
     * Returns contiguous blocks of equal length.
     *
     * @param number number of blocks, at least 1.
     * @param length length of each block in elements, from 0.
     * @return the blocks, never null.
     * @throws ArithmeticException if the total length exceeds a long.
     */
    public static Blocks uniform(final int number, final long length)
    {
        require(length >= 0, "count", 0, length);
        return new Blocks(number, length);
    }

    /**
     * Returns contiguous blocks.
     *
     * @param lengths length of each block in elements, from 0; copied.
     * @return the blocks, never null.
     * @throws IllegalArgumentException if a length is negative.
     * @throws ArithmeticException      if the total length exceeds a long.
     */
    public static Blocks of(final long... lengths)
    {
        return new Blocks(lengths, null);
    }

    /**
     * Returns blocks at any offsets, with or without gaps.
     *
     * @param lengths length of each block in elements, from 0; copied.
     * @param offsets offset of each block in elements, or null for contiguous blocks; copied.
     * @return the blocks, never null.
     * @throws IllegalArgumentException if a length or an offset is negative, or the arrays differ in length.
     */
    public static Blocks of(final long[] lengths, final long[] offsets)
    {
        if (offsets != null && offsets.length != lengths.length)
        {
            throw new IllegalArgumentException("numbers of counts and displacements differ: " + lengths.length +
                " != " + offsets.length + ": give one of each per rank");
        }
        return new Blocks(lengths, offsets);
    }

    public int number()
    {
        return number;
    }

    /**
     * Returns the length of a block.
     *
     * @param block index of the block, from 0.
     * @return number of elements, from 0.
     */
    public long length(final int block)
    {
        return lengths == null ? longest : lengths[block];
    }

    /**
     * Returns the offset of a block.
     *
     * @param block index of the block, from 0; the number of blocks yields {@link #extent()}.
     * @return offset of the first element.
     */
    public long offset(final int block)
    {
        return offsets == null ? block * longest : offsets[block];
    }

    public long longest()
    {
        return longest;
    }

    public long shortest()
    {
        return shortest;
    }

    /**
     * Returns the length of all blocks together.
     *
     * @return number of elements, from 0.
     */
    public long total()
    {
        return total;
    }

    /**
     * Returns the required length of the buffer.
     *
     * @return end of the block that ends last, in elements.
     */
    public long extent()
    {
        return extent;
    }

    /**
     * Whether the blocks follow one another in order, without gaps.
     *
     * @return true also for blocks with explicit offsets that leave no gaps.
     */
    public boolean isContiguous()
    {
        return contiguous;
    }

    /**
     * Whether all blocks have the same length and are contiguous.
     *
     * @return true if the blocks equal those of {@link #uniform}.
     */
    public boolean isUniform()
    {
        return lengths == null;
    }

    /**
     * Whether {@link #of(long[], long[])} would return blocks that equal these. Allocates nothing.
     *
     * @param otherLengths lengths to compare.
     * @param otherOffsets offsets to compare, or null.
     * @return true if the blocks are equal.
     */
    public boolean isOf(final long[] otherLengths, final long[] otherOffsets)
    {
        boolean same = otherLengths.length == number;
        long offset = 0;
        for (int i = 0; same && i < number; i++)
        {
            same = length(i) == otherLengths[i] && offset(i) == (otherOffsets == null ? offset : otherOffsets[i]);
            offset += otherLengths[i];
        }
        return same;
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof final Blocks blocks && blocks.number == number && blocks.longest == longest &&
            Arrays.equals(blocks.lengths, lengths) && Arrays.equals(blocks.offsets, offsets);
    }

    @Override
    public int hashCode()
    {
        return hash;
    }

    /** Returns a text such as {@code 4 x 10} or {@code 3 0 5}, followed by {@code at 0 10 10} if there are gaps. */
    @Override
    public String toString()
    {
        if (lengths == null)
        {
            return number + " x " + longest;
        }
        final StringBuilder text = new StringBuilder();
        for (final long length : lengths)
        {
            text.append(text.isEmpty() ? "" : " ").append(length);
        }
        for (int i = 0; !contiguous && i < number; i++)
        {
            text.append(i == 0 ? " at " : " ").append(offsets[i]);
        }
        return text.toString();
    }

    private int hash()
    {
        return 31 * (31 * (31 * number + Long.hashCode(longest)) + Arrays.hashCode(lengths)) +
            Arrays.hashCode(offsets);
    }

    private long[] starts(final long[] ends)
    {
        final long[] starts = new long[number + 1];
        for (int i = 0; i < number; i++)
        {
            starts[i] = ends[i] - length(i);
        }
        starts[number] = extent;
        return starts;
    }

    private static void require(final boolean condition, final String name, final int block, final long value)
    {
        if (!condition)
        {
            throw new IllegalArgumentException(name + "[" + block + "]=" + value + ": must be at least 0");
        }
    }
}
