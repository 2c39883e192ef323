/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.DataType;
import org.tutti.collectives.Elements;
import org.tutti.collectives.ReduceOp;

import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/**
 * Inputs of the ranks and expected results, exact to the bit. Each element is a pseudo-random number chosen such that
 * sums and products over all ranks are exactly representable: the order of operations does not matter, and the division
 * of an average rounds only once. For floating-point types of at most 16 bits, at most two ranks per element contribute
 * a value other than 0 (for products, other than 1 and -1); which ranks do so differs by element.
 *
 * @param type      type of the elements.
 * @param op        operation of the reduction; SUM for data that is only moved.
 * @param size      number of ranks per group: ranks 0 to {@code size - 1} are the first group, the next {@code size}
 *                  ranks the second, and so on. Results are exact if only ranks of one group are combined.
 * @param firstRank first rank whose elements are combined.
 * @param ranks     number of ranks whose elements are combined: 1 for data that is only moved.
 */
record TestData(DataType type, ReduceOp op, int size, int firstRank, int ranks)
{
    /** Only this many ranks contribute factors other than 1 and -1 to floating-point products, to avoid overflow. */
    private static final int RANKS_WITH_FACTORS = 32;

    /** Fill byte of outputs with elements of more than two bytes: hardly any result consists of such bytes. */
    private static final byte POISON = (byte)0xA5;

    /**
     * Writes a rank's input.
     *
     * @param segment segment to fill.
     * @param count   number of elements.
     * @param rank    rank, from 0.
     */
    void fill(final MemorySegment segment, final long count, final int rank)
    {
        for (long i = 0; i < count; i++)
        {
            final long offset = i * type.size();
            if (isFloating())
            {
                Elements.setDouble(values(), segment, offset, number(rank, i));
            }
            else
            {
                Elements.setLong(values(), segment, offset, integer(rank, i));
            }
            if (type.isPair())
            {
                setIndex(segment, offset, rank);
            }
        }
    }

    /**
     * Overwrites the output with values that differ from the result, so that unwritten elements are detected. In types
     * of one or two bytes any value may be a result, so each element gets the complement of the expected one.
     *
     * @param segment segment to fill.
     * @param count   number of elements.
     */
    void poison(final MemorySegment segment, final long count)
    {
        final int size = type.size();
        if (size > Short.BYTES)
        {
            segment.asSlice(0, count * size).fill(POISON);
            return;
        }
        final MemorySegment expected = MemorySegment.ofArray(new long[1]);
        for (long i = 0; i < count; i++)
        {
            expect(expected, i);
            for (int b = 0; b < size; b++)
            {
                segment.set(JAVA_BYTE, i * size + b, (byte)~expected.get(JAVA_BYTE, b));
            }
        }
    }

    /**
     * Counts the elements that differ from the expected result in any bit.
     *
     * @param segment result.
     * @param count   number of elements.
     * @return number of wrong elements, from 0 to {@code count}.
     */
    long countWrong(final MemorySegment segment, final long count)
    {
        final MemorySegment expected = MemorySegment.ofArray(new long[2]);
        long wrong = 0;
        for (long i = 0; i < count; i++)
        {
            expect(expected, i);
            final long offset = i * type.size();
            final boolean same =
                MemorySegment.mismatch(segment, offset, offset + type.size(), expected, 0, type.size()) < 0;
            wrong += same ? 0 : 1;
        }
        return wrong;
    }

    private void expect(final MemorySegment element, final long index)
    {
        if (type.isPair())
        {
            expectPair(element, index);
        }
        else if (isFloating())
        {
            Elements.setDouble(type, element, 0, expectedNumber(index));
        }
        else
        {
            Elements.setLong(type, element, 0, expectedInteger(index));
        }
    }

    /** Of equal values, the pair of the lowest rank wins. */
    private void expectPair(final MemorySegment element, final long index)
    {
        int best = firstRank;
        for (int rank = firstRank + 1; rank < firstRank + ranks; rank++)
        {
            final int order = isFloating() ? Double.compare(number(rank, index), number(best, index)) :
                Long.compare(integer(rank, index), integer(best, index));
            best = (op.equals(ReduceOp.MINLOC) ? order < 0 : order > 0) ? rank : best;
        }
        if (isFloating())
        {
            Elements.setDouble(values(), element, 0, number(best, index));
        }
        else
        {
            Elements.setLong(values(), element, 0, integer(best, index));
        }
        setIndex(element, 0, best);
    }

