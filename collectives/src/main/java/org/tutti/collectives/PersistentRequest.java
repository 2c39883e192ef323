/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

/**
 * A collective whose buffers and arguments are bound once, and which is then started any number of times: MPI's
 * persistent collectives (MPI 4.1, section 6.13). Every start is a call, made by all ranks in the same order as their
 * other calls. Starting and waiting allocate nothing.
 */
public interface PersistentRequest extends Request, AutoCloseable
{
    /**
     * Starts it. From now on, until it is done, it is like a {@link Request}.
     *
     * @throws IllegalStateException if it was started and is not done, or is closed.
     * @throws CollectiveException   if the communicator has failed.
     */
    void start();

    /** Starts it, and waits until it is done. */
    default void run()
    {
        start();
        await();
    }

    /**
     * Lets go of the buffers, which may be closed then.
     *
     * @throws IllegalStateException if it was started and is not done.
     */
    @Override
    void close();
}
