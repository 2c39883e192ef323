/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import org.tutti.bootstrap.aeron.AeronCoordinator;

/**
 * Serves the store of a job's ranks, watches their heartbeats, and tells all of them when one fails. Runs in the
 * launcher's process, or in rank 0's when there is no launcher. All methods may be called from any thread.
 */
public interface Coordinator extends AutoCloseable
{
    /**
     * Starts a coordinator, with the Aeron media driver of this host: ranks may join when this returns.
     *
     * @param context context of the job; concluded by this call.
     * @return the coordinator, to be closed by the caller.
     * @throws BootstrapException if the context is incomplete or the driver cannot start: says what to do.
     */
    static Coordinator start(final CoordinatorContext context)
    {
        return AeronCoordinator.start(context);
    }

    /**
     * The UDP port at which ranks of other hosts reach the coordinator.
     *
     * @return that of the context's endpoint, or the kernel's choice if that is 0; 0 without an endpoint.
     */
    int port();

    /**
     * Says that a rank's process came to a bad end, or never started. The first failure is told to all ranks at once,
     * and every wait of every rank ends with it; later ones are ignored.
     *
     * @param failure failed rank, and how it failed.
     */
    void rankFailed(RankFailure failure);

    /**
     * Says that a rank's process ended with exit code 0, and waits until it is settled what that means: all that the
     * rank sent before its end is read first. A rank that joined and ended without leaving has failed all the same, for
     * others wait for it.
     *
     * @param rank the rank that ended.
     * @return the first failure of the job, which may be another rank's; null while there is none.
     */
    RankFailure rankExited(int rank);

    /**
     * Ends the job for a reason that is no rank's: every wait of every rank ends with it.
     *
     * @param cause one line for people, such as "stopped by SIGINT".
     */
    void abort(String cause);

    /**
     * Tells what the host of a rank knows of its process. A rank whose process is there has not failed, however long
     * it is silent; ranks read the state when they give up waiting.
     *
     * @param rank  rank of the job.
     * @param pid   process ID of the process, on its host.
     * @param state state of the process.
     */
    void processState(int rank, long pid, ProcessState state);

    /**
     * The first failure of the job.
     *
     * @return the failure, or null while all is well.
     */
    RankFailure failure();

    /**
     * Ends the service, and the media driver with its directory. Ranks that are still there are told that the job
     * ended. Idempotent.
     */
    @Override
    void close();
}
