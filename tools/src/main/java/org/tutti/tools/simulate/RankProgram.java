/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

import org.agrona.collections.Long2LongHashMap;
import org.tutti.collectives.schedule.StepKind;

import java.util.Arrays;

/**
 * The steps of a schedule that take time, with peers as distances modulo the number of ranks, so that ranks that do the
 * same with different peers have equal programs. Immutable by convention: no code writes to its arrays.
 * <p>
 * An <i>outlet</i> is a pair (peer, channel) that the rank sends to, an <i>inbox</i> a pair that the rank waits for;
 * all outlets to a peer form a <i>connection</i>. Only dependencies on PUTs are kept: the engine executes the steps in
 * order, which satisfies all other dependencies.
 */
final class RankProgram
{
    static final byte PUT = (byte)StepKind.PUT.ordinal();
    static final byte SIGNAL = (byte)StepKind.SIGNAL.ordinal();
    static final byte WAIT = (byte)StepKind.WAIT.ordinal();
    static final byte REDUCE = (byte)StepKind.REDUCE.ordinal();
    static final byte COPY = (byte)StepKind.COPY.ordinal();

    private static final int FEW = 16;
    private static final int[] NONE = new int[0];

    /** Kind, by step. */
    final byte[] kinds;
    /** Outlet of a PUT or SIGNAL, or inbox of a WAIT, by step. */
    final int[] targets;
    /** Bytes of a PUT, REDUCE or COPY, by step. */
    final long[] lengths;
    /** Steps that require completed PUTs, in ascending order; {@link #completions} has the PUTs of each. */
    final int[] dependents;
    final int[][] completions;
    /** PUTs whose completion other steps require, in ascending order. */
    final int[] awaited;
    /** Connection, by outlet. */
    final int[] outletConnections;
    /** Channel, by outlet. */
    final int[] outletChannels;
    /** Distance of the peer, by connection. */
    final int[] connectionPeers;
    /** Whether a PUT sends bytes over the connection, by connection. */
    final boolean[] carriesBytes;
    /** Distance of the peer, by inbox. */
    final int[] inboxPeers;
    /** Channel, by inbox. */
    final int[] inboxChannels;

    /** Map of the inboxes; null if they are so few that a linear search is as fast. */
    private final Long2LongHashMap manyInboxes;
    private final int hash;

    RankProgram(final RankProgramBuilder builder)
    {
        kinds = Arrays.copyOf(builder.kinds, builder.steps);
        targets = Arrays.copyOf(builder.targets, builder.steps);
        lengths = Arrays.copyOf(builder.lengths, builder.steps);
        dependents = builder.dependents.stream().mapToInt(Integer::intValue).toArray();
        completions = builder.completions.toArray(int[][]::new);
        awaited = builder.completions.isEmpty() ? NONE :
            builder.completions.stream().flatMapToInt(Arrays::stream).sorted().distinct().toArray();
        outletConnections = builder.outlets.connections();
        outletChannels = builder.outlets.channels();
        connectionPeers = builder.outlets.peers();
        inboxPeers = builder.inboxes.peersByEntry();
        inboxChannels = builder.inboxes.channels();
        manyInboxes = inboxPeers.length > FEW ? builder.inboxes.index() : null;
        carriesBytes = new boolean[connectionPeers.length];
        for (int step = 0; step < kinds.length; step++)
        {
            if (kinds[step] == PUT && lengths[step] > 0)
            {
                carriesBytes[outletConnections[targets[step]]] = true;
            }
        }
        hash = 31 * (31 * Arrays.hashCode(kinds) + Arrays.hashCode(targets)) + Arrays.hashCode(lengths);
    }

    int steps()
    {
        return kinds.length;
    }

    /** Inbox for the distance of a peer and a channel, or -1 if there is none. */
    int inbox(final int peer, final int channel)
    {
        if (manyInboxes != null)
        {
            return (int)manyInboxes.get((long)peer << 32 | channel);
        }
        for (int i = 0; i < inboxPeers.length; i++)
        {
            if (inboxPeers[i] == peer && inboxChannels[i] == channel)
            {
                return i;
            }
        }
        return -1;
    }

    /** Index of a step among the awaited PUTs; negative if the step is not an awaited PUT. */
    int awaitedIndex(final int step)
    {
        return awaited.length == 0 ? -1 : Arrays.binarySearch(awaited, step);
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof final RankProgram that && hash == that.hash &&
            Arrays.equals(kinds, that.kinds) &&
            Arrays.equals(targets, that.targets) &&
            Arrays.equals(lengths, that.lengths) &&
            Arrays.equals(outletConnections, that.outletConnections) &&
            Arrays.equals(outletChannels, that.outletChannels) &&
            Arrays.equals(connectionPeers, that.connectionPeers) &&
            Arrays.equals(inboxPeers, that.inboxPeers) &&
            Arrays.equals(inboxChannels, that.inboxChannels) &&
            Arrays.equals(dependents, that.dependents) &&
            Arrays.deepEquals(completions, that.completions);
    }

    @Override
    public int hashCode()
    {
        return hash;
    }
}
