/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The bootstrap of a group: some ranks of a job, renumbered. Keys and names are local to the group, and barriers and
 * allgathers are over its members. Everything else is that of the job: its id, its directory, the local rank, and
 * failures, which use ranks of the job; an abort ends the whole job.
 * <p>
 * Closing a group's bootstrap has no effect; the job's bootstrap is closed by its owner.
 */
public final class GroupBootstrap implements Bootstrap
{
    private final Bootstrap job;
    private final String prefix;
    private final int[] ranks;
    private final int[] sorted;
    private final int rank;

    private GroupBootstrap(final Bootstrap job, final String prefix, final int[] ranks)
    {
        this.job = job;
        this.prefix = prefix;
        this.ranks = ranks;
        sorted = ranks.clone();
        Arrays.sort(sorted);
        Arguments.members(sorted, job.rank(), job.size());
        rank = IntStream.range(0, ranks.length).filter(i -> ranks[i] == job.rank()).findFirst().orElseThrow();
    }

    /**
     * Creates a group of a job's ranks, or of the ranks of another group.
     *
     * @param parent the bootstrap of the job or other group; must stay open while the group is used.
     * @param name   the name of the group, unique in the job, the same on all members, and short: it prefixes all keys.
     * @param ranks  the members' ranks in the parent, in the order of their ranks in the group; distinct, including
     *               this one.
     * @return this rank's bootstrap of the group.
     * @throws IllegalArgumentException if the ranks are invalid.
     */
    public static GroupBootstrap of(final Bootstrap parent, final String name, final int[] ranks)
    {
        if (ranks.length == 0)
        {
            throw new IllegalArgumentException("a group must have at least 1 rank");
        }
        final String prefix = name + '/';
        return parent instanceof final GroupBootstrap group ?
            new GroupBootstrap(group.job, prefix, Arrays.stream(ranks).map(group::jobRank).toArray()) :
            new GroupBootstrap(parent, prefix, ranks.clone());
    }

    /**
     * Returns the name of the group.
     *
     * @return the name, as given.
     */
    public String name()
    {
        return prefix.substring(0, prefix.length() - 1);
    }

    /**
     * Returns the job rank of a member.
     *
     * @param member the rank in the group, from 0 to {@link #size()} - 1.
     * @return the rank in the job.
     */
    public int jobRank(final int member)
    {
        return ranks[member];
    }

    /**
     * Returns the group rank of a rank of the job.
     *
     * @param jobRank the rank in the job, from 0.
     * @return the rank in the group, or -1 if the rank is not a member.
     */
    public int member(final int jobRank)
    {
        for (int member = 0; member < ranks.length; member++)
        {
            if (ranks[member] == jobRank)
            {
                return member;
            }
        }
        return -1;
    }

    @Override
    public int rank()
    {
        return rank;
    }

    @Override
    public int size()
    {
        return ranks.length;
    }

    /** Returns the index among all ranks of the job on this host. */
    @Override
    public int localRank()
    {
        return job.localRank();
    }

    /** Returns the number of the job's ranks on this host, members or not, as they share its cores. */
    @Override
    public int localSize()
    {
        return job.localSize();
    }

    @Override
    public String jobId()
    {
        return job.jobId();
    }

    @Override
    public String hostId()
    {
        return job.hostId();
    }

    @Override
    public String jobDirectory()
    {
        return job.jobDirectory();
    }

    @Override
    public void put(final String key, final byte[] value)
    {
        job.put(prefix + key, value);
    }

    @Override
    public byte[] get(final String key)
    {
        return job.get(prefix + key);
    }

    @Override
    public byte[] take(final String key)
    {
        return job.take(prefix + key);
    }

    @Override
    public byte[] await(final String key, final long timeoutNs)
    {
        return job.await(prefix + key, timeoutNs);
    }

    @Override
    public BootstrapRequest putAsync(final String key, final byte[] value)
    {
        return job.putAsync(prefix + key, value);
    }

    @Override
    public BootstrapRequest getAsync(final String key)
    {
        return job.getAsync(prefix + key);
    }

    @Override
    public BootstrapRequest takeAsync(final String key)
    {
        return job.takeAsync(prefix + key);
    }

    @Override
    public String coordinatorProblem()
    {
        return job.coordinatorProblem();
    }

    /** Error messages use ranks of the job. */
    @Override
    public List<byte[]> allgather(
        final String name, final int[] members, final byte[] value, final long timeoutNs)
    {
        final int[] inJob = inJob(members);
        final int[] ascending = inJob.clone();
        Arrays.sort(ascending);
        final List<byte[]> values = job.allgather(prefix + name, ascending, value, timeoutNs);
        return Arrays.stream(inJob).mapToObj(member -> values.get(Arrays.binarySearch(ascending, member))).toList();
    }

    /** Error messages use ranks of the job. */
    @Override
    public void barrier(final String name, final int[] members, final long timeoutNs)
    {
        final int[] inJob = inJob(members);
        Arrays.sort(inJob);
        job.barrier(prefix + name, inJob, timeoutNs);
    }

    private int[] inJob(final int[] members)
    {
        return members.length == 0 ? ranks.clone() :
            Arrays.stream(Arguments.members(members, rank, ranks.length)).map(this::jobRank).toArray();
    }

    @Override
    public void abort(final String reason)
    {
        job.abort(reason);
    }

    @Override
    public void abort(final int lateRank, final String reason)
    {
        job.abort(lateRank < 0 ? lateRank : jobRank(lateRank), reason);
    }

    @Override
    public void reportWait(final int peer, final String call, final long waitedNs)
    {
        job.reportWait(peer < 0 ? peer : jobRank(peer), call, waitedNs);
    }

    @Override
    public RankFailure failure()
    {
        return job.failure();
    }

    /** Sets the listener of the job, which has only one. */
    @Override
    public void onFailure(final Consumer<RankFailure> listener)
    {
        job.onFailure(listener);
    }

    @Override
    public void close()
    {
        // The job continues.
    }
}
