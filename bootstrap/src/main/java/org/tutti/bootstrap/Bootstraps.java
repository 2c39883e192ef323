/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.tutti.bootstrap.aeron.LaunchedRank;
import org.tutti.bootstrap.aeron.StandaloneRank;

/** Joins jobs. */
public final class Bootstraps
{
    private static final long ABORT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);

    private Bootstraps()
    {
    }

    /**
     * Joins the job described by the environment of this process.
     *
     * @return the bootstrap, to be closed.
     * @throws BootstrapException as for {@link #fromEnvironment(Map)}.
     */
    public static Bootstrap fromEnvironment()
    {
        return fromEnvironment(ProcessSettings.read());
    }

    /**
     * Joins the job described by settings: those of a {@link RequestedJob}, of Tutti's launcher, or of another launcher
     * that {@link JobEnvironment} supports. With another launcher, rank 0 becomes the coordinator, and the other ranks
     * reach it at {@code MASTER_ADDR:MASTER_PORT}. Without such settings, the job consists of this rank only.
     *
     * @param variables the settings by name, as {@link ProcessSettings#read()} returns them.
     * @return the bootstrap, to be closed.
     * @throws BootstrapException if a variable is invalid (the message names the variable, its value and its range), or
     *                            the coordinator does not answer in time, or refuses this rank.
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
        return environment.isAlone() ? InMemoryBootstrap.group(1).get(0) : StandaloneRank.join(environment);
    }

    /**
     * Notifies the other ranks that this rank cannot join the job, so that they do not wait for it. Takes some seconds
     * if the other ranks cannot be reached.
     *
     * @param variables the variables by name, which describe the job.
     * @param reason    the reason in one line.
     * @throws BootstrapException if the coordinator cannot be reached, or, on rank 0, cannot be started.
     */
    public static void abort(final Map<String, String> variables, final String reason)
    {
        final JobEnvironment environment = JobEnvironment.read(variables);
        if (environment == null || environment.isAlone())
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
