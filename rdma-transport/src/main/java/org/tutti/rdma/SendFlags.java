/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** How a send request is done ({@code ibv_send_flags}). */
public final class SendFlags
{
    /** Begins only when earlier reads and atomics of the queue pair are done. */
    public static final int FENCE = 1;
    /** Makes a completion. */
    public static final int SIGNALED = 1 << 1;
    /** Wakes a receiver that waits for solicited events only. */
    public static final int SOLICITED = 1 << 2;
    /** The data is copied when posted: no key is needed, and the buffer is free at once. */
    public static final int INLINE = 1 << 3;

    private SendFlags()
    {
    }
}
