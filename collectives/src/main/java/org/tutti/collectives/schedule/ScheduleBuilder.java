/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.schedule;

import java.util.Arrays;

/**
 * Builds a schedule step by step. Every method that adds a step returns its number, for later steps to depend on. A
 * dependency of -1 is ignored, so an optional dependency needs no special case. Not thread-safe.
 */
public final class ScheduleBuilder
{
    /**
     * Indexes of a step's operands. One byte per step has two bits for the buffer of each operand, and above them one
     * bit for {@link Schedule#flag}.
     */
    static final int SOURCE = 0;
    static final int SECOND_SOURCE = 1;
    static final int DESTINATION = 2;
    static final int OPERANDS = 3;
    static final int BITS_PER_BUFFER = 2;
    static final int FLAG = 1 << (OPERANDS * BITS_PER_BUFFER);

    private static final int NO_PEER = -1;
    private static final Location SCRATCH_START = BufferId.SCRATCH.at(0);

    final ScheduleRequest request;
    long scratchCount;
    long eagerStart = Long.MAX_VALUE;
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
     * Creates a builder without steps.
     *
     * @param request request of the schedule.
     */
    public ScheduleBuilder(final ScheduleRequest request)
    {
        this.request = request;
    }

    /**
     * Sets the length of SCRATCH that the schedule uses.
     *
     * @param count length in elements, the same on all ranks.
     * @return this builder.
     */
    public ScheduleBuilder scratch(final long count)
    {
        scratchCount = count;
        return this;
    }

    /**
     * Sets where the part of SCRATCH begins that peers write without knowing whether this rank has begun the call.
     *
     * @param offset offset in elements, the same on all ranks; the part extends to the end.
     * @return this builder.
     */
    public ScheduleBuilder eagerFrom(final long offset)
    {
        eagerStart = offset;
        return this;
    }

    /**
     * Adds a PUT.
     *
     * @param peer        peer to write to.
     * @param channel     channel of the arrival.
     * @param source      source in a local buffer.
     * @param destination destination in SCRATCH or OUTPUT of the peer; in OUTPUT, relative to the range exposed.
     * @param count       number of elements.
     * @param after       steps that must be done before, -1 for none.
     * @return the step's number.
     */
    public int put(
        final int peer, final int channel, final Location source, final Location destination, final long count,
        final int... after)
    {
        final int step = add(StepKind.PUT, peer, channel, count, after);
        set(step, SOURCE, source);
        set(step, DESTINATION, destination);
        return step;
    }

    /**
     * Adds a PUT, or a SIGNAL if there are no elements, for a peer that waits for an arrival in both cases.
     *
     * @param peer        peer to write to.
     * @param channel     channel of the arrival.
     * @param source      source in a local buffer.
     * @param destination destination in SCRATCH or OUTPUT of the peer; in OUTPUT, relative to the range exposed.
     * @param count       number of elements, from 0.
     * @param after       steps that must be done before, -1 for none.
     * @return the step's number.
     */
    public int putOrSignal(
        final int peer, final int channel, final Location source, final Location destination, final long count,
        final int... after)
    {
        return count == 0 ? signal(peer, channel, after) : put(peer, channel, source, destination, count, after);
    }

    /**
     * Adds a SIGNAL that gives the peer a credit.
     *
     * @param peer    peer to send to.
     * @param channel channel of the arrival.
     * @param after   steps that must be done before, -1 for none.
     * @return the step's number.
     */
    public int signal(final int peer, final int channel, final int... after)
    {
        return add(StepKind.SIGNAL, peer, channel, 0, after);
    }

    /**
     * Adds a SIGNAL that announces the length of the block that this rank has for the peer, without data.
     *
     * @param peer    peer to send to.
     * @param channel channel of the arrival.
     * @param count   number of elements, from 0.
     * @param after   steps that must be done before, -1 for none.
     * @return the step's number.
     */
    public int announce(final int peer, final int channel, final long count, final int... after)
    {
        final int step = add(StepKind.SIGNAL, peer, channel, count, after);
        set(step, DESTINATION, SCRATCH_START);
        return step;
    }

    /**
     * Adds a SIGNAL that exposes all of OUTPUT to the peer.
     *
     * @param peer    peer that may PUT into OUTPUT from then on.
     * @param channel channel of the arrival.
     * @param after   steps that must be done before, -1 for none.
     * @return the step's number.
     */
    public int expose(final int peer, final int channel, final int... after)
    {
        return expose(peer, channel, 0, Schedule.ALL, after);
    }

    /**
     * Adds a SIGNAL that exposes a range of OUTPUT to the peer. The offsets of the peer's PUTs count from the beginning
     * of the range.
     *
     * @param peer    peer that may PUT into OUTPUT from then on.
     * @param channel channel of the arrival.
     * @param offset  offset of the first element.
     * @param count   number of elements, from 0; must equal the number that the peer sends.
     * @param after   steps that must be done before, -1 for none.
     * @return the step's number.
     */
    public int expose(
        final int peer, final int channel, final long offset, final long count, final int... after)
    {
        final int step = add(StepKind.SIGNAL, peer, channel, count, after);
        offsets[OPERANDS * step + SOURCE] = offset;
        buffers[step] |= FLAG;
        return step;
    }

