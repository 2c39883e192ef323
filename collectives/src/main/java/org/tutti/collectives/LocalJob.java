/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

import org.tutti.collectives.comm.Communicators;

import java.util.List;

/**
 * Runs the ranks of a job as threads of this process, which communicate through shared memory: for tests of programs,
 * and for programs whose threads call collectives. Needs no launcher, coordinator or network.
 */
public final class LocalJob
{
    /** Code of one rank that returns nothing. */
    @FunctionalInterface
    public interface Body
    {
        /**
         * Runs on the rank's thread.
         *
         * @param communicator communicator of all ranks, closed when this method returns.
         * @throws Exception if the rank fails: the calls of all other ranks then fail, too.
         */
        void run(Communicator communicator) throws Exception;
    }

    /**
     * Code of one rank that returns a result.
     *
     * @param <T> type of the result.
     */
    @FunctionalInterface
    public interface Task<T>
    {
        /**
         * Runs on the rank's thread.
         *
         * @param communicator communicator of all ranks, closed when this method returns.
         * @return result of the rank, or null.
         * @throws Exception if the rank fails: the calls of all other ranks then fail, too.
         */
        T call(Communicator communicator) throws Exception;
    }

    private LocalJob()
    {
    }

    /**
     * Runs all ranks, and waits until they have ended.
     *
     * @param size number of ranks, at least 1.
     * @param body code of each rank.
     * @throws IllegalArgumentException                          if {@code size} is less than 1.
     * @throws ConfigurationException                            if a setting is invalid.
     * @throws org.tutti.bootstrap.BootstrapException            if the JVM lacks an option.
     * @throws java.util.concurrent.CompletionException          if a rank threw a checked exception, its cause; an
     *                                                           unchecked exception or error is thrown as it is. If
     *                                                           several ranks fail, the exception of the first is
     *                                                           thrown, with the others as suppressed exceptions.
     * @throws org.tutti.bootstrap.BootstrapInterruptedException if the thread is interrupted: the ranks' threads are
     *                                                           interrupted, too, and have ended.
     */
    public static void run(final int size, final Body body)
    {
        call(size, communicator ->
        {
            body.run(communicator);
            return null;
        });
    }

    /**
     * Runs all ranks, and waits until they have ended, as {@link #run}.
     *
     * @param size number of ranks, at least 1.
     * @param task code of each rank.
     * @param <T>  type of the results.
     * @return results by rank.
     */
    public static <T> List<T> call(final int size, final Task<T> task)
    {
        return call(size, JoinOptions.ofEnvironment(), task);
    }

    /**
     * Runs all ranks with the same options, and waits until they have ended, as {@link #run}.
     *
     * @param size    number of ranks, at least 1.
     * @param options options of all ranks; their rank, coordinator and secret are ignored.
     * @param task    code of each rank.
     * @param <T>     type of the results.
     * @return results by rank.
     */
    public static <T> List<T> call(final int size, final JoinOptions options, final Task<T> task)
    {
        return Communicators.callInProcess(size, options, task);
    }
}
