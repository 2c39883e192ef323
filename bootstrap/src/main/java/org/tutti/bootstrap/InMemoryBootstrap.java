/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import org.tutti.bootstrap.store.CollectiveArrival;
import org.tutti.bootstrap.store.JobStore;
import org.tutti.bootstrap.store.Reply;
import org.tutti.bootstrap.store.ReplyStatus;
import org.tutti.bootstrap.store.ValueList;

/**
 * A bootstrap of ranks that are threads of one process, for tests and embedding, and for jobs of one rank without a
 * launcher. Uses no communication. The job directory is created on first use, and removed when the last rank closes.
 */
public final class InMemoryBootstrap implements Bootstrap
{
    private final Group group;
    private final int rank;
    private boolean isClosed;

    private InMemoryBootstrap(final Group group, final int rank)
    {
        this.group = group;
        this.rank = rank;
    }

    /**
     * Creates the ranks of a job, one for each of the caller's threads.
     *
     * @param size the number of ranks, at least 1.
     * @return the bootstraps by rank, each to be closed.
     */
    public static List<InMemoryBootstrap> group(final int size)
    {
        if (size < 1)
        {
            throw new IllegalArgumentException("the number of ranks must be at least 1: " + size);
        }
        final Group group = new Group(size);
        final List<InMemoryBootstrap> ranks = new ArrayList<>(size);
        for (int rank = 0; rank < size; rank++)
        {
            ranks.add(new InMemoryBootstrap(group, rank));
        }
        return List.copyOf(ranks);
    }

    @Override
    public int rank()
    {
        return rank;
    }

    @Override
    public int size()
    {
        return group.size;
    }

    @Override
    public int localRank()
    {
        return rank;
    }

    @Override
    public int localSize()
    {
        return group.size;
    }

    @Override
    public String jobId()
    {
        return group.jobId;
    }

    @Override
    public String hostId()
    {
        return group.jobId;
    }

    @Override
    public String jobDirectory()
    {
        return group.directory();
    }

    @Override
    public void put(final String key, final byte[] value)
    {
        final byte[] copy = Arguments.value(Arguments.key(key), value).clone();
        group.lock.lock();
        try
        {
            checkOpen();
            group.store.put(key, copy);
            group.changed.signalAll();
        }
        finally
        {
            group.lock.unlock();
        }
    }

    @Override
    public byte[] get(final String key)
    {
        final byte[] value = read(Arguments.key(key), false);
        return value == null ? null : value.clone();
    }

    @Override
    public byte[] take(final String key)
    {
        return read(Arguments.key(key), true);
    }

    private byte[] read(final String key, final boolean isTaken)
    {
        final Answer answer = new Answer();
        group.lock.lock();
        try
        {
            checkOpen();
            if (isTaken)
            {
                group.store.take(key, answer);
            }
            else
            {
                group.store.get(key, answer);
            }
        }
        finally
        {
            group.lock.unlock();
        }
        return answer.status == ReplyStatus.ABSENT ? null : answer.value;
    }

    @Override
    public byte[] await(final String key, final long timeoutNs)
    {
        Arguments.key(key);
        final long boundedNs = Arguments.timeout(timeoutNs);
        return ask((answer, nowNs) -> group.store.await(rank, key, nowNs, boundedNs, answer)).clone();
    }

    @Override
    public List<byte[]> allgather(
        final String name, final int[] members, final byte[] value, final long timeoutNs)
    {
        final int[] checked = Arguments.members(members, rank, group.size);
        final byte[] copy = Arguments.value(Arguments.key(name), value).clone();
        final long boundedNs = Arguments.timeout(timeoutNs);
        return ValueList.decode(
            ask((answer, nowNs) -> group.store.allgather(
                new CollectiveArrival(rank, name, checked, nowNs, boundedNs), copy, answer)));
    }

    @Override
    public void barrier(final String name, final int[] members, final long timeoutNs)
    {
        final int[] checked = Arguments.members(members, rank, group.size);
        Arguments.key(name);
        final long boundedNs = Arguments.timeout(timeoutNs);
        ask((answer, nowNs) ->
            group.store.barrier(new CollectiveArrival(rank, name, checked, nowNs, boundedNs), answer));
    }

