/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

import org.tutti.collectives.schedule.StepKind;

import java.util.Arrays;

/**
 * A {@link RankProgram} without its peers. Often, very many ranks have the same shape: in recursive doubling all of
 * them, so that a program needs memory only for its peers. Immutable by convention: no code writes to its arrays.
 */
final class ProgramShape
{
    static final byte PUT = (byte)StepKind.PUT.ordinal();
    static final byte SIGNAL = (byte)StepKind.SIGNAL.ordinal();
    static final byte WAIT = (byte)StepKind.WAIT.ordinal();
    static final byte REDUCE = (byte)StepKind.REDUCE.ordinal();
    static final byte COPY = (byte)StepKind.COPY.ordinal();

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
    /** Number of connections. */
    final int connections;
    /** Whether a PUT sends bytes over the connection, by connection. */
    final boolean[] carriesBytes;
    /** Number of the sending peer among all peers that the rank waits for, by inbox. */
    final int[] inboxSenders;
    /** Channel, by inbox. */
    final int[] inboxChannels;

    private final int hash;

    ProgramShape(final RankProgramBuilder builder)
    {
        kinds = builder.kinds;
        targets = builder.targets;
        lengths = builder.lengths;
        dependents = builder.dependents.stream().mapToInt(Integer::intValue).toArray();
        completions = builder.completions.toArray(int[][]::new);
        awaited = completions.length == 0 ? NONE :
            builder.completions.stream().flatMapToInt(Arrays::stream).sorted().distinct().toArray();
        outletConnections = builder.outlets.connections();
        outletChannels = builder.outlets.channels();
        connections = builder.outlets.peerCount();
        inboxSenders = builder.inboxes.connections();
        inboxChannels = builder.inboxes.channels();
        carriesBytes = new boolean[connections];
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

    /** Index of a step among the awaited PUTs; negative if the step is not an awaited PUT. */
    int awaitedIndex(final int step)
    {
        return awaited.length == 0 ? -1 : Arrays.binarySearch(awaited, step);
    }

    @Override
    public boolean equals(final Object other)
    {
        return other == this || (other instanceof final ProgramShape that && hash == that.hash &&
            connections == that.connections &&
            Arrays.equals(kinds, that.kinds) &&
            Arrays.equals(targets, that.targets) &&
            Arrays.equals(lengths, that.lengths) &&
            Arrays.equals(outletConnections, that.outletConnections) &&
            Arrays.equals(outletChannels, that.outletChannels) &&
            Arrays.equals(inboxSenders, that.inboxSenders) &&
            Arrays.equals(inboxChannels, that.inboxChannels) &&
            Arrays.equals(dependents, that.dependents) &&
            Arrays.deepEquals(completions, that.completions));
    }

    @Override
    public int hashCode()
    {
        return hash;
    }
}
