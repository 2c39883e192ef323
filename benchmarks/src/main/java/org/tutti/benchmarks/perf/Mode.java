/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.PersistentRequest;

import java.util.Locale;

/** How calls are made. */
enum Mode
{
    /** As most callers do. */
    BLOCKING,
    /** Bound once, then started and awaited for each iteration. */
    PERSISTENT,
    /** Started, and awaited after a computation: what is measured is how much of the call that hides. */
    NONBLOCKING;

    /** What a name of OSU's benchmarks says, such as osu_iallreduce or osu_allreduce_persistent. */
    static Mode of(final String name)
    {
        return name.endsWith("_persistent") ? PERSISTENT : name.startsWith("osu_i") ? NONBLOCKING : BLOCKING;
    }

    /**
     * One iteration, with no computation beside it.
     *
     * @param persistent the call, bound; used where calls are {@link #PERSISTENT} only, else it may be null.
     */
    Runnable once(final MeasuredCall call, final PersistentRequest persistent)
    {
        return switch (this)
        {
            case BLOCKING -> call::run;
            case PERSISTENT -> persistent::run;
            case NONBLOCKING -> () -> call.start().await();
        };
    }

    String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
