/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import org.tutti.bootstrap.InMemoryBootstrap;
import org.tutti.collectives.config.EngineConfiguration;
import org.tutti.collectives.exec.CollectiveCall;
import org.tutti.collectives.wireup.Team;

import java.util.Map;

/** A rank that is alone, connected over shared memory: once per process, which frees it by ending. */
public final class SingleRankFixture
{
    /** Longer than any wait that ends; it only guards against a hang. */
    static final long LIMIT_NS = 10_000_000_000L;

    public static final Team TEAM =
        Team.connect(InMemoryBootstrap.group(1).getFirst(), EngineConfiguration.of(Map.of()));

    private SingleRankFixture()
    {
    }

    static Session newSession()
    {
        return new Session(TEAM, new Sessions());
    }

    /** A request that was started, and is not in a queue. */
    static CollectiveRequest started(final Session session)
    {
        final CollectiveRequest request = idle(session);
        request.started();
        return request;
    }

    /** A request that was not started. */
    static CollectiveRequest idle(final Session session)
    {
        return new CollectiveRequest(session, new CollectiveCall(), LIMIT_NS, false);
    }
}
