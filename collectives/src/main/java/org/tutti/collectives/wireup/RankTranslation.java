/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.wireup;

import org.tutti.collectives.endpoint.CallDescription;

/**
 * How the ranks of a team are called elsewhere: in the job, by callers, and in messages. Callers number the ranks of a
 * communicator; a point-to-point channel has ranks of its own.
 */
public sealed interface RankTranslation permits CommunicatorRanks, PointToPointChannel
{
    /**
     * By rank, the names for messages, such as "rank 2 (host)".
     *
     * @return null where the rank is not known yet.
     */
    String[] names();

    /** The name of a rank for messages. */
    default String name(final int rank)
    {
        final String name = names()[rank];
        return name == null ? "rank " + rank : name;
    }

    /** The rank in the job of a rank that callers know by this number. */
    int jobRank(int callersRank);

    /** The number by which callers know a rank of the job; -1 if it is not in the communicator. */
    int member(int jobRank);

    /** The number by which callers know a rank of the team; -1 stays -1. */
    int callersRank(int rank);

    /** What a rank of the team called, as its caller would write it. */
    String describe(int rank, CallDescription call);

    /** The rule that callers break when ranks disagree. */
    String rule();

    /** Whether it is known that a peer has closed the communicator. */
    boolean isLeft(int peer);
}