    /**
     * Adds a WAIT for the next arrival.
     *
     * @param peer    peer that sends.
     * @param channel channel of the arrival.
     * @param after   steps that must be done before, -1 for none.
     * @return the step's number.
     */
    public int await(final int peer, final int channel, final int... after)
    {
        return add(StepKind.WAIT, peer, channel, 0, after);
    }

    /**
     * Adds a WAIT for the peer to expose a range of its OUTPUT, which must be as long as the data that this rank sends.
     *
     * @param peer    peer that exposes OUTPUT.
     * @param channel channel of the arrival.
     * @param count   number of elements, from 0.
     * @param after   steps that must be done before, -1 for none.
     * @return the step's number.
     */
    public int awaitExposure(final int peer, final int channel, final long count, final int... after)
    {
        final int step = add(StepKind.WAIT, peer, channel, count, after);
        buffers[step] |= FLAG;
        return step;
    }

    /**
     * Adds a WAIT for a block that the peer PUTs into SCRATCH, or announces. The block must be as long as this rank
     * expects.
     *
     * @param peer    peer that sends.
     * @param channel channel of the arrival.
     * @param count   number of elements, from 0.
     * @param after   steps that must be done before, -1 for none.
     * @return the step's number.
     */
    public int awaitBlock(final int peer, final int channel, final long count, final int... after)
    {
        final int step = awaitExposure(peer, channel, count, after);
        set(step, DESTINATION, SCRATCH_START);
        return step;
    }

    /**
     * Adds a REDUCE: {@code destination = left op right}. The destination may be the same range as a source.
     *
     * @param left        left operand.
     * @param right       right operand.
     * @param destination destination, not in INPUT.
     * @param count       number of elements.
     * @param finish      whether the result is the final value.
     * @param after       steps that must be done before, -1 for none.
     * @return the step's number.
     */
    public int reduce(
        final Location left, final Location right, final Location destination, final long count,
        final boolean finish, final int... after)
    {
        return addReduce(NO_PEER, left, right, destination, count, finish, after);
    }

    /**
     * Adds a REDUCE with INPUT of a peer: {@code destination = left op peer's INPUT}.
     *
     * @param left        left operand.
     * @param peer        peer that has exposed its OUTPUT.
     * @param inputOffset offset in the peer's INPUT.
     * @param destination destination, not in INPUT.
     * @param count       number of elements.
     * @param finish      whether the result is the final value.
     * @param after       steps that must be done before, -1 for none.
     * @return the step's number.
     */
    public int reduceWithPeer(
        final Location left, final int peer, final long inputOffset, final Location destination, final long count,
        final boolean finish, final int... after)
    {
        return addReduce(peer, left, BufferId.INPUT.at(inputOffset), destination, count, finish, after);
    }

    /**
     * Adds a COPY.
     *
     * @param source      source in a local buffer.
     * @param destination destination, not in INPUT.
     * @param count       number of elements.
     * @param after       steps that must be done before, -1 for none.
     * @return the step's number.
     */
    public int copy(final Location source, final Location destination, final long count, final int... after)
    {
        return addCopy(NO_PEER, source, destination, count, after);
    }

    /**
     * Adds a COPY from INPUT of a peer.
     *
     * @param peer        peer that has exposed its OUTPUT.
     * @param inputOffset offset in the peer's INPUT.
     * @param destination destination, not in INPUT.
     * @param count       number of elements.
     * @param after       steps that must be done before, -1 for none.
     * @return the step's number.
     */
    public int copyFromPeer(
        final int peer, final long inputOffset, final Location destination, final long count, final int... after)
    {
        return addCopy(peer, BufferId.INPUT.at(inputOffset), destination, count, after);
    }

    /**
     * Builds the schedule.
     *
     * @return immutable schedule of the steps so far.
     */
    public Schedule build()
    {
        return new Schedule(this);
    }

    private int addReduce(
        final int peer, final Location left, final Location right, final Location destination, final long count,
        final boolean finish, final int... after)
    {
        final int step = add(StepKind.REDUCE, peer, 0, count, after);
        set(step, SOURCE, left);
        set(step, SECOND_SOURCE, right);
        set(step, DESTINATION, destination);
        if (finish)
        {
            buffers[step] |= FLAG;
        }
        return step;
    }

    private int addCopy(
        final int peer, final Location source, final Location destination, final long count, final int... after)
    {
        final int step = add(StepKind.COPY, peer, 0, count, after);
        set(step, SOURCE, source);
        set(step, DESTINATION, destination);
        return step;
    }

    private void set(final int step, final int operand, final Location location)
    {
        buffers[step] |= (byte)(location.buffer().ordinal() << (BITS_PER_BUFFER * operand));
        offsets[OPERANDS * step + operand] = location.offset();
    }

    private int add(
        final StepKind kind, final int peer, final int channel, final long count, final int... after)
    {
        final int step = stepCount;
        ensureCapacity(step + 1);
        kinds[step] = (byte)kind.ordinal();
        peers[step] = peer;
        channels[step] = (byte)channel;
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
            offsets = Arrays.copyOf(offsets, OPERANDS * capacity);
            counts = Arrays.copyOf(counts, capacity);
            dependencyStarts = Arrays.copyOf(dependencyStarts, capacity + 1);
        }
    }
}
