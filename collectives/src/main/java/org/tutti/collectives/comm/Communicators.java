/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.BootstrapInterruptedException;
import org.tutti.bootstrap.Bootstraps;
import org.tutti.bootstrap.InMemoryBootstrap;
import org.tutti.bootstrap.ProcessSettings;
import org.tutti.bootstrap.RequiredJvmOptions;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.ConfigurationException;
import org.tutti.collectives.JoinOptions;
import org.tutti.collectives.LocalJob;
import org.tutti.collectives.config.EngineConfiguration;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.progress.Session;
import org.tutti.collectives.progress.Sessions;
import org.tutti.collectives.pt2pt.MessageSession;
import org.tutti.collectives.reduce.Reducers;
import org.tutti.collectives.select.AlgorithmSelector;
import org.tutti.collectives.wireup.Team;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** Creates communicators. */
public final class Communicators
{
    private static final AtomicBoolean HAS_CHECKED_OPTIONS = new AtomicBoolean();

    private Communicators()
    {
    }

    /**
     * See {@link Communicator#join}.
     *
     * @param options options of this rank.
     * @return the communicator of the job's ranks.
     */
    public static Communicator join(final JoinOptions options)
    {
        RequiredJvmOptions.check();
        reportMissingOption();
        return join(options.settings());
    }

    /** Reports an option of the JVM that is not required, but makes reductions faster; once in this process. */
    private static void reportMissingOption()
    {
        if (HAS_CHECKED_OPTIONS.compareAndSet(false, true) && Reducers.missingOption() != null)
        {
            System.err.println("tutti: reductions of some types are slower in this JVM: start it with " +
                Reducers.missingOption());
        }
    }

    static Communicator join(final Map<String, String> settings)
    {
        final EngineConfiguration configuration = configuration(settings);
        return connect(Bootstraps.fromEnvironment(settings), configuration);
    }

    /**
     * Checks the settings of an environment as {@link Communicator#join} does, without joining.
     *
     * @param environment environment of a rank.
     * @return one line that describes the first invalid setting; null if all are valid.
     */
    public static String problem(final Map<String, String> environment)
    {
        try
        {
            EngineConfiguration.of(environment);
            return null;
        }
        catch (final ConfigurationException | BootstrapException e)
        {
            return e.getMessage();
        }
    }

    /**
     * Whether {@code TUTTI_REPRODUCIBLE} is set.
     *
     * @param environment environment of a rank.
     * @return true if communicators of this rank reduce reproducibly.
     * @throws ConfigurationException if the value is invalid.
     */
    public static boolean isReproducible(final Map<String, String> environment)
    {
        return EngineConfiguration.isReproducible(environment);
    }

    /**
     * Whether {@code TUTTI_TRANSPORT} and {@code TUTTI_DIRECT} let ranks of a host load from and store into each
     * other's memory.
     *
     * @param environment environment of a rank.
     * @return true if communicators of this rank do so.
     * @throws ConfigurationException if either setting is invalid.
     */
    public static boolean isDirect(final Map<String, String> environment)
    {
        return EngineConfiguration.isDirect(environment);
    }

    /**
     * Whether {@code TUTTI_TRANSPORT} lets ranks of one host communicate through shared memory.
     *
     * @param environment environment of a rank.
     * @return true if communicators of this rank do so.
     * @throws ConfigurationException if the value is not a transport.
     */
    public static boolean sharesMemoryWithinHosts(final Map<String, String> environment)
    {
        return EngineConfiguration.transport(environment).isSharedWithinHosts();
    }

    /**
     * Returns the hosts of the ranks of a communicator.
     *
     * @param communicator communicator that this class created.
     * @return host of each rank.
     */
    public static HostMap hosts(final Communicator communicator)
    {
        return ((EngineCommunicator)communicator).team().hosts();
    }

    /**
     * Returns the selector of a communicator's algorithms.
     *
     * @param communicator communicator that this class created.
     * @return selector for the communicator's wires.
     */
    public static AlgorithmSelector selector(final Communicator communicator)
    {
        return ((EngineCommunicator)communicator).team().selector();
    }

    /**
     * Returns the value of {@code TUTTI_SCRATCH}.
     *
     * @param environment environment of a rank.
     * @return SCRATCH of a call in bytes.
     * @throws ConfigurationException if the value is invalid.
     */
    public static long scratchBytes(final Map<String, String> environment)
    {
        return EngineConfiguration.scratchBytes(environment);
    }

