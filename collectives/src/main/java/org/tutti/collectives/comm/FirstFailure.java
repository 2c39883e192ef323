/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.tutti.bootstrap.Bootstrap;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;

/** The first failure of ranks that are threads of this process: it ends the others, whose failures follow from it. */
final class FirstFailure
{
    private Throwable first;
    private final Set<Throwable> others = Collections.newSetFromMap(new IdentityHashMap<>());

    /**
     * Runs code of a rank. If the code throws, aborts the job, so that the other ranks do not wait for this one.
     *
     * @param bootstrap bootstrap of the rank.
     * @param code      code to run.
     * @param <T>       type of the result.
     * @return result of the code.
     */
    <T> T guard(final Bootstrap bootstrap, final Callable<T> code) throws Exception
    {
        try
        {
            return code.call();
        }
        catch (final Exception | Error e)
        {
            if (bootstrap.failure() == null)
            {
                bootstrap.abort("rank " + bootstrap.rank() + " failed: " + e);
            }
            add(e, bootstrap.failure().rank() == bootstrap.rank());
            throw e;
        }
    }

    /**
     * Adds a failure; the failure of the rank that ended the job is the first one, even if others were added before.
     */
    private synchronized void add(final Throwable failure, final boolean endedJob)
    {
        if (endedJob && first == null)
        {
            first = failure;
        }
        else if (first != failure)
        {
            others.add(failure);
        }
    }

    /** Throws the first failure, if there is one; a checked exception as the cause of another. */
    synchronized void rethrow()
    {
        if (first != null)
        {
            others.forEach(first::addSuppressed);
        }
        switch (first)
        {
            case null ->
            {
                // All ranks have succeeded.
            }
            case final RuntimeException unchecked -> throw unchecked;
            case final Error error -> throw error;
            default -> throw new CompletionException(first);
        }
    }
}
