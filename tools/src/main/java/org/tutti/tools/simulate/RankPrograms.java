/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Builds the programs of a call, one rank at a time; equal programs, and equal shapes of different programs, are stored
 * once. Not thread-safe.
 */
final class RankPrograms
{
    private static final int FIRST_SAMPLES = 8;
    private static final int RANDOM_SAMPLES = 16;
    /** With more outlets, finding the inbox of each would take longer than any saving. */
    private static final int MAX_OUTLETS = 256;
    /** Maximum number of steps of the programs that are compared to find a common one. */
    private static final long MAX_COMPARED_STEPS = 1L << 26;

    private final SimulatedCall call;
    private final int size;
    private final int inlineBytes;
    private final Map<ProgramShape, ProgramShape> shapes = new HashMap<>();
    private final Map<RankProgram, RankProgram> programs = new HashMap<>();

    RankPrograms(final SimulatedCall call, final int inlineBytes)
    {
        this.call = call;
        this.inlineBytes = inlineBytes;
        size = call.size();
    }

    /** Builds the program of a rank. */
    RankProgram of(final int rank)
    {
        final RankProgram program =
            RankProgramBuilder.of(call.schedule(rank), rank, size, call.elementSize(), inlineBytes);
        final ProgramShape shape = shapes.putIfAbsent(program.shape, program.shape);
        final RankProgram shared = shape == null ? program : program.sharing(shape);
        final RankProgram same = programs.putIfAbsent(shared, shared);
        return same == null ? shared : same;
    }

    /** Builds the programs of the first ranks. */
    RankProgram[] first(final int ranks)
    {
        final RankProgram[] first = new RankProgram[ranks];
        Arrays.setAll(first, this::of);
        return first;
    }

    /**
     * Builds the programs of all ranks, or returns null if they are too long.
     *
     * @param maxSteps  maximum number of steps of all programs.
     * @param maxStored maximum number of steps that need memory, those of all shapes.
     */
    RankProgram[] all(final long maxSteps, final long maxStored)
    {
        // Programs of special ranks, such as roots, are among the samples, but not among the random ones.
        final long mean = random(size).mapToLong(rank -> call.schedule(rank).stepCount()).sum() / RANDOM_SAMPLES;
        if (mean > 2 * maxSteps / size)
        {
            return null;
        }
        final RankProgram[] all = new RankProgram[size];
        long steps = 0;
        long stored = 0;
        for (int rank = 0; rank < size; rank++)
        {
            final int known = shapes.size();
            all[rank] = of(rank);
            steps += all[rank].steps();
            stored += shapes.size() > known ? all[rank].steps() : 0;
            if (steps > maxSteps || stored > maxStored)
            {
                return null;
            }
        }
        return all;
    }

    /**
     * Finds a program that represents all ranks, because they do the same with other peers: all programs have its
     * shape, and each outlet leads to the same inbox of every receiver.
     *
     * @return inboxes by outlet of rank 0; null if ranks differ, or have too many outlets or steps to compare.
     */
    int[] commonInboxes()
    {
        final RankProgram first = of(0);
        final int outlets = first.shape.outletChannels.length;
        final long compared = (1L + first.connectionPeers.length) * first.steps() * samples(size).count();
        if (outlets > MAX_OUTLETS || outlets != first.shape.inboxChannels.length || compared > MAX_COMPARED_STEPS)
        {
            return null;
        }
        // All shapes first, because most calls differ here.
        if (!samples(size).allMatch(rank -> of(rank).shape.equals(first.shape)))
        {
            return null;
        }
        final int[] inboxes = inboxes(0, first);
        final boolean areDistinct = Arrays.stream(inboxes).filter(inbox -> inbox >= 0).distinct().count() == outlets;
        return areDistinct && samples(size).allMatch(rank -> Arrays.equals(inboxes(rank, of(rank)), inboxes)) ?
            inboxes : null;
    }

    /** By outlet: the receiver's inbox, or -1 if there is none or the receiver has a program of another shape. */
    private int[] inboxes(final int rank, final RankProgram program)
    {
        final ProgramShape shape = program.shape;
        final int[] inboxes = new int[shape.outletChannels.length];
        final Map<Integer, RankProgram> receivers = new HashMap<>();
        for (int outlet = 0; outlet < inboxes.length; outlet++)
        {
            final int distance = program.connectionPeers[shape.outletConnections[outlet]];
            final RankProgram receiver = receivers.computeIfAbsent((int)((rank + (long)distance) % size), this::of);
            inboxes[outlet] = receiver.shape.equals(shape) ?
                receiver.inbox((size - distance) % size, shape.outletChannels[outlet]) : -1;
        }
        return inboxes;
    }

    /** All ranks if they are few; else the first, the last, those near the middle, and some pseudo-random ranks. */
    static IntStream samples(final int size)
    {
        if (size <= 4 * RANDOM_SAMPLES)
        {
            return IntStream.range(0, size);
        }
        final IntStream ends = IntStream.range(0, FIRST_SAMPLES).flatMap(
            (i) -> IntStream.of(i, size / 2 - FIRST_SAMPLES / 2 + i, size - 1 - i));
        return IntStream.concat(ends, random(size));
    }

    private static IntStream random(final int size)
    {
        return new SplittableRandom(size).ints(RANDOM_SAMPLES, 0, size);
    }
}
