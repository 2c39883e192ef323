/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.staging;

import org.tutti.collectives.exec.CollectiveCall;
import org.tutti.rdma.memory.RegisteredBuffer;

/** A call on unregistered memory, divided into segments that are staged in registered memory. Not thread-safe. */
interface StagedCall
{
    /** Returns the number of segments, at least 1. */
    long segments();

    /** Returns the length of the registered memory that each segment needs, in bytes. */
    long stagedLength();

    /**
     * Copies a segment's input into registered memory.
     *
     * @param segment index of the segment.
     * @param staged  memory of at least {@link #stagedLength} bytes.
     * @param call    call object of the segment; this method sets its arguments.
     */
    void copyIn(long segment, RegisteredBuffer staged, CollectiveCall call);

    /** Copies a segment's output from registered memory. */
    void copyOut(long segment, RegisteredBuffer staged);

    /** Drops references to the caller's objects. */
    void clear();
}
