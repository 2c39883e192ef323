/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** Decides after each start of a job whether it is started again, and without which hosts. Single-threaded. */
final class RestartPolicy
{
    private static final long FIRST_PAUSE_MS = TimeUnit.SECONDS.toMillis(1);
    private static final int MAX_DOUBLINGS = 5;

    private final Restarts restarts;
    private final Map<String, Integer> losses = new TreeMap<>();
    private final Set<String> leftOut = new TreeSet<>();
    private int count;
    private int unreachable;
    private boolean isOver;

    RestartPolicy(final Restarts restarts)
    {
        this.restarts = restarts;
    }

    /** Returns the number of restarts so far. */
    int count()
    {
        return count;
    }

    /** Returns whether a restart is left. */
    boolean hasMore()
    {
        return count < restarts.limit();
    }

    /** Returns whether the last start was the last one. */
    boolean isOver()
    {
        return isOver;
    }

    /** Returns the names of the hosts that the next start leaves out. */
    Set<String> leftOut()
    {
        return Set.copyOf(leftOut);
    }

    /**
     * Decides whether the job is started again.
     *
     * @param end the end of the last start.
     * @return what to add to the message about its failure; may be empty.
     */
    String next(final AttemptEnd end)
    {
        end.lostHosts().forEach(host -> losses.merge(host, 1, Integer::sum));
        unreachable = end.isUnreachable() ? unreachable + 1 : 0;
        isOver = !end.isRestartable() || !hasMore();
        if (restarts.limit() == 0)
        {
            return "";
        }
        if (!end.isRestartable())
        {
            return "; not restarted";
        }
        if (isOver)
        {
            return "; restarts used up: " + count + " of " + restarts.limit();
        }
        count++;
        return "; restart " + count + " of " + restarts.limit();
    }

    /**
     * Leaves out the hosts that were lost too often, as long as enough remain.
     *
     * @return the names of hosts that are left out from now on; may be empty.
     */
    Set<String> leaveOut()
    {
        final Set<String> added = new TreeSet<>();
        losses.forEach((host, times) ->
        {
            final boolean isEnough = restarts.hosts() - leftOut.size() > restarts.minHosts();
            if (restarts.minHosts() > 0 && times >= Restarts.MAX_LOSSES && isEnough && leftOut.add(host))
            {
                added.add(host);
            }
        });
        return added;
    }

    /**
     * Returns the time before the next start in milliseconds. A host that is down refuses connections in milliseconds
     * and needs time to start, in which all restarts would be used up.
     */
    long pauseMs()
    {
        return unreachable == 0 ? 0 : FIRST_PAUSE_MS << Math.min(unreachable - 1, MAX_DOUBLINGS);
    }
}
