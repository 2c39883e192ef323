/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import org.junit.jupiter.api.Test;
import org.tutti.bootstrap.InMemoryBootstrap;
import org.tutti.bootstrap.RankFailure;
import org.tutti.collectives.CollectiveTimeoutException;
import org.tutti.collectives.RankFailedException;
import org.tutti.collectives.config.EngineConfiguration;
import org.tutti.collectives.exec.ScheduleExecutor;
import org.tutti.collectives.wireup.Team;

import java.util.Map;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertThrows;

class RankIdleStrategyTest
{
    @Test
    void shouldCheckDeadlineAndFailuresWhileACallMakesProgress()
    {
        final InMemoryBootstrap bootstrap = InMemoryBootstrap.group(1).get(0);
        final Team team = Team.connect(bootstrap, EngineConfiguration.of(Map.of()));
        final RankIdleStrategy waiter = new RankIdleStrategy(team, new ScheduleExecutor(team));

        waiter.begin(1);
        assertThrows(CollectiveTimeoutException.class, () -> progress(waiter));
        waiter.begin(TimeUnit.HOURS.toNanos(1));
        progress(waiter);
        bootstrap.fail(new RankFailure(0, "host", 1, "killed by SIGKILL"));
        assertThrows(RankFailedException.class, () -> progress(waiter));

        team.close(null);
    }

    private static void progress(final RankIdleStrategy waiter)
    {
        for (int i = 0; i < 1_000; i++)
        {
            waiter.progressed();
        }
    }
}
