/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.schedule;

import java.util.Arrays;

/**
 * Writes a schedule step by step. Every method that adds a step returns its number, for later steps to depend on; a
 * dependency of -1 is ignored, so that "the step before, if any" needs no special case. Not thread-safe.
 */
public final class ScheduleBuilder
{
    static final int FLAG = 1 << 6;

    final ScheduleRequest request;
    long scratchCount;
    int stepCount;
    byte[] kinds = new byte[16];
    byte[] channels = new byte[16];
    byte[] buffers = new byte[16];
    int[] peers = new int[16];
    long[] offsets = new long[48];
    long[] counts = new long[16];
    int[] dependencyStarts = new int[17];
    int[] dependencies = new int[32];

    /**
     * Begins a schedule.
     *
     * @param request what it is made for.
     */
    public ScheduleBuilder(final ScheduleRequest request)
    {
        this.request = request;
    }

    /**
     * Says how much SCRATCH the schedule uses.
     *
     * @param count elements; the same on all ranks.
     * @return this.
     */
    public ScheduleBuilder scratch(final long count)
    {
        scratchCount = count;
        return this;
    }

    /**
     * Adds a PUT.
     *
     * @param peer        to write to.
     * @param channel     to arrive on.
     * @param source      local buffer.
     * @param offset      in it.
     * @param destination SCRATCH or OUTPUT of the peer.
     * @param destOffset  in it; in OUTPUT, counted from what the peer exposed.
     * @param count       elements.
     * @param after       steps that must be done before.
     * @return the step's number.
     */
    @SuppressWarnings("checkstyle:ParameterNumber")
    public int put(
        final int peer, final int channel,
        final BufferId source, final long offset,
        final BufferId destination, final long destOffset,
        final long count, final int... after)
    {
        return add(StepKind.PUT, peer, channel, source.ordinal() | destination.ordinal() << 4,
            offset, 0, destOffset, count, after);
    }

    /**
     * Adds a SIGNAL: a credit.
     *
     * @param peer    to tell.
     * @param channel to arrive on.
     * @param after   steps that must be done before.
     * @return the step's number.
     */
    public int signal(final int peer, final int channel, final int... after)
    {
        return add(StepKind.SIGNAL, peer, channel, 0, 0, 0, 0, 0, after);
    }

    /**
     * Adds a SIGNAL that says how long the block is that this rank has for the peer, and sends nothing of it.
     *
     * @param peer    to tell.
     * @param channel to arrive on.
     * @param count   elements, from 0.
     * @param after   steps that must be done before.
     * @return the step's number.
     */
    public int announce(final int peer, final int channel, final long count, final int... after)
    {
        return add(StepKind.SIGNAL, peer, channel, BufferId.SCRATCH.ordinal() << 4, 0, 0, 0, count, after);
    }

    /**
     * Adds a SIGNAL that exposes all of OUTPUT to the peer.
     *
     * @param peer    who may PUT into it from then on.
     * @param channel to arrive on.
     * @param after   steps that must be done before.
     * @return the step's number.
     */
    public int expose(final int peer, final int channel, final int... after)
    {
        return add(StepKind.SIGNAL, peer, channel, FLAG, 0, 0, 0, Schedule.ALL, after);
    }

    /**
     * Adds a SIGNAL that exposes a part of OUTPUT to the peer: what it PUTs is counted from there.
     *
     * @param peer    who may PUT into it from then on.
     * @param channel to arrive on.
     * @param offset  first element.
     * @param count   elements, as many as the peer has for it, from 0.
     * @param after   steps that must be done before.
     * @return the step's number.
     */
    public int expose(
        final int peer, final int channel, final long offset, final long count, final int... after)
    {
        return add(StepKind.SIGNAL, peer, channel, FLAG, offset, 0, 0, count, after);
    }

    /**
     * Adds a WAIT for the next arrival.
     *
     * @param peer    from whom.
     * @param channel on what.
     * @param after   steps that must be done before.
     * @return the step's number.
     */
    public int await(final int peer, final int channel, final int... after)
    {
        return add(StepKind.WAIT, peer, channel, 0, 0, 0, 0, 0, after);
    }

    /**
     * Adds a WAIT for the peer to expose a part of its OUTPUT, which must be as long as what this rank has for it.
     *
     * @param peer    from whom.
     * @param channel on what.
     * @param count   elements, from 0.
     * @param after   steps that must be done before.
     * @return the step's number.
     */
    public int awaitExposure(final int peer, final int channel, final long count, final int... after)
    {
        return add(StepKind.WAIT, peer, channel, FLAG, 0, 0, 0, count, after);
    }

    /**
     * Adds a WAIT for a block that the peer PUTs into SCRATCH, or announces, and which must be as long as this rank
     * expects.
     *
     * @param peer    from whom.
     * @param channel on what.
     * @param count   elements, from 0.
     * @param after   steps that must be done before.
     * @return the step's number.
     */
    public int awaitBlock(final int peer, final int channel, final long count, final int... after)
    {
        return add(StepKind.WAIT, peer, channel, FLAG | BufferId.SCRATCH.ordinal() << 4, 0, 0, 0, count, after);
    }

