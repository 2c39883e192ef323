/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import org.apache.spark.BarrierTaskContext;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

import java.io.Serializable;
import java.util.Iterator;

/**
 * What Spark runs in a task: joins the job, then calls the rank's function.
 *
 * @param <T> type of the partition's elements.
 * @param <R> type of the results.
 */
final class RankTask<T, R> extends AbstractFunction1<scala.collection.Iterator<T>, scala.collection.Iterator<R>>
    implements Serializable
{
    private static final long serialVersionUID = 1L;

    private final RankFunction<T, R> function;

    RankTask(final RankFunction<T, R> function)
    {
        this.function = function;
    }

    @Override
    public scala.collection.Iterator<R> apply(final scala.collection.Iterator<T> partition)
    {
        final TaskRank rank = new TaskRank(BarrierTaskContext.get());
        try
        {
            final Iterator<R> results = function.call(rank.join(), CollectionConverters.asJava(partition));
            if (results == null)
            {
                throw new IllegalStateException(
                    "the function of rank " + rank.rank() + " returned null: return an empty iterator instead");
            }
            return CollectionConverters.asScala(results);
        }
        catch (final Exception ex)
        {
            throw RankTask.<RuntimeException>unchecked(ex);
        }
    }

    /** Spark reports the class of an exception, so checked ones are not wrapped. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Exception> E unchecked(final Exception ex) throws E
    {
        throw (E)ex;
    }
}
