/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import org.tutti.bootstrap.aeron.AeronCoordinator;

/**
 * Serves the store of a job's ranks, watches their heartbeats, and notifies all of them when one fails. Runs in the
 * launcher's process, in that of rank 0 if there is no launcher, or in any process of a program that starts it, such as
 * the driver of tasks that are the ranks. Thread-safe.
 */
public interface Coordinator extends AutoCloseable
{
    /**
     * Starts a coordinator, with the Aeron media driver of this host. Ranks may join when this method returns.
     *
     * @param context the context of the job; concluded by this call.
     * @return the coordinator, to be closed by the caller.
     * @throws BootstrapException if the context is invalid or the driver cannot start; the message names the fix.
     */
    static Coordinator start(final CoordinatorContext context)
    {
        return AeronCoordinator.start(context);
    }

    /**
     * Starts the coordinator of a job whose ranks join by {@code Communicator.join}, from any thread or process that
     * reaches {@link #address()} by UDP and knows {@link #secret()}. Its files, about 12 MiB and 400 KiB per rank, are
     * in {@code /dev/shm}.
     *
     * @param options the options of the job.
     * @return the coordinator, to be closed by the caller after the ranks have left.
     * @throws BootstrapException if an option is invalid, the address is not this host's or its port is in use, or
     *                            there is not enough memory; the message names the value and the fix.
     */
    static Coordinator start(final CoordinatorOptions options)
    {
        return RequestedCoordinator.start(options);
    }

    /**
     * Returns the number of ranks of the job.
     *
     * @return the number of ranks, at least 1.
     */
    int size();

    /**
     * Returns the name of the job.
     *
     * @return the name, which the ranks give to join.
     */
    String jobName();

    /**
     * Returns the secret that ranks must know to join. Anyone who knows it can join.
     *
     * @return the secret, which must not be printed or passed in a command line.
     */
    String secret();

    /**
     * Returns the UDP address at which ranks reach the coordinator.
     *
     * @return the address and port, such as {@code 10.1.0.7:41234}; null without an endpoint.
     */
    String address();

    /**
     * Returns why the address was chosen.
     *
     * @return the reason in one line, such as "10.1.0.7 (eth0) is on the default route".
     */
    String addressReason();

    /**
     * Returns the UDP port at which ranks on other hosts reach the coordinator.
     *
     * @return the port of the context's endpoint, or the kernel's choice if that is 0; 0 without an endpoint.
     */
    int port();

    /**
     * Reports that a rank's process failed, or could not be started, and waits, for up to 10 s, until the coordinator
     * has read all messages that the rank sent before its end; a listener's call does not wait. All ranks are notified
     * of the first failure, and all their waits end with it; later failures are ignored.
     *
     * @param failure the failed rank and the cause.
     * @return the first failure of the job: the given one, one of another rank, or the reason for which this rank
     *         aborted the job before its process ended.
     */
    RankFailure rankFailed(RankFailure failure);

    /**
     * Reports that a rank's process ended with exit code 0, and waits until the coordinator has read all messages that
     * the rank sent before its end. A rank that joined and ended without leaving has failed, as other ranks wait for
     * it.
     *
     * @param rank the rank that ended.
     * @return the first failure of the job, possibly of another rank; null if there is none.
     */
    RankFailure rankExited(int rank);

    /**
     * Aborts the job for a reason not caused by a rank: all waits of all ranks end with it.
     *
     * @param cause the reason in one line, such as "stopped by SIGINT".
     */
    void abort(String cause);

    /**
     * Reports the state of a rank's process, as observed on its host. A rank whose process exists has not failed,
     * however long it is silent; ranks read the state when they time out.
     *
     * @param rank  the rank.
     * @param pid   the pid of the process on its host.
     * @param state the state of the process.
     */
    void processState(int rank, long pid, ProcessState state);

    /**
     * Returns the first failure of the job.
     *
     * @return the failure, or null if there is none.
     */
    RankFailure failure();

    /**
     * Ends the service and the media driver, and removes the driver's directory. If a program or rank 0 started it,
     * first waits at most 5 s for the ranks that have joined to leave. Ranks that have not left are notified of the end
     * of the job, which fails their calls. Idempotent.
     */
    @Override
    void close();
}
