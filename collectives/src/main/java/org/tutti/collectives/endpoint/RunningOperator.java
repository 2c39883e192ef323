/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.endpoint;

import org.tutti.collectives.reduce.Reducer;

import java.util.Locale;

/**
 * The user's operator that a thread of this rank runs for a call of the communicator. An operator may never return, and
 * it may call the communicator, whose lock its thread has: both are detected here. Thread-safe.
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
    /** The thread is written last, and null between two runs. */
    private CallDescription call;
    private long startNs;
    private volatile Thread thread;

    /**
     * None runs yet.
     *
     * @param control knows the number of the call.
     */
    public RunningOperator(final ControlBlock control)
    {
        this.control = control;
    }

    /** A reducer that does the same, and is seen here while it runs. */
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
     * For people.
     *
     * @return which operator runs, for how long, and in which thread; null if none runs.
     */
    public String text()
    {
        final Thread running = thread;
        return running == null ? null : String.format(Locale.ROOT,
            "the operator of %s #%d has been running for %.1f s in thread %s",
            call, control.entered(), (System.nanoTime() - startNs) / 1e9, running.getName());
    }
}
