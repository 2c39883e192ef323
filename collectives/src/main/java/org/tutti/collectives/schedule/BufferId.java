/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.schedule;

/** Buffers that steps refer to. {@link Schedule} stores the ordinal. */
public enum BufferId
{
    /** The caller's input; never written. The same memory as {@link #OUTPUT} when the call is in place. */
    INPUT,
    /** The caller's output. */
    OUTPUT,
    /** The communicator's own memory, which peers may write; its content is undefined when a schedule begins. */
    SCRATCH;

    /**
     * Returns a location in this buffer.
     *
     * @param offset offset of the first element.
     * @return the location.
     */
    public Location at(final long offset)
    {
        return new Location(this, offset);
    }
}