    /**
     * Adds a REDUCE: {@code destination = left op right}. The destination may be the same range as a source.
     *
     * @param left        buffer of the left operand.
     * @param leftOffset  in it.
     * @param right       buffer of the right operand.
     * @param rightOffset in it.
     * @param destination INPUT is not allowed.
     * @param destOffset  in it.
     * @param count       elements.
     * @param finish      whether this makes the final value.
     * @param after       steps that must be done before.
     * @return the step's number.
     */
    @SuppressWarnings("checkstyle:ParameterNumber")
    public int reduce(
        final BufferId left, final long leftOffset,
        final BufferId right, final long rightOffset,
        final BufferId destination, final long destOffset,
        final long count, final boolean finish, final int... after)
    {
        return add(StepKind.REDUCE, -1, 0,
            left.ordinal() | right.ordinal() << 2 | destination.ordinal() << 4 | (finish ? FLAG : 0),
            leftOffset, rightOffset, destOffset, count, after);
    }

    /**
     * Adds a REDUCE with what a peer has: {@code destination = left op peer's INPUT}.
     *
     * @param left        buffer of the left operand.
     * @param leftOffset  in it.
     * @param peer        who has exposed its OUTPUT.
     * @param inputOffset in its INPUT.
     * @param destination INPUT is not allowed.
     * @param destOffset  in it.
     * @param count       elements.
     * @param finish      whether this makes the final value.
     * @param after       steps that must be done before.
     * @return the step's number.
     */
    @SuppressWarnings("checkstyle:ParameterNumber")
    public int reduceWithPeer(
        final BufferId left, final long leftOffset,
        final int peer, final long inputOffset,
        final BufferId destination, final long destOffset,
        final long count, final boolean finish, final int... after)
    {
        return add(StepKind.REDUCE, peer, 0,
            left.ordinal() | BufferId.INPUT.ordinal() << 2 | destination.ordinal() << 4 | (finish ? FLAG : 0),
            leftOffset, inputOffset, destOffset, count, after);
    }

    /**
     * Adds a COPY.
     *
     * @param source      buffer.
     * @param offset      in it.
     * @param destination INPUT is not allowed.
     * @param destOffset  in it.
     * @param count       elements.
     * @param after       steps that must be done before.
     * @return the step's number.
     */
    public int copy(
        final BufferId source, final long offset,
        final BufferId destination, final long destOffset,
        final long count, final int... after)
    {
        return add(StepKind.COPY, -1, 0, source.ordinal() | destination.ordinal() << 4,
            offset, 0, destOffset, count, after);
    }

    /**
     * Adds a COPY of what a peer has in its INPUT.
     *
     * @param peer        who has exposed its OUTPUT.
     * @param offset      in its INPUT.
     * @param destination INPUT is not allowed.
     * @param destOffset  in it.
     * @param count       elements.
     * @param after       steps that must be done before.
     * @return the step's number.
     */
    public int copyFromPeer(
        final int peer, final long offset, final BufferId destination, final long destOffset, final long count,
        final int... after)
    {
        return add(StepKind.COPY, peer, 0, BufferId.INPUT.ordinal() | destination.ordinal() << 4,
            offset, 0, destOffset, count, after);
    }

    /**
     * Ends the schedule.
     *
     * @return the steps so far, immutable.
     */
    public Schedule build()
    {
        return new Schedule(this);
    }

    @SuppressWarnings("checkstyle:ParameterNumber")
    int add(
        final StepKind kind, final int peer, final int channel, final int bufferBits,
        final long offset, final long secondOffset, final long destOffset, final long count, final int... after)
    {
        final int step = stepCount;
        ensureCapacity(step + 1);
        kinds[step] = (byte)kind.ordinal();
        peers[step] = peer;
        channels[step] = (byte)channel;
        buffers[step] = (byte)bufferBits;
        offsets[3 * step] = offset;
        offsets[3 * step + 1] = secondOffset;
        offsets[3 * step + 2] = destOffset;
        counts[step] = count;
        int end = dependencyStarts[step];
        if (end + after.length > dependencies.length)
        {
            dependencies = Arrays.copyOf(dependencies, Math.max(2 * dependencies.length, end + after.length));
        }
        for (final int dependency : after)
        {
            if (dependency >= step)
            {
                throw new IllegalArgumentException("step " + step + " cannot depend on the later step " + dependency);
            }
            if (dependency >= 0)
            {
                dependencies[end++] = dependency;
            }
        }
        dependencyStarts[step + 1] = end;
        stepCount = step + 1;
        return step;
    }

    private void ensureCapacity(final int needed)
    {
        if (needed > kinds.length)
        {
            final int capacity = 2 * kinds.length;
            kinds = Arrays.copyOf(kinds, capacity);
            channels = Arrays.copyOf(channels, capacity);
            buffers = Arrays.copyOf(buffers, capacity);
            peers = Arrays.copyOf(peers, capacity);
            offsets = Arrays.copyOf(offsets, 3 * capacity);
            counts = Arrays.copyOf(counts, capacity);
            dependencyStarts = Arrays.copyOf(dependencyStarts, capacity + 1);
        }
    }
}
