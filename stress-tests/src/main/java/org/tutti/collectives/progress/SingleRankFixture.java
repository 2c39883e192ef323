/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import org.tutti.bootstrap.InMemoryBootstrap;
import org.tutti.collectives.config.EngineConfiguration;
import org.tutti.collectives.exec.CollectiveCall;
import org.tutti.collectives.pt2pt.MessageSession;
import org.tutti.collectives.wireup.Team;

import java.util.Map;

/** A single rank over shared memory: connected once per process, and freed when the process ends. */
public final class SingleRankFixture
{
    /** Longer than any wait that succeeds; only prevents a hang. */
    static final long LIMIT_NS = 10_000_000_000L;

    public static final Team TEAM =
        Team.connect(InMemoryBootstrap.group(1).getFirst(), EngineConfiguration.of(Map.of()));

    private SingleRankFixture()
    {
    }

    static Session newSession()
    {
        return new Session(TEAM, new Sessions(), MessageSession::new);
    }

    /** A started request that is not in a queue. */
    static CollectiveRequest started(final Session session)
    {
        final CollectiveRequest request = idle(session);
        request.started();
        return request;
    }

    /** A request that is not started. */
    static CollectiveRequest idle(final Session session)
    {
        return new CollectiveRequest(
            session == null ? null : session.requests(), new CollectiveCall(), LIMIT_NS, false);
    }
}
