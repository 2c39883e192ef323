/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.Uninterrupted;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.CollectiveInterruptedException;
import org.tutti.rdma.memory.RegisteredMemoryPool;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * What the communicators of one rank share: the job's bootstrap, the open device, its protection domain, registered
 * memory, and their end. The first is the world; the others were split off it, or off each other. They are closed in
 * any order, and the last frees what is shared. Thread-safe.
 */
final class CollectiveContext
{
    private static final long CLOSE_PATIENCE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long INTERRUPTED_PATIENCE_NS = TimeUnit.SECONDS.toNanos(2);

    private final ResourceScope parts = new ResourceScope();
    private final List<ResourceScope> kept = new ArrayList<>();
    private final Bootstrap job;
    private final EngineConfiguration configuration;
    private final List<Session> sessions = new ArrayList<>();
    private final List<FutureTask<?>> unfinished = new ArrayList<>();
    private final AtomicLong names = new AtomicLong();
    private List<NetDevice> rails = List.of();
    private String otherHostsProblem;
    /** By rank of the job: the index of the rail to it; null before the first member has met all. */
    private volatile int[] railOf;
    private RegisteredMemoryPool pool;
    private ResultHashes hashes;
    private CollectiveException failure;
    private int members;

    /**
     * For one rank, with no member yet.
     *
     * @param job           of the rank; closed with the last member.
     * @param configuration of all members.
     */
    CollectiveContext(final Bootstrap job, final EngineConfiguration configuration)
    {
        this.job = parts.add(job);
        this.configuration = configuration;
    }

    /** Opens the devices; once, by the first member. */
    void open()
    {
        final LocalPorts opened = LocalPorts.open(configuration.transport(), job, configuration.wish());
        otherHostsProblem = opened.problem();
        opened.ports().forEach(parts::add);
        for (final LocalPort port : opened.ports())
        {
            rails = Stream.concat(rails.stream(), Stream.of(new NetDevice(rails.size(), port,
                new EventWatch(port.context(), port.port().number(), configuration.path().givingUpNs()),
                parts.add(port.context().allocateProtectionDomain())))).toList();
        }
        pool = parts.add(new RegisteredMemoryPool(rails.stream().map(NetDevice::domain).toList()));
        if (!configuration.resultHashes().isEmpty())
        {
            hashes = parts.add(ResultHashes.open(configuration.resultHashes(), job.rank()));
        }
    }

    Bootstrap job()
    {
        return job;
    }

    EngineConfiguration configuration()
    {
        return configuration;
    }

    /** The ways to other ranks, that of shared memory first; none before they are open. */
    List<NetDevice> rails()
    {
        return rails;
    }

    /**
     * By which rail the ranks of the job are reached, once the first member has met them.
     *
     * @param rail index, by rank of the job.
     */
    void met(final int[] rail)
    {
        railOf = rail;
    }

    /** Whether a rank of the job is, or may be, reached by a rail. */
    boolean mayReach(final int jobRank, final int rail)
    {
        final int[] known = railOf;
        return known == null || known[jobRank] == rail;
    }

    /** Why there is none to other hosts, or null if there is, or none was asked for. */
    String otherHostsProblem()
    {
        return otherHostsProblem;
    }

    RegisteredMemoryPool pool()
    {
        return pool;
    }

    /** Where one more communicator writes the hashes of its results, or null if nobody wants them. */
    ResultHashes.OfCommunicator resultHashesOfOne()
    {
        return hashes == null ? null : hashes.ofOne();
    }

    /** A name that no other communicator of the job has, if this rank is the first of its ranks. */
    String newName()
    {
        return Integer.toHexString(job.rank()) + '.' + Long.toHexString(names.getAndIncrement());
    }

    /** A member more. */
    synchronized void enter()
    {
        members++;
    }

    /**
     * Keeps memory of a member that could not wait until the others were done with it: they may store into it yet, so
     * nobody else must get it.
     */
    synchronized void keep(final ResourceScope memory)
    {
        kept.add(memory);
    }

    /** A member less; after the last, nothing is left. */
    synchronized void leave(final List<Exception> problems)
    {
        if (--members == 0)
        {
            kept.forEach((memory) -> memory.close(problems));
            parts.close(problems);
        }
    }

    synchronized void add(final Session session)
    {
        sessions.add(session);
        if (failure != null)
        {
            session.poison(failure);
        }
    }

    /**
     * Closes a communicator. Ranks may close theirs in different orders, each waiting for the other in another one: so
     * one that is not the last of this rank is waited for only shortly, and then goes on by itself. The last waits for
     * all.
     *
     * @param session of the communicator.
     * @param closing frees it; does not wait for ever.
     * @throws CollectiveInterruptedException if the thread is interrupted: all that waits for other ranks ends then.
     * @throws RuntimeException               that the closing threw, or that of one which went on by itself.
     */
    void close(final Session session, final Runnable closing)
    {
        final List<FutureTask<?>> awaited;
        final FutureTask<?> task = new FutureTask<>(closing, null);
        final boolean isLast;
        synchronized (this)
        {
            sessions.remove(session);
            isLast = sessions.isEmpty();
            awaited = isLast ? List.copyOf(unfinished) : List.of();
            unfinished.removeIf(FutureTask::isDone);
            unfinished.add(task);
        }
        if (isLast)
        {
            task.run();
        }
        else
        {
            final Thread thread = new Thread(task, "tutti-close");
            thread.setDaemon(true);
            thread.start();
        }
        try
        {
            await(task, isLast ? Long.MAX_VALUE : CLOSE_PATIENCE_NS);
            for (final FutureTask<?> other : awaited)
            {
                await(other, Long.MAX_VALUE);
            }
        }
        catch (final InterruptedException e)
        {
            final CollectiveException interrupted =
                session.failFromOutside(session.diagnosis().closeInterrupted());
            Uninterrupted.parkUntil(
                () -> task.isDone() && awaited.stream().allMatch(FutureTask::isDone), INTERRUPTED_PATIENCE_NS);
            Thread.currentThread().interrupt();
            throw interrupted;
        }
    }

    private static void await(final FutureTask<?> task, final long timeoutNs) throws InterruptedException
    {
        try
        {
            task.get(timeoutNs, TimeUnit.NANOSECONDS);
        }
        catch (final TimeoutException goesOn)
        {
            // Another rank closes others first.
        }
        catch (final ExecutionException e)
        {
            if (e.getCause() instanceof final RuntimeException thrown)
            {
                throw thrown;
            }
            throw new IllegalStateException("cannot close", e.getCause());
        }
    }

    /** One communicator has failed: none can go on, as a late peer may still write into memory that they share. */
    synchronized void fail(final CollectiveException cause)
    {
        failure = failure == null ? cause : failure;
        for (final Session session : sessions)
        {
            session.poison(cause);
        }
    }
}
