/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.Request;

/** A call that all ranks make again and again, in any {@link Mode}. */
interface MeasuredCall
{
    /** Writes the data that {@link #countWrong} expects to have been there before one call. */
    void prepare();

    /** Makes it, blocking. */
    void run();

    /** Starts it. */
    Request start();

    /** Binds it. */
    PersistentRequest init();

    /** Elements of this rank's output that are wrong after a call; {@link Measurement#UNCHECKED} if there is none. */
    long countWrong();

    /** How many messages it is, one after the other: the time of a row is that of one. */
    default int messages()
    {
        return 1;
    }

    /** One without data. */
    static MeasuredCall barrier(final Communicator communicator)
    {
        return new MeasuredCall()
        {
            @Override
            public void prepare()
            {
                // There is none.
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
