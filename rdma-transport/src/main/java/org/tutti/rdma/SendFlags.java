/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** Flags of a send request ({@code ibv_send_flags}). */
public final class SendFlags
{
    /** The request starts only after earlier reads and atomics of the queue pair are complete. */
    public static final int FENCE = 1;
    /** The request generates a completion. */
    public static final int SIGNALED = 1 << 1;
    /** The request raises an event at a receiver that waits for solicited events only. */
    public static final int SOLICITED = 1 << 2;
    /**
     * The data is copied when the request is posted: no key is needed, and the buffer can be reused immediately.
     * {@link #FENCE} does not change that: what an earlier read or atomic returns can be sent inline only after its
     * completion has been polled.
     */
    public static final int INLINE = 1 << 3;

    private SendFlags()
    {
    }
}
