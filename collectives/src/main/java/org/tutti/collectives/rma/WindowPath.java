/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.rma;

import org.tutti.rdma.SendOpcode;

/** The path to one rank's memory in a window. Thread-safe; allocates nothing once it is connected. */
interface WindowPath
{
    /** No signal. */
    int NO_SIGNAL = -1;

    /**
     * Starts a write to that rank's memory, or a read from it.
     *
     * @param opcode    {@link SendOpcode#RDMA_WRITE} or {@link SendOpcode#RDMA_READ}.
     * @param local     local address of the first byte.
     * @param lkey      local key.
     * @param length    length in bytes, from 0.
     * @param offset    offset of the first byte in that rank's memory, in bytes.
     * @param signal    signal to send after a write, or {@link #NO_SIGNAL}.
     * @param request   request to complete; null to block until the operation has completed.
     * @param timeoutNs maximum duration, in nanoseconds.
     */
    void start(
        int opcode, long local, int lkey, long length, long offset, int signal, WindowRequest request, long timeoutNs);

    /** Progresses all operations that were started, without blocking. */
    void advance();

    /**
     * Waits until all operations that were started have completed.
     *
     * @param startNs   start of the wait by {@link System#nanoTime()}, or 0 if it has not begun.
     * @param timeoutNs maximum duration, in nanoseconds.
     * @return start of the wait, or 0 if there was none.
     */
    long flush(long startNs, long timeoutNs);

    /** Waits until a request of this path has completed. */
    void await(WindowRequest request, long timeoutNs);

    /**
     * Waits until no thread is connecting. The window is closed, so no further thread begins to connect.
     *
     * @param timeoutNs maximum time to wait, in nanoseconds.
     */
    void endConnecting(long timeoutNs);

    /** Frees the path. Requests that are still in flight after a failure will not complete. */
    void close();
}
