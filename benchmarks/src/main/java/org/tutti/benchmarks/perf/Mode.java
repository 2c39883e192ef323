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
    /** Blocking call. */
    BLOCKING,
    /** Persistent request, initialized once, then started and awaited in each iteration. */
    PERSISTENT,
    /** Nonblocking call, awaited after a computation: measures how much of the call the computation hides. */
    NONBLOCKING,
    /** Several nonblocking calls at once: all are started, then all awaited. */
    OVERLAPPING;

    /** Mode of an OSU benchmark name, such as osu_iallreduce or osu_allreduce_persistent. */
    static Mode of(final String name)
    {
        return name.endsWith("_persistent") ? PERSISTENT : name.startsWith("osu_i") ? NONBLOCKING : BLOCKING;
    }

    /**
     * Returns one iteration of a call in this mode, without an overlapping computation.
     *
     * @param persistent the persistent request; required for {@link #PERSISTENT} only, else may be null.
     */
    Runnable once(final MeasuredCall call, final PersistentRequest persistent)
    {
        return switch (this)
        {
            case BLOCKING -> call::run;
            case PERSISTENT -> persistent::run;
            case NONBLOCKING, OVERLAPPING -> () -> call.start().await();
        };
    }

    String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
