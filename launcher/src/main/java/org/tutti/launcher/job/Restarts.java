/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import java.util.Set;

/**
 * How often a job is started again after a failure, and on which hosts.
 *
 * @param limit    the maximum number of restarts; 0 for none.
 * @param hosts    the number of hosts that the user gave.
 * @param minHosts the minimum number of hosts of a restart; 0 if no host may be left out.
 * @param source   the source of the hosts of a restart.
 */
public record Restarts(int limit, int hosts, int minHosts, HostSource source)
{
    /** The number of starts in which a host is lost before it may be left out. */
    public static final int MAX_LOSSES = 2;

    /** Determines where the ranks of a restart run. */
    public interface HostSource
    {
        /**
         * Returns where the ranks run, and waits for nodes that connect to this launcher.
         *
         * @param leftOut the names of all hosts that are left out.
         * @return the hosts of the ranks.
         * @throws InterruptedException if the thread is interrupted.
         */
        JobSpec.Where next(Set<String> leftOut) throws InterruptedException;
    }
}
