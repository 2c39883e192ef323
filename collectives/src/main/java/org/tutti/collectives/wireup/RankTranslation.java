/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.wireup;

import org.tutti.collectives.endpoint.CallDescription;

/**
 * Translates the ranks of a team to ranks of the job, ranks that callers use, and names in messages. Callers use ranks
 * of the communicator.
 */
public sealed interface RankTranslation permits CommunicatorRanks, MessageRanks
{
    /**
     * Returns the names for messages by rank, such as "rank 2 (host)".
     *
     * @return names by rank; an element is null if the rank's host is not known yet.
     */
    String[] names();

    /** Returns the name of a rank for messages. */
    default String name(final int rank)
    {
        final String name = names()[rank];
        return name == null ? "rank " + rank : name;
    }

    /** Returns the rank in the job for a rank that callers use. */
    int jobRank(int callersRank);

    /** Returns the rank that callers use for a rank of the job; -1 if that rank is not in the communicator. */
    int member(int jobRank);

    /** Returns the rank that callers use for a rank of the team; -1 for -1. */
    int callersRank(int rank);

    /** Describes a call that a rank of the team made, in terms of the API. */
    String describe(int rank, CallDescription call);

    /** Returns the rule that is violated when ranks disagree. */
    String rule();

    /** Returns whether a peer is known to have closed the communicator. */
    boolean isLeft(int peer);
}
