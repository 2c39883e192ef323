/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.tutti.bootstrap.Arguments;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapInterruptedException;
import org.tutti.bootstrap.BootstrapTimeoutException;
import org.tutti.bootstrap.Coordinator;
import org.tutti.bootstrap.CoordinatorContext;
import org.tutti.bootstrap.CoordinatorListener;
import org.tutti.bootstrap.FailureNotice;
import org.tutti.bootstrap.Hosts;
import org.tutti.bootstrap.JobDirectory;
import org.tutti.bootstrap.JobEnvironment;
import org.tutti.bootstrap.JobId;
import org.tutti.bootstrap.JobSecret;
import org.tutti.bootstrap.OpenFileLimit;
import org.tutti.bootstrap.RankFailure;
import org.tutti.bootstrap.SecretFile;
import org.tutti.bootstrap.step.StepSecret;
import org.tutti.bootstrap.store.ValueList;

/**
 * Joins a job without Tutti's launcher: rank 0 runs the coordinator, or the program has started one, the other ranks
 * reach it by UDP, and each rank runs its own media driver. The first rank that joins on a host creates the
 * job's directory there; the last one to leave removes the directory, with what killed ranks have left. Ranks share a
 * host if they have read the same random number in that directory: host names and boot ids mislead in containers.
 */
public final class StandaloneRank
{
    private static final long LEAVE_TIMEOUT_MS = 5_000;
    /** Number of files opened later: jars and libraries, buffers while they are mapped, selectors and sockets. */
    private static final int FILES = 32;
    /** The length of the random part of a directory's name. */
    private static final int UNIQUE_LENGTH = 12;

    private JobEnvironment environment;
    /** What gives the secret to the other ranks; null unless this is rank 0 and it generated the secret. */
    private AutoCloseable secretSource;
    /** The resources to close at the end, last first. */
    private final Deque<AutoCloseable> owned = new ArrayDeque<>();

    private StandaloneRank(final JobEnvironment environment)
    {
        this.environment = environment;
    }

    /**
     * Joins the job.
     *
     * @param environment the environment of the rank, without a job directory.
     * @return the rank's bootstrap, to be closed; closing that of rank 0 waits up to 5 s for the other ranks to leave.
     */
    public static Bootstrap join(final JobEnvironment environment)
    {
        final StandaloneRank rank = new StandaloneRank(environment);
        try
        {
            return rank.join();
        }
        catch (final RuntimeException | Error ex)
        {
            OwnedResources.closeAfter(ex, rank.owned);
            throw ex;
        }
    }

    /**
     * Joins only to abort the job because this rank cannot continue, so that the other ranks do not wait for it. Rank
     * 0, which runs the coordinator, waits up to 5 s for the other ranks to join.
     *
     * @param environment the environment of the rank, without a job directory.
     * @param reason      the reason in one line.
     */
    public static void abort(final JobEnvironment environment, final String reason)
    {
        final StandaloneRank rank = new StandaloneRank(environment);
        try
        {
            rank.abort(reason);
        }
        finally
        {
            OwnedResources.close(rank.owned);
        }
    }

    private Bootstrap join()
    {
        OpenFileLimit.require("rank " + environment.rank(), FILES);
        // Closed last: without Tutti's launcher, no reaper removes what ranks that were killed have left on this host.
        owned.push(() -> JobDirectory.removeStale(JobDirectory.base()));
        final JobDirectory ownDirectory = makeOwnDirectory();
        agreeOnSecret();
        if (isCoordinator())
        {
            startCoordinator(ownDirectory);
        }
        final FailureNotice notice = new FailureNotice();
        final MemberClient client = connect(ownDirectory, notice);
        try
        {
            return join(client, notice);
        }
        catch (final BootstrapInterruptedException ex)
        {
            // Leaving cleanly would not notify the other ranks of the reason.
            client.abort(ex);
            throw ex;
        }
    }

    private Bootstrap join(final MemberClient client, final FailureNotice notice)
    {
        final String number = awaitOthers(client);
        final Path directory;
        final String hostId;
        try
        {
            directory = shareDirectory(number);
            hostId = JobDirectory.hostId(directory);
        }
        catch (final RuntimeException ex)
        {
            client.abort("rank " + environment.rank() + " cannot join: " + ex.getMessage());
            throw ex;
        }
        final JobEnvironment located = locate(allgather(client, "tutti.hosts", hostId));
        return new AeronBootstrap(located, directory.toString(), hostId, notice, client).own(owned);
    }

