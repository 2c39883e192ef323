/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.wireup;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.GroupBootstrap;

/** The ranks of a communicator: their numbers in the job, and their names in messages. */
public final class CommunicatorRanks
{
    private final Bootstrap bootstrap;
    /** By rank; filled when the ranks have exchanged endpoints. */
    private final String[] names;

    /** Creates the ranks of a bootstrap, without names. */
    CommunicatorRanks(final Bootstrap bootstrap)
    {
        this.bootstrap = bootstrap;
        names = new String[bootstrap.size()];
    }

    /** Returns the names by rank, for {@link EndpointExchange} to fill. */
    String[] names()
    {
        return names;
    }

    /** Returns the name of a rank for messages, such as "rank 2 (host)". */
    public String name(final int rank)
    {
        final String name = names[rank];
        return name == null ? "rank " + rank : name;
    }

    /** Returns the rank in the job; -1 for -1. */
    public int jobRank(final int rank)
    {
        return rank >= 0 && bootstrap instanceof final GroupBootstrap group ? group.jobRank(rank) : rank;
    }

    /** Returns the rank of a rank of the job; -1 if that rank is not in the communicator. */
    public int member(final int jobRank)
    {
        return bootstrap instanceof final GroupBootstrap group ? group.member(jobRank) : jobRank;
    }
}
