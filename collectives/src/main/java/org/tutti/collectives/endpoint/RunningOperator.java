/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.endpoint;

import org.tutti.collectives.reduce.Reducer;

import java.util.Locale;

/**
 * Tracks the user's operator that a thread of this rank runs for a call of the communicator. Detects operators that do
 * not return, and operators that call the communicator while their thread holds its lock. Thread-safe.
 */
public final class RunningOperator
{
    /** A reducer that runs the user's operator. */
    private final class Watched implements Reducer
    {
        private final Reducer reducer;
        private final CallDescription call;

        Watched(final Reducer reducer, final CallDescription call)
        {
            this.reducer = reducer;
            this.call = call;
        }

        @Override
        public void reduce(final long left, final long right, final long dst, final long count)
        {
            begin(call);
            try
            {
                reducer.reduce(left, right, dst, count);
            }
            finally
            {
                thread = null;
            }
        }

        @Override
        public void reduceAndFinish(
            final long left, final long right, final long dst, final long count, final int ranks)
        {
            begin(call);
            try
            {
                reducer.reduceAndFinish(left, right, dst, count, ranks);
            }
            finally
            {
                thread = null;
            }
        }
    }

    private final ControlBlock control;
    /** Published by the write of {@link #thread}, which is null between two runs. */
    private CallDescription call;
    private long startNs;
    private volatile Thread thread;

    /**
     * Creates a tracker without a running operator.
     *
     * @param control control block, which has the number of the call in progress.
     */
    public RunningOperator(final ControlBlock control)
    {
        this.control = control;
    }

    /** Wraps a reducer, so that it is tracked here while it runs. */
    public Reducer watch(final Reducer reducer, final CallDescription ofCall)
    {
        return new Watched(reducer, ofCall);
    }

    private void begin(final CallDescription ofCall)
    {
        call = ofCall;
        startNs = System.nanoTime();
        thread = Thread.currentThread();
    }

    /** Throws if the calling thread runs an operator of the communicator. */
    public void requireOutside()
    {
        if (thread == Thread.currentThread())
        {
            throw new IllegalStateException("called within the operator of " + call + " #" + control.entered() +
                ": an operator must not call the communicator that runs it");
        }
    }

    /**
     * Describes the running operator.
     *
     * @return operator, duration and thread, for messages; null if none runs.
     */
    public String text()
    {
        final Thread running = thread;
        return running == null ? null : String.format(Locale.ROOT,
            "the operator of %s #%d has been running for %.1f s in thread %s",
            call, control.entered(), (System.nanoTime() - startNs) / 1e9, running.getName());
    }
}
