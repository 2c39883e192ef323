/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.tutti.bootstrap.aeron.LaunchedRank;
import org.tutti.bootstrap.aeron.StandaloneRank;

/** Ways to join a job. */
public final class Bootstraps
{
    private static final long ABORT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);

    private Bootstraps()
    {
    }

    /**
     * Joins the job that the environment of this process tells of.
     *
     * @return the bootstrap, to be closed.
     * @throws BootstrapException as {@link #fromEnvironment(Map)}.
     */
    public static Bootstrap fromEnvironment()
    {
        return fromEnvironment(System.getenv());
    }

    /**
     * Joins the job that an environment tells of: Tutti's launcher's, or one of those that {@link JobEnvironment}
     * knows, where rank 0 becomes the coordinator and the others find it at {@code MASTER_ADDR:MASTER_PORT}. With none
     * of them, the job is this process alone.
     *
     * @param variables variables by name.
     * @return the bootstrap, to be closed.
     * @throws BootstrapException if a variable is wrong (names it, its value and its range), the coordinator does not
     *                            answer in time, or refuses.
     */
    public static Bootstrap fromEnvironment(final Map<String, String> variables)
    {
        final JobEnvironment environment = JobEnvironment.read(variables);
        if (environment == null)
        {
            return InMemoryBootstrap.group(1).get(0);
        }
        if (environment.isLaunched())
        {
            return LaunchedRank.join(environment);
        }
        return environment.size() == 1 ? InMemoryBootstrap.group(1).get(0) : StandaloneRank.join(environment);
    }

    /**
     * Tells the other ranks of the job that an environment tells of that this one cannot even join: they need not wait
     * for it. Takes some seconds when they are not there.
     *
     * @param variables variables by name.
     * @param reason    one line for people.
     * @throws BootstrapException if no rank could be told.
     */
    public static void abort(final Map<String, String> variables, final String reason)
    {
        final JobEnvironment environment = JobEnvironment.read(variables);
        if (environment == null || environment.size() == 1)
        {
            return;
        }
        final JobEnvironment hurried = environment.withJoinTimeout(ABORT_TIMEOUT_NS);
        if (hurried.isLaunched())
        {
            LaunchedRank.abort(hurried, reason);
        }
        else
        {
            StandaloneRank.abort(hurried, reason);
        }
    }
}
