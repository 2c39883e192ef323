/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.Bootstraps;
import org.tutti.bootstrap.InMemoryBootstrap;
import org.tutti.collectives.Communicator;
import org.tutti.rdma.shm.ShmProvider;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** Makes communicators. */
public final class Communicators
{
    private static final AtomicBoolean JOINED = new AtomicBoolean();

    private Communicators()
    {
    }

    /**
     * See {@link Communicator#world()}.
     *
     * @return the communicator of this process's job.
     */
    public static Communicator world()
    {
        if (!JOINED.compareAndSet(false, true))
        {
            throw new BootstrapException(
                "this process has joined its job already: keep the first Communicator.world() and pass it on");
        }
        final EngineConfiguration configuration = EngineConfiguration.ofEnvironment();
        final Bootstrap bootstrap = Bootstraps.fromEnvironment(System.getenv());
        shareDirectory(bootstrap);
        return connect(bootstrap, configuration);
    }

    /**
     * Connects the ranks of a job that was joined by other means.
     *
     * @param bootstrap of this rank; closed with the communicator.
     * @return owned by the caller.
     */
    public static Communicator connect(final Bootstrap bootstrap)
    {
        return connect(bootstrap, EngineConfiguration.ofEnvironment());
    }

    /**
     * Ranks that are threads of this process: for tests, and for programs that want the collectives' semantics without
     * processes. Each communicator is for one thread.
     *
     * @param size how many ranks, at least 1.
     * @return the communicators by rank, connected; owned by the caller. Close them from threads of their own, since
     *     closing waits for the others.
     */
    public static List<Communicator> inProcess(final int size)
    {
        final List<? extends Bootstrap> bootstraps = InMemoryBootstrap.group(size);
        final EngineConfiguration configuration = EngineConfiguration.ofEnvironment();
        try (ExecutorService ranks = Executors.newFixedThreadPool(size))
        {
            final List<Future<Communicator>> futures = new ArrayList<>();
            for (final Bootstrap bootstrap : bootstraps)
            {
                futures.add(ranks.submit(() -> connect(bootstrap, configuration)));
            }
            final List<Communicator> communicators = new ArrayList<>();
            for (final Future<Communicator> future : futures)
            {
                communicators.add(future.get());
            }
            return communicators;
        }
        catch (final ExecutionException e)
        {
            throw new BootstrapException("the ranks cannot connect: " + e.getCause().getMessage(), e.getCause());
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new BootstrapException("interrupted while connecting", e);
        }
    }

    /** Ranks reach each other over shm when their files are in one directory: the job's, unless the user named one. */
    private static void shareDirectory(final Bootstrap bootstrap)
    {
        if (bootstrap.size() > 1 && System.getenv(ShmProvider.DIRECTORY_ENV_NAME) == null &&
            System.getProperty(ShmProvider.DIRECTORY_PROP_NAME) == null)
        {
            System.setProperty(ShmProvider.DIRECTORY_PROP_NAME, bootstrap.jobDirectory());
        }
    }

    private static Communicator connect(final Bootstrap bootstrap, final EngineConfiguration configuration)
    {
        final Mesh mesh = Mesh.connect(bootstrap, configuration);
        return new EngineCommunicator(new Session(mesh, configuration), configuration.timeoutNs());
    }
}