    /**
     * Reads this rank's settings. If a setting is invalid, notifies the other ranks, which would otherwise wait for
     * this rank to join.
     */
    private static EngineConfiguration configuration(final Map<String, String> environment)
    {
        try
        {
            return EngineConfiguration.of(environment);
        }
        catch (final RuntimeException e)
        {
            try
            {
                Bootstraps.abort(environment, "cannot start: " + e.getMessage());
            }
            catch (final RuntimeException suppressed)
            {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    /**
     * Connects the ranks of a job that the caller has joined through a bootstrap of its own.
     *
     * @param bootstrap bootstrap of this rank; closed with the communicator, or at once if the communicator cannot be
     *                  created.
     * @return communicator of all ranks, to be closed by the caller.
     * @throws RuntimeException as {@link Communicator#world()}; the other ranks are notified.
     */
    public static Communicator connect(final Bootstrap bootstrap)
    {
        return connect(bootstrap, ProcessSettings.read());
    }

    static Communicator connect(final Bootstrap bootstrap, final Map<String, String> environment)
    {
        final EngineConfiguration configuration;
        try
        {
            configuration = EngineConfiguration.of(environment);
        }
        catch (final RuntimeException e)
        {
            try (bootstrap)
            {
                bootstrap.abort("rank " + bootstrap.rank() + " cannot connect: " + e.getMessage());
            }
            catch (final RuntimeException suppressed)
            {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
        return connect(bootstrap, configuration);
    }

    /**
     * See {@link LocalJob#call}.
     *
     * @param size    number of ranks.
     * @param options options of all ranks.
     * @param task    code of each rank.
     * @param <T>     type of the results.
     * @return results by rank.
     */
    public static <T> List<T> callInProcess(final int size, final JoinOptions options, final LocalJob.Task<T> task)
    {
        RequiredJvmOptions.check();
        checkSize(size);
        final EngineConfiguration configuration = EngineConfiguration.of(options.settings());
        final FirstFailure failure = new FirstFailure();
        final List<Callable<T>> calls = new ArrayList<>();
        for (final Bootstrap bootstrap : InMemoryBootstrap.group(size))
        {
            calls.add(() -> failure.guard(bootstrap, () ->
            {
                try (Communicator communicator = connect(bootstrap, configuration))
                {
                    return failure.guard(bootstrap, () -> task.call(communicator));
                }
            }));
        }
        final List<T> results = new ArrayList<>();
        try (ExecutorService ranks = Executors.newFixedThreadPool(size, Thread.ofPlatform().name("rank-", 0).factory()))
        {
            for (final Future<T> result : ranks.invokeAll(calls))
            {
                results.add(result.state() == Future.State.SUCCESS ? result.resultNow() : null);
            }
        }
        catch (final InterruptedException e)
        {
            throw BootstrapInterruptedException.of("the ranks of this process", "they ran");
        }
        failure.rethrow();
        return results;
    }

    private static void checkSize(final int size)
    {
        if (size < 1)
        {
            throw new IllegalArgumentException("the number of ranks is " + size + ": must be at least 1");
        }
    }

    /**
     * Creates communicators for ranks that are threads of this process.
     *
     * @param size number of ranks, at least 1.
     * @return connected communicators by rank, to be closed by the caller: each from a separate thread, since close
     *         waits for the others.
     */
    static List<Communicator> inProcess(final int size)
    {
        return inProcess(size, ProcessSettings.read());
    }

    static List<Communicator> inProcess(final int size, final Map<String, String> environment)
    {
        checkSize(size);
        final EngineConfiguration configuration = EngineConfiguration.of(environment);
        return inProcess(size, bootstrap -> connect(bootstrap, configuration));
    }

    static List<Communicator> inProcess(final int size, final Function<Bootstrap, Communicator> connect)
    {
        final Communicator[] communicators = new Communicator[size];
        final List<Callable<Communicator>> calls = new ArrayList<>();
        for (final Bootstrap bootstrap : InMemoryBootstrap.group(size))
        {
            calls.add(() -> communicators[bootstrap.rank()] = connect.apply(bootstrap));
        }
        BootstrapException failure = null;
        try (ExecutorService ranks = Executors.newFixedThreadPool(size))
        {
            for (final Future<Communicator> connected : ranks.invokeAll(calls))
            {
                connected.get();
            }
        }
        catch (final ExecutionException e)
        {
            failure = new BootstrapException("the ranks cannot connect: " + e.getCause().getMessage(), e.getCause());
        }
        catch (final InterruptedException e)
        {
            failure = BootstrapInterruptedException.of("the ranks of this process", "they connected");
        }
        if (failure != null)
        {
            Arrays.stream(communicators).filter(Objects::nonNull).forEach(Communicator::close);
            throw failure;
        }
        return List.of(communicators);
    }

    private static Communicator connect(final Bootstrap bootstrap, final EngineConfiguration configuration)
    {
        final Team team = Team.connect(bootstrap, configuration);
        try
        {
            return new EngineCommunicator(
                new Session(team, new Sessions(), MessageSession::new), configuration.timeoutNs());
        }
        catch (final RuntimeException | Error e)
        {
            team.abort("rank " + team.rank() + " cannot connect: " + e.getMessage(), e);
            team.close(e);
            throw e;
        }
    }
}
