/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.util.List;
import java.util.function.Consumer;

/**
 * A rank's interface to its job: its rank, a key-value store of opaque bytes shared by all ranks, barriers and
 * allgathers over that store, and notification of the job's first failure.
 * <p>
 * The bytes are not interpreted: the collectives exchange endpoint records in them. Every wait has a deadline, and its
 * timeout error names the missing ranks. Thread-safe.
 * <p>
 * A thread that is interrupted, before or while it waits for other ranks, gets a {@link BootstrapInterruptedException}.
 * Its calls that need no other rank still complete, unless the coordinator does not answer within a second.
 */
public interface Bootstrap extends AutoCloseable
{
    /** The interval at which a waiting rank reports its wait, in nanoseconds. */
    long WAIT_REPORT_INTERVAL_NS = 2_000_000_000L;

    /**
     * Returns the rank of this process.
     *
     * @return the rank, from 0 to {@link #size()} - 1.
     */
    int rank();

    /**
     * Returns the number of ranks of the job.
     *
     * @return the number of ranks, at least 1.
     */
    int size();

    /**
     * Returns the index of this rank among the ranks of its host.
     *
     * @return the local rank, from 0 to {@link #localSize()} - 1.
     */
    int localRank();

    /**
     * Returns the number of ranks on this host.
     *
     * @return the number of local ranks, at least 1.
     */
    int localSize();

    /**
     * Returns the id of the job, unique among the jobs of a host; used in names of directories and shared memory.
     *
     * @return the job id, of letters, digits, '.', '_' and '-' only.
     */
    String jobId();

    /**
     * Returns the directory for the job's shared memory on this host. The process that started the job removes it at
     * the end.
     *
     * @return an absolute path, normally below {@code /dev/shm}.
     */
    String jobDirectory();

    /**
     * Identifies this rank's host. Ranks with the same id share memory: each has read the id in the same file.
     *
     * @return a random text, the same for all ranks of the job that share a job directory.
     */
    String hostId();

    /**
     * Stores a value for all ranks, replacing an earlier value of the key.
     *
     * @param key   the key, 1 to 255 bytes in UTF-8.
     * @param value the value, copied before the method returns.
     * @throws BootstrapException if the coordinator cannot be reached, or the job is aborted.
     */
    void put(String key, byte[] value);

    /**
     * Reads a value without waiting for a rank to put it.
     *
     * @param key the key.
     * @return the value, or null if no rank has put the key yet.
     * @throws BootstrapException if the coordinator cannot be reached, or the job is aborted.
     */
    byte[] get(String key);

    /**
     * Reads a value, after waiting for a rank to put it.
     *
     * @param key       the key.
     * @param timeoutNs the maximum time to wait, in nanoseconds.
     * @return the value.
     * @throws BootstrapTimeoutException if the key was not put in time.
     * @throws BootstrapException        if a rank failed, the job is aborted, or the coordinator cannot be reached.
     */
    byte[] await(String key, long timeoutNs);

    /**
     * Reads and removes a value without waiting for a rank to put it: for values with a single reader.
     *
     * @param key the key.
     * @return the value, or null if there is none.
     * @throws BootstrapException if the coordinator cannot be reached, or the job is aborted.
     */
    byte[] take(String key);

    /**
     * As {@link #put}, without waiting for the coordinator. Requests of one rank are served in order.
     *
     * @param key   the key, 1 to 255 bytes in UTF-8.
     * @param value the value, copied before the method returns.
     * @return the request; testing it is optional.
     * @throws BootstrapException if a rank failed, or the job is aborted.
     */
    default BootstrapRequest putAsync(final String key, final byte[] value)
    {
        put(key, value);
        return BootstrapRequest.answered(null);
    }

    /**
     * As {@link #get}, without waiting for the coordinator.
     *
     * @param key the key.
     * @return the request, to be tested by the caller.
     * @throws BootstrapException if a rank failed, or the job is aborted.
     */
    default BootstrapRequest getAsync(final String key)
    {
        return BootstrapRequest.answered(get(key));
    }

    /**
     * As {@link #take}, without waiting for the coordinator. The value is removed even if the caller never tests the
     * request.
     *
     * @param key the key.
     * @return the request, to be tested by the caller.
     * @throws BootstrapException if a rank failed, or the job is aborted.
     */
    default BootstrapRequest takeAsync(final String key)
    {
        return BootstrapRequest.answered(take(key));
    }

