/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.wireup;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.GroupBootstrap;
import org.tutti.collectives.endpoint.CallDescription;

/** The ranks of a communicator. */
final class CommunicatorRanks implements RankTranslation
{
    private final Bootstrap bootstrap;
    private final String[] names;

    /** Creates the translation of the ranks of a bootstrap. */
    CommunicatorRanks(final Bootstrap bootstrap)
    {
        this.bootstrap = bootstrap;
        names = new String[bootstrap.size()];
    }

    /** Filled when the ranks have exchanged endpoints. */
    @Override
    public String[] names()
    {
        return names;
    }

    @Override
    public int jobRank(final int callersRank)
    {
        return callersRank >= 0 && bootstrap instanceof final GroupBootstrap group ?
            group.jobRank(callersRank) : callersRank;
    }

    @Override
    public int member(final int jobRank)
    {
        return bootstrap instanceof final GroupBootstrap group ? group.member(jobRank) : jobRank;
    }

    @Override
    public int callersRank(final int rank)
    {
        return rank;
    }

    @Override
    public String describe(final int rank, final CallDescription call)
    {
        return call.toString();
    }

    @Override
    public String rule()
    {
        return "all ranks must make the same calls in the same order";
    }

    @Override
    public boolean isLeft(final int peer)
    {
        return false;
    }
}
