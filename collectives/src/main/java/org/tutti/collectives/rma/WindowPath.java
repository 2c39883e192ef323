/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.rma;

import org.tutti.rdma.SendOpcode;

/** The path to one rank's memory in a window. Thread-safe; allocates nothing, once it is connected. */
interface WindowPath
{
    /** No signal. */
    int NO_SIGNAL = -1;

    /**
     * Starts to write that rank's memory, or to read it.
     *
     * @param opcode    {@link SendOpcode#RDMA_WRITE} or {@link SendOpcode#RDMA_READ}.
     * @param local     address of the first byte here.
     * @param lkey      local key.
     * @param length    length in bytes, from 0.
     * @param offset    offset of the first byte there, in bytes from the beginning of that rank's memory.
     * @param signal    signal to send after a write, or {@link #NO_SIGNAL}.
     * @param request   request to be ended when it is done; or null, then it is done when this returns.
     * @param timeoutNs maximum duration, in nanoseconds.
     */
    void start(
        int opcode, long local, int lkey, long length, long offset, int signal, WindowRequest request, long timeoutNs);

    /** Sees to it that all that was started gets done, and goes on with it, without waiting. */
    void advance();

    /**
     * Waits until all is done that was started.
     *
     * @param startNs   start of the wait by {@link System#nanoTime()}, or 0 if it has not yet.
     * @param timeoutNs maximum duration, in nanoseconds.
     * @return when it began, or 0.
     */
    long flush(long startNs, long timeoutNs);

    /** Waits until one of its requests is done. */
    void await(WindowRequest request, long timeoutNs);

    /**
     * Waits until no thread connects any more; the window is closed, so none begins to.
     *
     * @param timeoutNs maximum time to wait, in nanoseconds.
     */
    void endConnecting(long timeoutNs);

    /** Frees it; no request is under way any more. */
    void close();
}
