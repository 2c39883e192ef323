/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

/**
 * A request whose buffers and arguments are bound once and which can be started any number of times: MPI's persistent
 * collectives (MPI 4.1, section 6.13) and persistent communication requests (section 3.9). Each start of a collective
 * is a call, which all ranks make in the same order relative to their other collectives. Starting and waiting allocate
 * nothing.
 */
public interface PersistentRequest extends Request, AutoCloseable
{
    /**
     * Starts the request. Until it is done, it behaves like any {@link Request}.
     *
     * @throws IllegalArgumentException if it is a collective whose buffers overlap those of another one that is not
     *                                  done, unless both only read them. Buffers of sends and receives are not checked.
     * @throws IllegalStateException    if the request was started and is not done, or is closed.
     * @throws CollectiveException      if the communicator has failed.
     */
    void start();

    /** Starts the request and waits until it is done. */
    default void run()
    {
        start();
        await();
    }

    /**
     * Releases the buffers; they may be closed afterwards.
     *
     * @throws IllegalStateException if the request was started and is not done.
     */
    @Override
    void close();
}
