/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.schedule;

/** The buffers that steps refer to; the ordinal is how {@link Schedule} stores them. */
public enum BufferId
{
    /** What the caller gave; never written. The same memory as {@link #OUTPUT} when the call is in place. */
    INPUT,
    /** What the caller gets. */
    OUTPUT,
    /** The communicator's own memory, which peers may write; its content is undefined when a schedule begins. */
    SCRATCH;

    /**
     * A place in this buffer.
     *
     * @param offset offset of the first element.
     * @return the place.
     */
    public Location at(final long offset)
    {
        return new Location(this, offset);
    }
}
