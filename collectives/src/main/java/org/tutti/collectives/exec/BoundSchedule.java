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
 * same shape, regardless of their buffers. Not thread-safe.
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
    /** The part of SCRATCH that peers write eagerly; offsets are relative to its beginning. */
    static final int EAGER = BufferId.values().length;
    /** The number of buffers. */
    static final int BUFFERS = EAGER + 1;

    final int stepCount;
    final byte[] kinds;
    final byte[] channels;
    final byte[] sources;
    final byte[] secondSources;
    final byte[] destinations;
    final boolean[] flags;
    /** By step: whether a SIGNAL announces a block, or a WAIT checks the length of the block that arrives. */
    final boolean[] ofBlocks;
    final int[] peers;
    final long[] sourceOffsets;
    final long[] secondSourceOffsets;
    final long[] destinationOffsets;
    final long[] counts;
    /** By step: length in bytes; {@link Schedule#ALL} for a SIGNAL that exposes all of OUTPUT. */
    final long[] lengths;
    /** By step: the PUTs that must be complete before it, or null. */
    final int[][] completions;
    /** By step: whether a PUT's completion is awaited. */
    final boolean[] signaled;
    /** The last PUT to each peer: once these are complete, all other PUTs are, too. */
    final int[] finalPuts;
    /** Peers that this rank sends to. */
    final int[] outPeers;
    /** Peers that send to this rank. */
    final int[] inPeers;
    /** Whether this rank is connected to all peers that it sends to or receives from. */
    boolean isConnected;
    /** The longest PUT to SCRATCH, in bytes. */
    final long longestToScratch;
    /** Length in bytes of SCRATCH without its eager part; {@link #eagerLength} is the length of that part. */
    final long scratchLength;
    final long eagerLength;

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
        scratchLength = schedule.eagerStart() * elementSize;
        eagerLength = schedule.scratchCount() * elementSize - scratchLength;

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
            sources[step] = buffer(schedule.source(step), schedule.sourceOffset(step), schedule);
            secondSources[step] = buffer(schedule.secondSource(step), schedule.secondSourceOffset(step), schedule);
            destinations[step] = buffer(schedule.destination(step), schedule.destinationOffset(step), schedule);
            flags[step] = schedule.flag(step);
            ofBlocks[step] = schedule.isOfBlock(step);
            peers[step] = schedule.peer(step);
            sourceOffsets[step] = offset(sources[step], schedule.sourceOffset(step) * elementSize);
            secondSourceOffsets[step] = offset(secondSources[step], schedule.secondSourceOffset(step) * elementSize);
            destinationOffsets[step] = offset(destinations[step], schedule.destinationOffset(step) * elementSize);
            counts[step] = schedule.count(step);
            lengths[step] = schedule.count(step) * elementSize;
            switch (kind)
            {
                case PUT ->
                {
                    out.set(peers[step]);
                    longest = destinations[step] >= SCRATCH ? Math.max(longest, lengths[step]) : longest;
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

    private static byte buffer(final BufferId buffer, final long offset, final Schedule schedule)
    {
        return (byte)(buffer == BufferId.SCRATCH && offset >= schedule.eagerStart() ? EAGER : buffer.ordinal());
    }

    private long offset(final int buffer, final long inSchedule)
    {
        return buffer == EAGER ? inSchedule - scratchLength : inSchedule;
    }

    private void bindCompletions(final Schedule schedule, final int step, final int maxInline)
    {
        int[] needed = null;
        int count = 0;
        for (int i = 0; i < schedule.dependencyCount(step); i++)
        {
            final int dependency = schedule.dependency(step, i);
            // An inline PUT is complete when it is posted, and it was posted before, as steps are executed in order.
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