    private void abort(final String reason)
    {
        final JobDirectory ownDirectory = makeOwnDirectory();
        agreeOnSecret();
        if (!isCoordinator())
        {
            connect(ownDirectory, new FailureNotice()).abort(reason);
            return;
        }
        final CountDownLatch missing = new CountDownLatch(environment.size() - 1);
        try (Coordinator coordinator = Coordinator.start(context(ownDirectory).listener(new CoordinatorListener()
            {
                @Override
                public void onJoined(final int rank, final String host, final long pid)
                {
                    missing.countDown();
                }
            })))
        {
            coordinator.rankFailed(new RankFailure(
                0, Hosts.local(), ProcessHandle.current().pid(), RankFailure.aborted(reason)));
            missing.await(LEAVE_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns whether this rank runs the coordinator: unless the program has started one, rank 0 does. */
    private boolean isCoordinator()
    {
        return environment.rank() == 0 && !environment.isRequested();
    }

    private void agreeOnSecret()
    {
        if (environment.secret() != null)
        {
            return;
        }
        if (environment.step() != null)
        {
            final StepSecret step = StepSecret.agree(environment);
            own(step);
            environment = environment.withSecret(step.secret());
        }
        else if (environment.rank() == 0)
        {
            final SecretFile file = SecretFile.create(environment);
            own(file);
            environment = environment.withSecret(file.secret());
        }
        else
        {
            environment = environment.withSecret(SecretFile.await(environment));
        }
    }

    private void own(final AutoCloseable source)
    {
        secretSource = source;
        owned.push(source);
    }

    private JobDirectory makeOwnDirectory()
    {
        final JobDirectory directory = JobDirectory.create(JobId.unique("rank" + environment.rank()));
        owned.push(directory);
        return directory;
    }

    private MemberClient connect(final JobDirectory directory, final FailureNotice notice)
    {
        final boolean isFirst = isCoordinator();
        final MemberClient client = MemberClient.join(
            LaunchedRank.context(
                environment,
                directory.aeronDirectory(),
                isFirst ? 0 : 1,
                isFirst ? null : environment.coordinator()),
            notice);
        owned.push(client);
        return client;
    }

    /** Waits until all ranks have joined; returns a random number of rank 0. */
    private String awaitOthers(final MemberClient client)
    {
        try
        {
            return allgather(client, "tutti.join", JobSecret.generate().substring(0, UNIQUE_LENGTH)).getFirst();
        }
        catch (final BootstrapTimeoutException ex)
        {
            throw new BootstrapTimeoutException("rank " + environment.rank() + " has joined job '" +
                environment.jobId() + "', but others have not: " + ex.getMessage());
        }
    }

    /**
     * Returns the path of the directory that the ranks of this host share. Its name contains a number, as other jobs
     * may have the same id.
     */
    private Path shareDirectory(final String number)
    {
        final String name = JobId.withSuffix(environment.jobId(), number);
        final JobDirectory directory = JobDirectory.share(name);
        owned.push(directory);
        return directory.path();
    }

    /** Determines the local rank and size by the ids that the ranks have read, unless the environment contains them. */
    private JobEnvironment locate(final List<String> hostIds)
    {
        if (environment.localRank() >= 0 && environment.localSize() >= 0)
        {
            return environment;
        }
        final String own = hostIds.get(environment.rank());
        return environment.withLocal(
            (int)hostIds.subList(0, environment.rank()).stream().filter(own::equals).count(),
            (int)hostIds.stream().filter(own::equals).count());
    }

    private List<String> allgather(final MemberClient client, final String name, final String text)
    {
        final byte[] value = text.getBytes(StandardCharsets.UTF_8);
        final long timeoutNs = environment.joinTimeoutNs();
        return ValueList.decode(client.ask(
            (writer, id) -> writer.allgatherHead(id, name, Arguments.ALL, timeoutNs, value.length), value, timeoutNs))
            .stream().map(bytes -> new String(bytes, StandardCharsets.UTF_8)).toList();
    }

    private void startCoordinator(final JobDirectory directory)
    {
        final BitSet joined = new BitSet();
        owned.push(Coordinator.start(context(directory)
            .leaveTimeoutNs(TimeUnit.MILLISECONDS.toNanos(LEAVE_TIMEOUT_MS))
            .listener(new CoordinatorListener()
            {
                @Override
                public void onJoined(final int rank, final String host, final long pid)
                {
                    joined.set(rank);
                    if (secretSource != null && joined.cardinality() == environment.size())
                    {
                        OwnedResources.close(new ArrayDeque<>(List.of(secretSource)));
                    }
                }
            })));
    }

    private CoordinatorContext context(final JobDirectory directory)
    {
        return new CoordinatorContext()
            .jobId(environment.jobId())
            .size(environment.size())
            .aeronDirectory(directory.aeronDirectory())
            .secret(environment.secret().getBytes(StandardCharsets.UTF_8))
            .endpoint(ListenEndpoint.of(environment.coordinator()))
            .rank(environment.rank());
    }
}