    /**
     * Returns why the coordinator does not answer, as far as this rank knows.
     *
     * @return the problem in one line, or null if the coordinator answers.
     */
    default String coordinatorProblem()
    {
        return null;
    }

    /**
     * Gathers the values of all ranks on all ranks. Collective: all ranks must call it with the same name, each name
     * once.
     *
     * @param name      the name of this allgather, unique in the job.
     * @param value     this rank's value.
     * @param timeoutNs the maximum time to wait, in nanoseconds.
     * @return the values by rank.
     * @throws BootstrapTimeoutException if values do not arrive in time; the message names the missing ranks.
     * @throws BootstrapException        if a rank failed, the job is aborted, or the coordinator cannot be reached.
     */
    default List<byte[]> allgather(final String name, final byte[] value, final long timeoutNs)
    {
        return allgather(name, Arguments.ALL, value, timeoutNs);
    }

    /**
     * Gathers the values of some ranks on each of them. Collective over the members, which must call it with the same
     * name, each name once.
     *
     * @param name      the name of this allgather, unique in the job.
     * @param members   the member ranks, ascending, including this one; empty for all ranks.
     * @param value     this rank's value.
     * @param timeoutNs the maximum time to wait, in nanoseconds.
     * @return the values, in the order of the members.
     * @throws BootstrapTimeoutException if values do not arrive in time; the message names the missing ranks.
     * @throws BootstrapException        if a rank failed, the job is aborted, or the coordinator cannot be reached.
     */
    List<byte[]> allgather(String name, int[] members, byte[] value, long timeoutNs);

    /**
     * Waits until all ranks have called this method with the same name.
     *
     * @param name      the name of this barrier, unique in the job.
     * @param timeoutNs the maximum time to wait, in nanoseconds.
     * @throws BootstrapTimeoutException if ranks do not arrive in time; the message names the missing ranks.
     * @throws BootstrapException        if a rank failed, the job is aborted, or the coordinator cannot be reached.
     */
    default void barrier(final String name, final long timeoutNs)
    {
        barrier(name, Arguments.ALL, timeoutNs);
    }

    /**
     * Waits until all members have called this method with the same name.
     *
     * @param name      the name of this barrier, unique in the job.
     * @param members   the member ranks, ascending, including this one; empty for all ranks.
     * @param timeoutNs the maximum time to wait, in nanoseconds.
     * @throws BootstrapTimeoutException if ranks do not arrive in time; the message names the missing ranks.
     * @throws BootstrapException        if a rank failed, the job is aborted, or the coordinator cannot be reached.
     */
    void barrier(String name, int[] members, long timeoutNs);

    /**
     * Aborts the job, because this rank cannot continue. All ranks and the launcher are notified, and all waits of all
     * ranks end with an exception.
     *
     * @param reason the reason in one line.
     */
    void abort(String reason);

    /**
     * Aborts the job because another rank is late: reports that rank as failed instead of this one.
     *
     * @param lateRank the late rank, or -1 if unknown.
     * @param reason   the reason in one line.
     */
    void abort(int lateRank, String reason);

    /**
     * Reports to the coordinator that this rank has been waiting for some time; does not wait for an answer. To be
     * repeated every {@link #WAIT_REPORT_INTERVAL_NS} while the wait lasts; the end of the wait is not reported.
     *
     * @param peer     the rank waited for, or -1 if unknown.
     * @param call     the description of the call, for messages.
     * @param waitedNs the duration of the wait so far, in nanoseconds.
     */
    default void reportWait(final int peer, final String call, final long waitedNs)
    {
    }

    /**
     * Returns the first failure that this rank has been notified of.
     *
     * @return the failure, or null if there is none. A volatile read, cheap enough for a polling loop.
     */
    RankFailure failure();

    /**
     * Sets the listener for the first failure. If a failure has already occurred, the listener is called at once.
     *
     * @param listener the listener, called once, on any thread, possibly the calling one; must not block.
     */
    void onFailure(Consumer<RankFailure> listener);

    /** Leaves the job cleanly: from now on the end of this process is not a failure. Idempotent. */
    @Override
    void close();
}
