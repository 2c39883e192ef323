/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.util.List;
import java.util.function.Consumer;

/**
 * A rank's view of the job while it starts and runs: its rank, a store of opaque bytes shared with all other
 * ranks, and the notices that a rank failed or that the job was aborted.
 * <p>
 * The bytes mean nothing here: the collectives put endpoint records into them. Every wait has a deadline, and the
 * error of a wait that passed it names the ranks that are missing. All methods may be called from any thread.
 * <p>
 * A thread that is interrupted, before or while it waits for other ranks, gets a {@link BootstrapInterruptedException};
 * what needs no other rank works on, unless the coordinator has not answered for a second.
 */
public interface Bootstrap extends AutoCloseable
{
    /** How often a rank that waits for others tells so, in nanoseconds. */
    long WAIT_REPORT_INTERVAL_NS = 2_000_000_000L;

    /**
     * The rank of this process.
     *
     * @return from 0 to {@link #size()} - 1.
     */
    int rank();

    /**
     * How many ranks the job has.
     *
     * @return at least 1.
     */
    int size();

    /**
     * The rank among the ranks of this host.
     *
     * @return from 0 to {@link #localSize()} - 1.
     */
    int localRank();

    /**
     * How many ranks this host has.
     *
     * @return at least 1.
     */
    int localSize();

    /**
     * The job's name, unique among the jobs of a host: it names directories and shared memory.
     *
     * @return letters, digits, '.', '_' and '-' only.
     */
    String jobId();

    /**
     * The directory for the job's shared memory on this host; the process that started the job removes it at the end.
     *
     * @return an absolute path, normally below {@code /dev/shm}.
     */
    String jobDirectory();

    /**
     * Stores a value for every rank to read, replacing one of the same key.
     *
     * @param key   any non-empty text of at most 255 bytes in UTF-8.
     * @param value the bytes, copied before the method returns.
     * @throws BootstrapException if the coordinator cannot be reached, or the job is aborted.
     */
    void put(String key, byte[] value);

    /**
     * Reads a value without waiting for it to appear.
     *
     * @param key key of the put.
     * @return the bytes, or null when no rank has put the key yet.
     * @throws BootstrapException if the coordinator cannot be reached, or the job is aborted.
     */
    byte[] get(String key);

    /**
     * Reads a value, waiting until a rank puts it.
     *
     * @param key       key of the put.
     * @param timeoutNs maximum time to wait, in nanoseconds.
     * @return the bytes.
     * @throws BootstrapTimeoutException if it was not put in time.
     * @throws BootstrapException        if a rank failed, the job is aborted, or the coordinator cannot be reached.
     */
    byte[] await(String key, long timeoutNs);

    /**
     * Reads a value without waiting for it to appear, and removes it: for what one rank leaves for one other.
     *
     * @param key key of the put.
     * @return the bytes, or null when there are none.
     * @throws BootstrapException if the coordinator cannot be reached, or the job is aborted.
     */
    byte[] take(String key);

    /**
     * As {@link #put}, without waiting for the coordinator. Requests of one rank are served in the order in which they
     * are made.
     *
     * @param key   any non-empty text of at most 255 bytes in UTF-8.
     * @param value the bytes, copied before the method returns.
     * @return the request, which need not be tested.
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
     * @param key key of the put.
     * @return the request, to be tested.
     * @throws BootstrapException if a rank failed, or the job is aborted.
     */
    default BootstrapRequest getAsync(final String key)
    {
        return BootstrapRequest.answered(get(key));
    }

    /**
     * As {@link #take}, without waiting for the coordinator. A request that is not tested any more takes the value all
     * the same.
     *
     * @param key key of the put.
     * @return the request, to be tested.
     * @throws BootstrapException if a rank failed, or the job is aborted.
     */
    default BootstrapRequest takeAsync(final String key)
    {
        return BootstrapRequest.answered(take(key));
    }