    private long expectedInteger(final long index)
    {
        final boolean signed = type.isSigned();
        long result = factor() * integer(firstRank, index);
        for (int rank = firstRank + 1; rank < firstRank + ranks; rank++)
        {
            final long value = factor() * integer(rank, index);
            final int order = signed ? Long.compare(result, value) : Long.compareUnsigned(result, value);
            result = switch (op.kind())
            {
                case SUM, AVG, PREMUL_SUM -> result + value;
                case PROD -> result * value;
                case MIN -> order < 0 ? result : value;
                case MAX -> order > 0 ? result : value;
                case BAND -> result & value;
                case BOR -> result | value;
                case BXOR -> result ^ value;
                case LAND -> result != 0 && value != 0 ? 1 : 0;
                case LOR -> result != 0 || value != 0 ? 1 : 0;
                case LXOR -> (result != 0) ^ (value != 0) ? 1 : 0;
                case MINLOC, MAXLOC, USER -> throw new IllegalStateException(op.shortName());
            };
        }
        // Sums and products wrap: the low bits do not depend on the high bits.
        final long wrapped = wrap(result);
        return !op.equals(ReduceOp.AVG) ? wrapped : signed ? wrapped / ranks : Long.divideUnsigned(wrapped, ranks);
    }

    private double expectedNumber(final long index)
    {
        double result = factor() * number(firstRank, index);
        for (int rank = firstRank + 1; rank < firstRank + ranks; rank++)
        {
            final double value = factor() * number(rank, index);
            result = switch (op.kind())
            {
                case SUM, AVG, PREMUL_SUM -> result + value;
                case PROD -> result * value;
                case MIN -> Math.min(result, value);
                case MAX -> Math.max(result, value);
                default -> throw new IllegalStateException(op.shortName());
            };
        }
        if (!op.equals(ReduceOp.AVG))
        {
            return result;
        }
        return type.equals(DataType.FLOAT64) ? result / ranks : (float)result / ranks;
    }

    private long factor()
    {
        return (long)op.scale();
    }

    /**
     * Any value of the type, because integer arithmetic wraps and so remains exact. Pairs use few values, so that some
     * are equal.
     */
    private long integer(final int rank, final long index)
    {
        final long random = random(rank, index);
        // For logical operations, half of the elements are 0.
        final boolean logical = switch (op.kind())
        {
            case LAND, LOR, LXOR -> true;
            default -> false;
        };
        return type.isPair() ? random >> 60 : logical && random < 0 ? 0 : wrap(random);
    }

    private long wrap(final long value)
    {
        final int unused = Long.SIZE - type.size() * Byte.SIZE;
        return unused <= 0 ? value : type.isSigned() ? value << unused >> unused : value << unused >>> unused;
    }

    /**
     * For products, 1, 2, 0.5 or the negative of one of them; for other operations, a whole number: from -128 to 127,
     * from -8 to 7 in pairs, or from -2 to 1 in types of at most 16 bits.
     */
    private double number(final int rank, final long index)
    {
        final int random = (int)(random(rank, index) >>> 56);
        final boolean few = type.size() <= Short.BYTES;
        // At most two of the combined ranks contribute, else the result would not be exact.
        final boolean counts = !few || Math.floorMod(rank - random(-1 - rank / size, index), (long)size) < 2;
        if (!op.equals(ReduceOp.PROD))
        {
            return few ? counts ? (random >> 6) - 2 : 0 : type.isPair() ? (random >> 4) - 8 : random - 128;
        }
        final double factor = !counts || (!few && rank >= RANKS_WITH_FACTORS) ? 1.0 : switch (random >> 1 & 3)
        {
            case 0 -> 0.5;
            case 1 -> 2.0;
            default -> 1.0;
        };
        return (random & 1) == 0 ? factor : -factor;
    }

    /**
     * SplitMix64, by Steele, Lea and Flood (doi:10.1145/2714064.2660195), with a state computed from rank and index.
     */
    private static long random(final int rank, final long index)
    {
        long z = index * 0x9E37_79B9_7F4A_7C15L + (rank + 1L) * 0xD1B5_4A32_D192_ED03L;
        z = (z ^ z >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ z >>> 27) * 0x94D0_49BB_1331_11EBL;
        return z ^ z >>> 31;
    }

    /** Type of the elements, or of the values of pairs. */
    private DataType values()
    {
        return switch (type.kind())
        {
            case FLOAT32_INT32 -> DataType.FLOAT32;
            case FLOAT64_INT64 -> DataType.FLOAT64;
            case INT32_INT32 -> DataType.INT32;
            case INT64_INT64 -> DataType.INT64;
            default -> type;
        };
    }

    private boolean isFloating()
    {
        return values().isFloating();
    }

    private void setIndex(final MemorySegment segment, final long offset, final int rank)
    {
        final int half = type.size() / 2;
        Elements.setLong(half == Integer.BYTES ? DataType.INT32 : DataType.INT64, segment, offset + half, rank);
    }
}
