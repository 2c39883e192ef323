/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.Request;

/** A call that all ranks repeat, in any {@link Mode}. */
interface MeasuredCall
{
    /** Writes the input data; {@link #countWrong} checks the output of one call on this data. */
    void prepare();

    /** Makes the blocking call. */
    void run();

    /** Starts the nonblocking call. */
    Request start();

    /** Creates the persistent request. */
    PersistentRequest init();

    /**
     * Number of wrong elements in this rank's output after a call; {@link Measurement#UNCHECKED} if it has no output.
     */
    long countWrong();

    /** Number of consecutive messages per call; a row reports the time per message. */
    default int messages()
    {
        return 1;
    }

    /** A barrier, which has no data. */
    static MeasuredCall barrier(final Communicator communicator)
    {
        return new MeasuredCall()
        {
            @Override
            public void prepare()
            {
                // A barrier has no data.
            }

            @Override
            public void run()
            {
                communicator.barrier();
            }

            @Override
            public Request start()
            {
                return communicator.ibarrier();
            }

            @Override
            public PersistentRequest init()
            {
                return communicator.barrierInit();
            }

            @Override
            public long countWrong()
            {
                return Measurement.UNCHECKED;
            }
        };
    }
}