    @Override
    public void abort(final String reason)
    {
        fail(new RankFailure(rank, Hosts.local(), ProcessHandle.current().pid(), RankFailure.aborted(reason)));
    }

    @Override
    public void abort(final int lateRank, final String reason)
    {
        fail(RankFailure.late(lateRank, Hosts.local(), ProcessHandle.current().pid(), rank, reason));
    }

    /**
     * Simulates a failure that a launcher reports: notifies all ranks of the group. For tests.
     *
     * @param failure the failure to report.
     */
    public void fail(final RankFailure failure)
    {
        group.lock.lock();
        try
        {
            for (final FailureNotice notice : group.notices)
            {
                notice.raise(failure);
            }
            group.changed.signalAll();
        }
        finally
        {
            group.lock.unlock();
        }
        for (final FailureNotice notice : group.notices)
        {
            notice.tell();
        }
    }

    @Override
    public RankFailure failure()
    {
        return group.notices[rank].failure();
    }

    @Override
    public void onFailure(final Consumer<RankFailure> listener)
    {
        group.notices[rank].listener(listener);
        group.notices[rank].tell();
    }

    @Override
    public void close()
    {
        group.lock.lock();
        try
        {
            if (!isClosed)
            {
                isClosed = true;
                group.store.leave(rank);
                group.changed.signalAll();
                group.closeOne();
            }
        }
        finally
        {
            group.lock.unlock();
        }
    }

    private byte[] ask(final Query query)
    {
        final Answer answer = new Answer();
        group.lock.lock();
        try
        {
            checkOpen();
            query.apply(answer, System.nanoTime());
            group.changed.signalAll();
            while (answer.status == null)
            {
                checkOpen();
                group.store.expire(System.nanoTime());
                if (answer.status == null)
                {
                    group.changed.awaitNanos(Group.TICK_NS);
                }
            }
            if (answer.status != ReplyStatus.OK && answer.status != ReplyStatus.ABSENT)
            {
                // A rank that aborts also leaves, so the store refuses the waits for it: they must report the abort
                // instead.
                group.notices[rank].check();
            }
        }
        catch (final InterruptedException ex)
        {
            throw BootstrapInterruptedException.of("rank " + rank, "it waited for other ranks");
        }
        finally
        {
            group.lock.unlock();
        }
        return answer.result();
    }

    private void checkOpen()
    {
        group.notices[rank].check();
        if (isClosed)
        {
            throw new BootstrapException("rank " + rank + " has left the job: its bootstrap is closed");
        }
    }

    /** Issues a request to the store. */
    private interface Query
    {
        void apply(Answer answer, long nowNs);
    }

    /** The store's answer; guarded by the group's lock. */
    private static final class Answer implements Reply
    {
        private ReplyStatus status;
        private byte[] value;

        @Override
        public void complete(final ReplyStatus replyStatus, final byte[] replyValue)
        {
            status = replyStatus;
            value = replyValue;
        }

        byte[] result()
        {
            if (status == ReplyStatus.OK)
            {
                return value;
            }
            final String message = new String(value, StandardCharsets.UTF_8);
            throw status == ReplyStatus.TIMED_OUT ?
                new BootstrapTimeoutException(message) : new BootstrapException(message);
        }
    }

    /** The state shared by the ranks. */
    private static final class Group
    {
        /** The interval at which deadlines are checked, in nanoseconds. */
        static final long TICK_NS = 10_000_000;

        final int size;
        final String jobId = JobId.unique("mem");
        final JobStore store;
        final FailureNotice[] notices;
        final ReentrantLock lock = new ReentrantLock();
        final Condition changed = lock.newCondition();
        private JobDirectory directory;
        private int open;

        Group(final int size)
        {
            this.size = size;
            open = size;
            store = new JobStore(size);
            notices = new FailureNotice[size];
            for (int rank = 0; rank < size; rank++)
            {
                notices[rank] = new FailureNotice();
            }
        }

        String directory()
        {
            lock.lock();
            try
            {
                if (directory == null)
                {
                    directory = JobDirectory.create(jobId);
                }
                return directory.path().toString();
            }
            finally
            {
                lock.unlock();
            }
        }

        void closeOne()
        {
            open--;
            if (open == 0 && directory != null)
            {
                directory.close();
            }
        }
    }
}
