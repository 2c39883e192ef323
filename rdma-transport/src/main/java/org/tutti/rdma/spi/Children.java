/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.spi;

import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

/** Counts what was made from an object, and so keeps it open as long as that is. Thread-safe. */
public final class Children
{
    private final String name;
    private final String kinds;
    private int count;
    private boolean isClosed;

    /**
     * For an open object.
     *
     * @param name  name of the object, in messages.
     * @param kinds kinds of objects that are made from it, in the plural.
     */
    public Children(final String name, final String kinds)
    {
        this.name = name;
        this.kinds = kinds;
    }

    /**
     * Something is made from it.
     *
     * @param verb verb that makes it.
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

    /** What was made from it is closed. */
    public synchronized void release()
    {
        count--;
    }

    /**
     * Whether calls may still be made.
     *
     * @return false from {@link #close} on.
     */
    public synchronized boolean isOpen()
    {
        return !isClosed;
    }

    /**
     * Lets nothing be made from it any more.
     *
     * @param verb verb that frees it.
     * @return false when it was closed before.
     * @throws RdmaException with EBUSY if there is something left.
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
