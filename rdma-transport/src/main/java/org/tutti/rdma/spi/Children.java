/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.spi;

import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

/** Counts the open children of an object, which cannot be closed before them. Thread-safe. */
public final class Children
{
    private final String name;
    private final String kinds;
    private int count;
    private boolean isClosed;

    /**
     * Creates the counter of an open object.
     *
     * @param name  name of the object, for messages.
     * @param kinds kinds of its children, in the plural, for messages.
     */
    public Children(final String name, final String kinds)
    {
        this.name = name;
        this.kinds = kinds;
    }

    /**
     * Counts a new child.
     *
     * @param verb verb that creates the child.
     * @throws RdmaException with EINVAL if the object is closed.
     */
    public synchronized void retain(final String verb)
    {
        if (isClosed)
        {
            throw new RdmaException(Errno.EINVAL, verb, "the " + name + " is closed");
        }
        count++;
    }

    /** Counts a closed child. */
    public synchronized void release()
    {
        count--;
    }

    /**
     * Whether the object is open.
     *
     * @return false after {@link #close}.
     */
    public synchronized boolean isOpen()
    {
        return !isClosed;
    }

    /**
     * Closes the object, unless it has open children.
     *
     * @param verb verb that frees the object.
     * @return false if it was already closed.
     * @throws RdmaException with EBUSY if there are open children.
     */
    public synchronized boolean close(final String verb)
    {
        if (isClosed)
        {
            return false;
        }
        if (count > 0)
        {
            throw new RdmaException(Errno.EBUSY, verb, "the " + name + " is used by " + count + " " + kinds +
                "; close them first");
        }
        isClosed = true;
        return true;
    }
}
