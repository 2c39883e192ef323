/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.agreement;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One call of a collective that MPI has too.
 *
 * @param shape   the collective.
 * @param type    type of the elements.
 * @param op      operation of a reduction, else NONE.
 * @param ranks   number of ranks.
 * @param root    root of a rooted collective, else 0.
 * @param inPlace whether input and output are the same.
 * @param seed    seed of the inputs.
 * @param counts  counts: one; or one per rank; or by sender and receiver, with a row per sender.
 */
record AgreementCase(
    Shape shape, Element type, MpiOperation op, int ranks, int root, boolean inPlace, long seed,
    List<Integer> counts)
{
    private static final int LONGEST = 700;

    /** A random case. */
    static AgreementCase random(final Random random, final int ranks)
    {
        final Shape shape = any(random, Shape.values());
        // MPICH 4.0 treats the padding of pairs as data in an in-place gather, whose messages then become too long;
        // pairs only matter in reductions.
        final Element type = any(random, Arrays.stream(Element.values())
            .filter(element -> shape.reduces() || !element.isPair()).toArray(Element[]::new));
        final MpiOperation op = shape.reduces() ? any(random, Arrays.stream(MpiOperation.values())
            .filter(operation -> operation.isFor(type)).toArray(MpiOperation[]::new)) : MpiOperation.NONE;
        // Prefers small counts, and includes 0.
        final int most = random.nextInt(1 + random.nextInt(LONGEST));
        final List<Integer> counts =
            IntStream.range(0, shape.counts(ranks)).mapToObj(i -> random.nextInt(most + 1)).toList();
        return new AgreementCase(shape, type, op, ranks, shape.hasRoot() ? random.nextInt(ranks) : 0,
            shape.canBeInPlace() && random.nextBoolean(), random.nextLong(), counts);
    }

    private static <T> T any(final Random random, final T[] values)
    {
        return values[random.nextInt(values.length)];
    }

    int count(final int index)
    {
        return counts.get(index);
    }

    int[] countsAsArray()
    {
        return counts.stream().mapToInt(count -> count).toArray();
    }

    int total()
    {
        return IntStream.of(countsAsArray()).sum();
    }

    /** Elements that a rank sends to each rank in an alltoallv. */
    int[] sent(final int rank)
    {
        return Arrays.copyOfRange(countsAsArray(), rank * ranks, (rank + 1) * ranks);
    }

    /** Elements that a rank receives from each rank in an alltoallv. */
    int[] received(final int rank)
    {
        return IntStream.range(0, ranks).map(sender -> count(sender * ranks + rank)).toArray();
    }

    int inputCount(final int rank)
    {
        return shape.inputCount(this, rank);
    }

    int outputCount(final int rank)
    {
        return shape.outputCount(this, rank);
    }

    /** Input line of {@code mpi_cases}. */
    @Override
    public String toString()
    {
        return shape.text() + " " + type.text() + " " + op.text() + " " + root + " " + (inPlace ? 1 : 0) + " " +
            Long.toUnsignedString(seed) + " " +
            counts.stream().map(count -> Integer.toString(count)).collect(Collectors.joining(" "));
    }
}
