/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.schedule;

import java.util.Arrays;

import static org.tutti.collectives.schedule.ScheduleBuilder.BITS_PER_BUFFER;
import static org.tutti.collectives.schedule.ScheduleBuilder.DESTINATION;
import static org.tutti.collectives.schedule.ScheduleBuilder.OPERANDS;
import static org.tutti.collectives.schedule.ScheduleBuilder.SECOND_SOURCE;
import static org.tutti.collectives.schedule.ScheduleBuilder.SOURCE;

/**
 * The steps of one rank in one collective: an immutable list. Offsets and counts are in elements.
 * <p>
 * A step may begin when the steps that it depends on are done. The list is a topological order of the dependencies, and
 * the engine executes it in that order. PUTs and SIGNALs to the same peer arrive in the order of the list, on any
 * channel, because there is one reliable connection between two ranks: when a rank has received a PUT or SIGNAL, it has
 * also received the data of all PUTs before it from the same peer. Any other order must be expressed by dependencies
 * and arrivals. Steps are stored in parallel primitive arrays, because a long schedule has hundreds of thousands.
 *
 * <table><caption>Fields of a step</caption>
 * <tr><th>kind</th><th>peer, channel</th><th>source</th><th>second source</th><th>destination</th><th>flag</th></tr>
 * <tr><td>PUT</td><td>to, on</td><td>local</td><td>-</td><td>SCRATCH of the peer, or the range
 * of OUTPUT that the peer exposed</td><td>-</td></tr>
 * <tr><td>SIGNAL</td><td>to, on</td><td>offset and count of the exposed range, or count of the announced block</td>
 * <td>-</td><td>SCRATCH if the step announces a block</td><td>exposes OUTPUT</td></tr>
 * <tr><td>WAIT</td><td>from, on</td><td>count of the range or block that the peer must expose or send</td><td>-</td>
 * <td>SCRATCH if the step waits for a block</td><td>checks the count</td></tr>
 * <tr><td>REDUCE</td><td>rank whose INPUT has the right operand, or -1</td><td>left</td><td>right</td><td>local</td>
 * <td>finishes</td></tr>
 * <tr><td>COPY</td><td>rank whose INPUT has the source, or -1</td><td>source</td><td>-</td><td>local</td>
 * <td>-</td></tr>
 * </table>
 */
public final class Schedule
{
    /** Number of channels between two ranks, per direction; the engine itself uses two more. */
    public static final int CHANNELS = 14;
    /** The channel of a peer's first message, whose length the receiver checks: {@link ScheduleBuilder#announce}. */
    public static final int EAGER_CHANNEL = 3;
    /** Count of a SIGNAL that exposes all of OUTPUT. */
    public static final long ALL = -1;

    private static final StepKind[] KINDS = StepKind.values();
    private static final BufferId[] BUFFERS = BufferId.values();

    private final ScheduleRequest request;
    private final long scratchCount;
    private final long eagerStart;
    private final int stepCount;
    private final byte[] kinds;
    private final byte[] channels;
    private final byte[] buffers;
    private final int[] peers;
    private final long[] offsets;
    private final long[] counts;
    private final int[] dependencyStarts;
    private final int[] dependencies;

    Schedule(final ScheduleBuilder builder)
    {
        request = builder.request;
        scratchCount = builder.scratchCount;
        eagerStart = Math.min(builder.eagerStart, scratchCount);
        stepCount = builder.stepCount;
        kinds = Arrays.copyOf(builder.kinds, stepCount);
        channels = Arrays.copyOf(builder.channels, stepCount);
        buffers = Arrays.copyOf(builder.buffers, stepCount);
        peers = Arrays.copyOf(builder.peers, stepCount);
        offsets = Arrays.copyOf(builder.offsets, OPERANDS * stepCount);
        counts = Arrays.copyOf(builder.counts, stepCount);
        dependencyStarts = Arrays.copyOf(builder.dependencyStarts, stepCount + 1);
        dependencies = Arrays.copyOf(builder.dependencies, dependencyStarts[stepCount]);
    }

    /**
     * Returns the request that the schedule was generated for.
     *
     * @return the request, never null.
     */
    public ScheduleRequest request()
    {
        return request;
    }

    /**
     * Returns the length of SCRATCH that the schedule uses.
     *
     * @return number of elements, from 0.
     */
    public long scratchCount()
    {
        return scratchCount;
    }

    /**
     * Returns the offset in SCRATCH from which peers write eagerly, without knowing whether this rank has begun the
     * call.
     *
     * @return offset in elements; {@link #scratchCount} if there is no such part.
     */
    public long eagerStart()
    {
        return eagerStart;
    }

    /**
     * Returns the number of steps.
     *
     * @return steps, from 0.
     */
    public int stepCount()
    {
        return stepCount;
    }