    /**
     * Whether the coordinator answers, as far as this rank can tell.
     *
     * @return null if it does, or one line for people that says why not.
     */
    default String coordinatorProblem()
    {
        return null;
    }

    /**
     * Gives every rank the values of all ranks. All ranks call it with the same name, each name once.
     *
     * @param name      name of this exchange, unique in the job.
     * @param value     this rank's bytes.
     * @param timeoutNs maximum time to wait, in nanoseconds.
     * @return the values by rank.
     * @throws BootstrapTimeoutException naming the ranks whose values are missing.
     * @throws BootstrapException        if a rank failed, the job is aborted, or the coordinator cannot be reached.
     */
    default List<byte[]> allgather(final String name, final byte[] value, final long timeoutNs)
    {
        return allgather(name, Arguments.ALL, value, timeoutNs);
    }

    /**
     * Gives some ranks the values of all of them. Those ranks call it with the same name, each name once.
     *
     * @param name      name of this exchange, unique in the job.
     * @param members   the ranks, ascending, this one among them; empty for all.
     * @param value     this rank's bytes.
     * @param timeoutNs maximum time to wait, in nanoseconds.
     * @return the values in the order of the members.
     * @throws BootstrapTimeoutException naming the ranks whose values are missing.
     * @throws BootstrapException        if a rank failed, the job is aborted, or the coordinator cannot be reached.
     */
    List<byte[]> allgather(String name, int[] members, byte[] value, long timeoutNs);

    /**
     * Returns when all ranks have called it with the same name.
     *
     * @param name      name of this barrier, unique in the job.
     * @param timeoutNs maximum time to wait, in nanoseconds.
     * @throws BootstrapTimeoutException naming the ranks that did not arrive.
     * @throws BootstrapException        if a rank failed, the job is aborted, or the coordinator cannot be reached.
     */
    default void barrier(final String name, final long timeoutNs)
    {
        barrier(name, Arguments.ALL, timeoutNs);
    }

    /**
     * Returns when some ranks have called it with the same name.
     *
     * @param name      name of this barrier, unique in the job.
     * @param members   the ranks, ascending, this one among them; empty for all.
     * @param timeoutNs maximum time to wait, in nanoseconds.
     * @throws BootstrapTimeoutException naming the ranks that did not arrive.
     * @throws BootstrapException        if a rank failed, the job is aborted, or the coordinator cannot be reached.
     */
    void barrier(String name, int[] members, long timeoutNs);

    /**
     * Tells all ranks, and their launcher, that this rank cannot go on. Every wait of every rank ends with it.
     *
     * @param reason one line for people.
     */
    void abort(String reason);

    /**
     * As {@link #abort(String)}, because another rank is late: that one has failed, not this one.
     *
     * @param lateRank waited for in vain, or -1 if no rank is known to be late.
     * @param reason   one line for people.
     */
    void abort(int lateRank, String reason);

    /**
     * Tells the coordinator that this rank has been waiting for a while, and does not wait for an answer. To be told
     * again every {@link #WAIT_REPORT_INTERVAL_NS} for as long as the wait lasts: its end is not told.
     *
     * @param peer     rank waited for, or -1 if that is not known.
     * @param call     description of the call, for messages.
     * @param waitedNs duration of the wait so far, in nanoseconds.
     */
    default void reportWait(final int peer, final String call, final long waitedNs)
    {
    }

    /**
     * The first failure that this rank was told of.
     *
     * @return the failure, or null while all is well. A volatile read, cheap enough for a polling loop.
     */
    RankFailure failure();

    /**
     * Sets the listener for the first failure; called at once if there was one already.
     *
     * @param listener called once, on the bootstrap's own thread; it must not block.
     */
    void onFailure(Consumer<RankFailure> listener);

    /** Leaves the job in good order: from now on the end of this process is no failure. Idempotent. */
    @Override
    void close();
}
