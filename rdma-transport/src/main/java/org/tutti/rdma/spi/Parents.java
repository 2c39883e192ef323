/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.spi;

/** What an object was made from, kept open while it is. */
public final class Parents
{
    private final Children[] parents;

    private Parents(final Children[] parents)
    {
        this.parents = parents;
    }

    /**
     * Keeps all of them open.
     *
     * @param verb    verb that makes the object.
     * @param parents the children of each; the same one may be there twice.
     * @return to be released once.
     * @throws org.tutti.rdma.RdmaException with EINVAL if one is closed; then none is kept.
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

    /** Lets them be closed again. */
    public void release()
    {
        for (final Children parent : parents)
        {
            parent.release();
        }
    }
}
