/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.tutti.bootstrap.Arguments;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapInterruptedException;
import org.tutti.bootstrap.Coordinator;
import org.tutti.bootstrap.CoordinatorContext;
import org.tutti.bootstrap.CoordinatorListener;
import org.tutti.bootstrap.FailureNotice;
import org.tutti.bootstrap.Hosts;
import org.tutti.bootstrap.JobDirectory;
import org.tutti.bootstrap.JobEnvironment;
import org.tutti.bootstrap.OpenFileLimit;
import org.tutti.bootstrap.RankFailure;
import org.tutti.bootstrap.SecretFile;
import org.tutti.bootstrap.store.ValueList;

/**
 * Joins a job without Tutti's launcher: rank 0 runs the coordinator, the other ranks reach it by UDP, and each rank
 * runs its own media driver. The first rank of each host creates the job's directory there, and removes it.
 */
public final class StandaloneRank
{
    private static final long LEAVE_TIMEOUT_MS = 5_000;
    /** Number of files opened later: jars and libraries, buffers while they are mapped, selectors and sockets. */
    private static final int FILES = 32;

    private JobEnvironment environment;
    /** The file with the secret for the ranks of this host; null unless this is rank 0 and it generated the secret. */
    private SecretFile secretFile;
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
        catch (final RuntimeException ex)
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
        final JobDirectory ownDirectory = makeOwnDirectory();
        agreeOnSecret();
        if (environment.rank() == 0)
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
        final JobEnvironment located = locate(client);
        if (located.localRank() == 0)
        {
            owned.push(JobDirectory.create(environment.jobId()));
        }
        final long timeoutNs = environment.joinTimeoutNs();
        client.ask((writer, id) -> writer.barrier(id, "tutti.directories", Arguments.ALL, timeoutNs), timeoutNs);
        final String jobDirectory = JobDirectory.path(JobDirectory.base(), environment.jobId()).toString();
        return new AeronBootstrap(located, jobDirectory, notice, client).own(owned);
    }

    private void abort(final String reason)
    {
        final JobDirectory ownDirectory = makeOwnDirectory();
        agreeOnSecret();
        if (environment.rank() != 0)
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

    private void agreeOnSecret()
    {
        if (environment.secret() != null)
        {
            return;
        }
        if (environment.rank() == 0)
        {
            secretFile = SecretFile.create(environment);
            owned.push(secretFile);
        }
        environment = environment.withSecret(
            secretFile == null ? SecretFile.await(environment) : secretFile.secret());
    }

    private JobDirectory makeOwnDirectory()
    {
        final JobDirectory directory = JobDirectory.create(
            "rank" + environment.rank() + "-" + ProcessHandle.current().pid() + "-" + System.nanoTime());
        owned.push(directory);
        return directory;
    }

    private MemberClient connect(final JobDirectory directory, final FailureNotice notice)
    {
        final boolean isFirst = environment.rank() == 0;
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

    /** Determines the local rank and size by the ranks' host names, if the environment does not contain them. */
    private JobEnvironment locate(final MemberClient client)
    {
        if (environment.localRank() >= 0 && environment.localSize() >= 0)
        {
            return environment;
        }
        final byte[] host = Hosts.local().getBytes(StandardCharsets.UTF_8);
        final long timeoutNs = environment.joinTimeoutNs();
        final List<byte[]> hosts = ValueList.decode(client.ask(
            (writer, id) -> writer.allgatherHead(id, "tutti.hosts", Arguments.ALL, timeoutNs, host.length),
            host, timeoutNs));
        int localRank = 0;
        int localSize = 0;
        for (int rank = 0; rank < hosts.size(); rank++)
        {
            if (Arrays.equals(hosts.get(rank), host))
            {
                localRank += rank < environment.rank() ? 1 : 0;
                localSize++;
            }
        }
        return environment.withLocal(localRank, localSize);
    }

    private void startCoordinator(final JobDirectory directory)
    {
        final CountDownLatch present = new CountDownLatch(environment.size());
        final BitSet joined = new BitSet();
        final Coordinator coordinator = Coordinator.start(context(directory)
            .listener(new CoordinatorListener()
            {
                @Override
                public void onJoined(final int rank, final String host, final long pid)
                {
                    joined.set(rank);
                    if (secretFile != null && joined.cardinality() == environment.size())
                    {
                        secretFile.close();
                    }
                }

                @Override
                public void onLeft(final int rank)
                {
                    present.countDown();
                }
            }));
        owned.push(
            () ->
            {
                try (coordinator)
                {
                    if (coordinator.failure() == null)
                    {
                        present.await(LEAVE_TIMEOUT_MS, TimeUnit.MILLISECONDS);
                    }
                }
                catch (final InterruptedException ex)
                {
                    // Stops waiting for the other ranks.
                    Thread.currentThread().interrupt();
                }
            });
    }

    private CoordinatorContext context(final JobDirectory directory)
    {
        return new CoordinatorContext()
            .jobId(environment.jobId())
            .size(environment.size())
            .aeronDirectory(directory.aeronDirectory())
            .secret(environment.secret().getBytes(StandardCharsets.UTF_8))
            .endpoint(environment.coordinator())
            .rank(environment.rank());
    }
}