    public StepKind kind(final int step)
    {
        return KINDS[kinds[step]];
    }

    /**
     * Returns the peer of a PUT, SIGNAL or WAIT, or of a REDUCE or COPY that reads INPUT of a peer.
     *
     * @param step index of the step, from 0.
     * @return a rank, or -1 for other steps.
     */
    public int peer(final int step)
    {
        return peers[step];
    }

    /**
     * Returns the channel of a PUT, SIGNAL or WAIT.
     *
     * @param step index of the step, from 0.
     * @return channel from 0 to {@link #CHANNELS} - 1.
     */
    public int channel(final int step)
    {
        return channels[step];
    }

    /**
     * Returns the source buffer of a PUT or COPY, or the left source of a REDUCE.
     *
     * @param step index of the step, from 0.
     * @return the buffer.
     */
    public BufferId source(final int step)
    {
        return buffer(step, SOURCE);
    }

    public long sourceOffset(final int step)
    {
        return offsets[OPERANDS * step + SOURCE];
    }

    /**
     * Returns the buffer of the right source of a REDUCE.
     *
     * @param step index of the step, from 0.
     * @return the buffer.
     */
    public BufferId secondSource(final int step)
    {
        return buffer(step, SECOND_SOURCE);
    }

    /**
     * Whether a source is in memory of a peer: the right source of a REDUCE, or the source of a COPY.
     *
     * @param step index of the step, from 0.
     * @return false for other kinds.
     */
    public boolean readsPeer(final int step)
    {
        return peers[step] >= 0 && (kind(step) == StepKind.REDUCE || kind(step) == StepKind.COPY);
    }

    /**
     * Returns the rank that has the source of a PUT or COPY, or the left source of a REDUCE.
     *
     * @param step index of the step, from 0.
     * @return the rank.
     */
    public int sourceOwner(final int step)
    {
        return peers[step] >= 0 && kind(step) == StepKind.COPY ? peers[step] : request.rank();
    }

    /**
     * Returns the rank that has the right source of a REDUCE.
     *
     * @param step index of the step, from 0.
     * @return the rank.
     */
    public int secondSourceOwner(final int step)
    {
        return peers[step] >= 0 && kind(step) == StepKind.REDUCE ? peers[step] : request.rank();
    }

    public long secondSourceOffset(final int step)
    {
        return offsets[OPERANDS * step + SECOND_SOURCE];
    }

    /**
     * Returns the destination buffer of a PUT (in the peer), REDUCE or COPY.
     *
     * @param step index of the step, from 0.
     * @return the buffer.
     */
    public BufferId destination(final int step)
    {
        return buffer(step, DESTINATION);
    }

    public long destinationOffset(final int step)
    {
        return offsets[OPERANDS * step + DESTINATION];
    }

    /**
     * Returns the number of elements that a PUT, REDUCE or COPY transfers, a SIGNAL exposes or announces, or a WAIT
     * checks.
     *
     * @param step index of the step, from 0.
     * @return number of elements, from 0; {@link #ALL} for a SIGNAL that exposes all of OUTPUT; 0 for other kinds.
     */
    public long count(final int step)
    {
        return counts[step];
    }

    /**
     * Whether a SIGNAL exposes OUTPUT, a WAIT checks a count, or a REDUCE finishes.
     *
     * @param step index of the step, from 0.
     * @return false for other kinds.
     */
    public boolean flag(final int step)
    {
        return (buffers[step] & ScheduleBuilder.FLAG) != 0;
    }

    /**
     * Whether a SIGNAL announces the length of a block, or a WAIT checks the length of a block that arrives.
     *
     * @param step index of the step, from 0.
     * @return false for other kinds, and for steps that expose OUTPUT or check the exposed count.
     */
    public boolean isOfBlock(final int step)
    {
        return destination(step) == BufferId.SCRATCH && (
            (kind(step) == StepKind.SIGNAL && !flag(step)) || (kind(step) == StepKind.WAIT && flag(step)));
    }

    /**
     * Returns the number of steps that a step depends on.
     *
     * @param step index of the step, from 0.
     * @return steps, from 0.
     */
    public int dependencyCount(final int step)
    {
        return dependencyStarts[step + 1] - dependencyStarts[step];
    }

    /**
     * Returns a step that a step depends on.
     *
     * @param step  index of the step, from 0.
     * @param index index of the dependency, from 0 to {@link #dependencyCount} - 1.
     * @return an earlier step.
     */
    public int dependency(final int step, final int index)
    {
        return dependencies[dependencyStarts[step] + index];
    }

    private BufferId buffer(final int step, final int operand)
    {
        return BUFFERS[(buffers[step] >> (BITS_PER_BUFFER * operand)) & ((1 << BITS_PER_BUFFER) - 1)];
    }
}
