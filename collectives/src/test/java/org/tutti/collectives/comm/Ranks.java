/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.InMemoryBootstrap;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.config.EngineConfiguration;
import org.tutti.collectives.progress.Session;
import org.tutti.collectives.progress.Sessions;
import org.tutti.collectives.pt2pt.MessageSession;
import org.tutti.collectives.progress.WaitingThread;
import org.tutti.collectives.wireup.Team;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertNull;

/** Ranks that are threads of this process, each with a communicator over shared memory. */
public final class Ranks implements AutoCloseable
{
    private static final long LIMIT_S = 120;

    private final List<Communicator> communicators;
    private final Team[] teams;
    private final Session[] sessions;
    private final ExecutorService threads;
    /** Threads of the last run by rank, completed when each begins. */
    private volatile List<CompletableFuture<Thread>> running = List.of();

    public Ranks(final int size)
    {
        this(size, System.getenv());
    }

    /** Creates ranks with the same settings. */
    public Ranks(final int size, final Map<String, String> environment)
    {
        communicators = Communicators.inProcess(size, environment);
        teams = new Team[0];
        sessions = new Session[0];
        threads = Executors.newFixedThreadPool(size);
    }

    /**
     * Creates ranks with different settings or special bootstraps.
     *
     * @param bootstraps   bootstraps by rank.
     * @param environments environments by rank.
     */
    public Ranks(final List<? extends Bootstrap> bootstraps, final List<Map<String, String>> environments)
    {
        final int size = bootstraps.size();
        communicators = new ArrayList<>(Collections.nCopies(size, null));
        teams = new Team[size];
        sessions = new Session[size];
        threads = Executors.newFixedThreadPool(size);
        final List<Future<?>> connecting = new ArrayList<>();
        for (final Bootstrap bootstrap : bootstraps)
        {
            connecting.add(threads.submit(() ->
            {
                final int rank = bootstrap.rank();
                final EngineConfiguration configuration = EngineConfiguration.of(environments.get(rank));
                teams[rank] = Team.connect(bootstrap, configuration);
                sessions[rank] = new Session(teams[rank], new Sessions(), MessageSession::new);
                communicators.set(rank, new EngineCommunicator(sessions[rank], configuration.timeoutNs()));
            }));
        }
        for (final Throwable thrown : outcomes(connecting))
        {
            assertNull(thrown);
        }
    }

    /** Creates ranks with different settings. */
    public static Ranks of(final List<Map<String, String>> environments)
    {
        return new Ranks(InMemoryBootstrap.group(environments.size()), environments);
    }

    public Communicator communicator(final int rank)
    {
        return communicators.get(rank);
    }

    /** Returns the team of a rank. */
    public Team team(final int rank)
    {
        return teams[rank];
    }

    /** Returns the session of a rank. */
    Session session(final int rank)
    {
        return sessions[rank];
    }

    /**
     * Waits until a rank waits in a method; for the body of another rank.
     *
     * @param rank   rank that runs a body, or is about to.
     * @param method name of the method.
     */
    public void awaitWaiting(final int rank, final String method) throws Exception
    {
        WaitingThread.await(running.get(rank).get(LIMIT_S, TimeUnit.SECONDS), method);
    }

    /** Code run by a rank. */
    public interface Body
    {
        void run(Communicator communicator) throws Exception;
    }

    /** Runs the body on all ranks concurrently; throws the exception of the lowest rank that failed. */
    public void run(final Body body)
    {
        for (final Throwable thrown : outcomes(body))
        {
            if (thrown instanceof final Error error)
            {
                throw error;
            }
            if (thrown != null)
            {
                throw new AssertionError(thrown);
            }
        }
    }

    /** Runs the body on all ranks concurrently; returns what each threw, by rank, or null. */
    public List<Throwable> outcomes(final Body body)
    {
        final List<CompletableFuture<Thread>> begun =
            Stream.generate(CompletableFuture<Thread>::new).limit(communicators.size()).toList();
        running = begun;
        final List<Future<?>> futures = new ArrayList<>();
        for (final Communicator communicator : communicators)
        {
            final int rank = futures.size();
            futures.add(threads.submit(() ->
            {
                begun.get(rank).complete(Thread.currentThread());
                body.run(communicator);
                return null;
            }));
        }
        return outcomes(futures);
    }

    private static List<Throwable> outcomes(final List<Future<?>> futures)
    {
        final List<Throwable> thrown = new ArrayList<>();
        for (final Future<?> future : futures)
        {
            try
            {
                future.get(LIMIT_S, TimeUnit.SECONDS);
                thrown.add(null);
            }
            catch (final ExecutionException e)
            {
                thrown.add(e.getCause());
            }
            catch (final TimeoutException e)
            {
                thrown.add(new AssertionError("rank " + thrown.size() + " hangs", e));
            }
            catch (final InterruptedException e)
            {
                throw new AssertionError(e);
            }
        }
        return thrown;
    }

    @Override
    public void close()
    {
        run(Communicator::close);
        threads.shutdown();
    }
}
