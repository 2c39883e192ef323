/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.spi;

/** The parents of an object, which stay open while it is open. */
public final class Parents
{
    private final Children[] parents;

    private Parents(final Children[] parents)
    {
        this.parents = parents;
    }

    /**
     * Retains all parents.
     *
     * @param verb    verb that creates the object.
     * @param parents child counters of the parents; may contain duplicates.
     * @return the retained parents, to be released once.
     * @throws org.tutti.rdma.RdmaException with EINVAL if one is closed; none is retained then.
     */
    public static Parents retain(final String verb, final Children... parents)
    {
        for (int i = 0; i < parents.length; i++)
        {
            try
            {
                parents[i].retain(verb);
            }
            catch (final RuntimeException ex)
            {
                for (int k = 0; k < i; k++)
                {
                    parents[k].release();
                }
                throw ex;
            }
        }
        return new Parents(parents);
    }

    /** Releases all parents. */
    public void release()
    {
        for (final Children parent : parents)
        {
            parent.release();
        }
    }
}
