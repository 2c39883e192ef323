/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.tutti.collectives.schedule.BufferId;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.StepKind;

import java.util.Arrays;
import java.util.BitSet;

/**
 * A schedule prepared for execution: offsets in bytes, the PUTs that must complete before each step, and the peers that
 * this rank sends to and receives from. Addresses are added at execution, so one bound schedule serves all calls of the
 * same shape, regardless of their buffers. Holds the state of at most one execution. Not thread-safe.
 */
final class BoundSchedule
{
    static final int PUT = StepKind.PUT.ordinal();
    static final int SIGNAL = StepKind.SIGNAL.ordinal();
    static final int WAIT = StepKind.WAIT.ordinal();
    static final int REDUCE = StepKind.REDUCE.ordinal();
    static final int COPY = StepKind.COPY.ordinal();

    static final int INPUT = BufferId.INPUT.ordinal();
    static final int OUTPUT = BufferId.OUTPUT.ordinal();
    static final int SCRATCH = BufferId.SCRATCH.ordinal();

    final int stepCount;
    final byte[] kinds;
    final byte[] channels;
    final byte[] sources;
    final byte[] secondSources;
    final byte[] destinations;
    final boolean[] flags;
    /** Whether a SIGNAL announces a block, or a WAIT checks the length of the block that arrives. */
    final boolean[] ofBlocks;
    final int[] peers;
    final long[] sourceOffsets;
    final long[] secondSourceOffsets;
    final long[] destinationOffsets;
    final long[] counts;
    /** In bytes; {@link Schedule#ALL} for a SIGNAL that exposes all of OUTPUT. */
    final long[] lengths;
    /** By step: the PUTs that must be complete before it, or null. */
    final int[][] completions;
    /** By step: whether a PUT's completion is awaited. */
    final boolean[] signaled;
    /** The last PUT to each peer: their completion implies that of all others. */
    final int[] finalPuts;
    /** Peers that this rank sends to. */
    final int[] outPeers;
    /** Peers that send to this rank. */
    final int[] inPeers;
    /** Whether all of these peers are connected. */
    boolean isConnected;
    /** The longest PUT to SCRATCH, in bytes. */
    final long longestToScratch;
    /** By step: the ordinal of a PUT in this execution. */
    final long[] ordinals;

    BoundSchedule(final Schedule schedule, final int elementSize, final int maxInline)
    {
        stepCount = schedule.stepCount();
        kinds = new byte[stepCount];
        channels = new byte[stepCount];
        sources = new byte[stepCount];
        secondSources = new byte[stepCount];
        destinations = new byte[stepCount];
        flags = new boolean[stepCount];
        ofBlocks = new boolean[stepCount];
        peers = new int[stepCount];
        sourceOffsets = new long[stepCount];
        secondSourceOffsets = new long[stepCount];
        destinationOffsets = new long[stepCount];
        counts = new long[stepCount];
        lengths = new long[stepCount];
        completions = new int[stepCount][];
        signaled = new boolean[stepCount];
        ordinals = new long[stepCount];

        final int[] lastPut = new int[schedule.request().size()];
        Arrays.fill(lastPut, -1);
        long longest = 0;
        final BitSet out = new BitSet();
        final BitSet in = new BitSet();
        for (int step = 0; step < stepCount; step++)
        {
            final StepKind kind = schedule.kind(step);
            kinds[step] = (byte)kind.ordinal();
            channels[step] = (byte)schedule.channel(step);
            sources[step] = (byte)schedule.source(step).ordinal();
            secondSources[step] = (byte)schedule.secondSource(step).ordinal();
            destinations[step] = (byte)schedule.destination(step).ordinal();
            flags[step] = schedule.flag(step);
            ofBlocks[step] = schedule.isOfBlock(step);
            peers[step] = schedule.peer(step);
            sourceOffsets[step] = schedule.sourceOffset(step) * elementSize;
            secondSourceOffsets[step] = schedule.secondSourceOffset(step) * elementSize;
            destinationOffsets[step] = schedule.destinationOffset(step) * elementSize;
            counts[step] = schedule.count(step);
            lengths[step] = schedule.count(step) * elementSize;
            switch (kind)
            {
                case PUT ->
                {
                    out.set(peers[step]);
                    longest = destinations[step] == SCRATCH ? Math.max(longest, lengths[step]) : longest;
                    if (lengths[step] > maxInline)
                    {
                        lastPut[peers[step]] = step;
                    }
                }
                case SIGNAL ->
                {
                    out.set(peers[step]);
                    lengths[step] = schedule.count(step) == Schedule.ALL ? Schedule.ALL : lengths[step];
                }
                case WAIT -> in.set(peers[step]);
                default ->
                {
                }
            }
            bindCompletions(schedule, step, maxInline);
        }
        longestToScratch = longest;
        outPeers = out.stream().toArray();
        inPeers = in.stream().toArray();
        finalPuts = Arrays.stream(lastPut).filter(step -> step >= 0).toArray();
        for (final int step : finalPuts)
        {
            signaled[step] = true;
        }
    }

    private void bindCompletions(final Schedule schedule, final int step, final int maxInline)
    {
        int[] needed = null;
        int count = 0;
        for (int i = 0; i < schedule.dependencyCount(step); i++)
        {
            final int dependency = schedule.dependency(step, i);
            // An inline PUT is complete when posted, which the order of steps ensures.
            if (kinds[dependency] == PUT && lengths[dependency] > maxInline)
            {
                needed = needed == null ? new int[schedule.dependencyCount(step)] : needed;
                needed[count++] = dependency;
                signaled[dependency] = true;
            }
        }
        if (needed != null)
        {
            completions[step] = Arrays.copyOf(needed, count);
        }
    }
}
