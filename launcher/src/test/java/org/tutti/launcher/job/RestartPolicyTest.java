/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;

import org.junit.jupiter.api.Test;
import org.tutti.launcher.agent.HostsLostException;

class RestartPolicyTest
{
    @Test
    void shouldCountRestartsUntilTheyAreUsedUp()
    {
        final RestartPolicy policy = policy(2, 3, 0);

        assertEquals("; restart 1 of 2", policy.next(lost("c")));
        assertTrue(policy.hasMore());
        assertEquals("; restart 2 of 2", policy.next(lost("c")));
        assertFalse(policy.hasMore());
        assertFalse(policy.isOver());
        assertEquals("; restarts used up: 2 of 2", policy.next(lost("c")));
        assertTrue(policy.isOver());
        assertEquals(Set.of(), policy.leaveOut());
    }

    @Test
    void shouldAddNothingToMessagesWithoutRestarts()
    {
        final RestartPolicy policy = policy(0, 3, 0);

        assertEquals("", policy.next(lost("c")));
        assertTrue(policy.isOver());
    }

    @Test
    void shouldNotRestartJobThatUserEnded()
    {
        final RestartPolicy policy = policy(2, 3, 0);

        policy.next(AttemptEnd.of(new JobEvent.Signalled("INT", 2)));

        assertTrue(policy.isOver());
        assertEquals(0, policy.count());
    }

    @Test
    void shouldLeaveOutHostsThatWereLostTwiceWhileEnoughRemain()
    {
        final RestartPolicy policy = policy(9, 3, 2);

        policy.next(lost("b"));
        assertEquals(Set.of(), policy.leaveOut());
        policy.next(lost("c"));
        assertEquals(Set.of(), policy.leaveOut());
        policy.next(lost("c"));
        assertEquals(Set.of("c"), policy.leaveOut());
        assertEquals(Set.of(), policy.leaveOut());
        policy.next(lost("b"));
        assertEquals(Set.of(), policy.leaveOut());
        assertEquals(Set.of("c"), policy.leftOut());
    }

    @Test
    void shouldPauseLongerEachTimeThatHostsCannotBeReached()
    {
        final RestartPolicy policy = policy(9, 3, 0);

        assertEquals(0, policy.pauseMs());
        for (final long pauseMs : new long[] {1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 32_000})
        {
            policy.next(lost("b"));
            assertEquals(pauseMs, policy.pauseMs());
        }
    }

    private static RestartPolicy policy(final int limit, final int hosts, final int minHosts)
    {
        return new RestartPolicy(new Restarts(limit, hosts, minHosts, leftOut -> null));
    }

    private static AttemptEnd lost(final String host)
    {
        return AttemptEnd.of(new HostsLostException("cannot start on " + host, Set.of(host)));
    }
}
