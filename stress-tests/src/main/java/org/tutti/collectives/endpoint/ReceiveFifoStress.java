/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.endpoint;

import org.agrona.UnsafeApi;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Lock-free transfer from a {@link SharedMemoryEndpoint}, which stores, to the {@link ReceiveFifo} of its peer, which
 * loads.
 */
final class ReceiveFifoStress
{
    /** Maximum payload of a line in bytes. */
    private static final int SHORT = ReceiveFifo.LINE_PAYLOAD;
    /** Number of lines after which the reader reports them as free. */
    private static final int INTERVAL = ReceiveFifo.LINES / 4;

    private ReceiveFifoStress()
    {
    }

    /** A payload inline in its message's line. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "the message has not arrived")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "the message has arrived, with its payload")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a message without its payload")
    @State
    public static class LinePayload
    {
        private final FifoPair pair = FifoPair.next();

        @Actor
        public void write()
        {
            pair.sendEager(SHORT);
        }

        @Actor
        public void read(final II_Result result)
        {
            if (pair.fifo.take(0))
            {
                result.r1 = 1;
                result.r2 = pair.isComplete(SHORT, pair.value());
            }
        }

        @Arbiter
        public void end()
        {
            pair.giveBack();
        }
    }

    /** A payload in the eager buffer. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "the message has not arrived")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "the message has arrived, with its payload")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a message without its payload")
    @State
    public static class EagerPayload
    {
        private final FifoPair pair = FifoPair.next();

        @Actor
        public void write()
        {
            pair.sendEager(FifoPair.LENGTH);
        }

        @Actor
        public void read(final II_Result result)
        {
            if (pair.fifo.take(0))
            {
                result.r1 = 1;
                result.r2 = pair.isComplete(FifoPair.LENGTH, pair.value());
            }
        }

        @Arbiter
        public void end()
        {
            pair.giveBack();
        }
    }

    /** A put, which stores to the final location. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "the message has not arrived")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "the message has arrived, after the data")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a message before the data")
    @State
    public static class Put
    {
        private final FifoPair pair = FifoPair.next();

        @Actor
        public void write()
        {
            pair.put(FifoPair.LENGTH);
        }

        @Actor
        public void read(final II_Result result)
        {
            if (pair.fifo.take(0))
            {
                result.r1 = 1;
                result.r2 = pair.isComplete(FifoPair.LENGTH, pair.value());
            }
        }

        @Arbiter
        public void end()
        {
            pair.giveBack();
        }
    }

    /** Two messages without payload arrive in order, and with their values. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "neither has arrived")
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the first has arrived")
    @Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "both have arrived")
    @Outcome(expect = Expect.FORBIDDEN, desc = "other messages, or wrong order")
    @State
    public static class Order
    {
        private final FifoPair pair = FifoPair.next();

        @Actor
        public void write()
        {
            pair.endpoint.signal(1, 0);
            pair.endpoint.sendLength(pair.value(), 2, 0);
        }

        @Actor
        public void read(final II_Result result)
        {
            if (pair.fifo.take(0))
            {
                result.r1 = pair.fifo.immediate();
                if (pair.fifo.take(0))
                {
                    result.r2 = pair.fifo.blockLength() == pair.value() ? pair.fifo.immediate() : -1;
                }
            }
        }

        @Arbiter
        public void end()
        {
            pair.giveBack();
        }
    }

    /** A full FIFO: the writer continues in lines that the reader has released. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "the writer knew of no free line")
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the writer reused lines")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a line was written before it was released")
    @State
    public static class Reuse
    {
        private final FifoPair pair = FifoPair.next();
        private final long first = pair.value();
        private long taken = first;
        private int wrong;

        Reuse()
        {
            for (int i = 0; i < ReceiveFifo.LINES && pair.endpoint.canSend(); i++)
            {
                send();
            }
        }

        private void send()
        {
            pair.sendEager(Long.BYTES);
            pair.nextValue();
        }

        private boolean take()
        {
            if (!pair.fifo.take(0))
            {
                return false;
            }
            wrong += 1 - pair.isComplete(Long.BYTES, taken++);
            return true;
        }

        @Actor
        public void write(final II_Result result)
        {
            for (int i = 0; i < INTERVAL && pair.endpoint.canSend(); i++)
            {
                send();
                result.r2 = 1;
            }
        }

        @Actor
        public void read()
        {
            for (int i = 0; i < INTERVAL && take(); i++)
            {
                // Takes messages until their lines have been reported as free.
            }
        }

        @Arbiter
        public void end(final II_Result result)
        {
            while (take())
            {
                // Takes all remaining messages.
            }
            result.r1 = wrong;
            pair.giveBack();
        }
    }

    /**
     * A reader that goes to sleep, and a writer that may have to wake it. The writer has no fence between its message
     * and its check of the flag, so each may miss the other's store: the reader polls once more soon after.
     */
    @JCStressTest
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the reader saw a message when it polled again")
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the writer woke it")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "the reader saw a message and was woken")
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE_INTERESTING, desc = "neither: the reader polls again soon")
    @Outcome(expect = Expect.FORBIDDEN, desc = "woken twice, or no message for a reader that polls again")
    @State
    public static class Sleep
    {
        private final FifoPair pair = FifoPair.next();

        @Actor
        public void write(final II_Result result)
        {
            pair.endpoint.signal(1, 0);
            int wakes = pair.flush();
            pair.endpoint.signal(2, 0);
            wakes += pair.flush();
            result.r1 = wakes;
        }

        @Actor
        public void fallAsleep(final II_Result result)
        {
            pair.fifo.asleep(true);
            UnsafeApi.fullFence();
            result.r2 = pair.fifo.hasMore() ? 1 : 0;
        }

        @Arbiter
        public void end(final II_Result result)
        {
            if (!pair.fifo.hasMore())
            {
                result.r2 = -1;
            }
            pair.giveBack();
        }
    }

    /** A rank abandons a call, and its caller then overwrites INPUT, while a peer loads INPUT. */
    @JCStressTest
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "loaded before")
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "loaded before, and discarded")
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "loaded after, and discarded")
    @Outcome(expect = Expect.FORBIDDEN, desc = "data written later is taken for INPUT")
    @State
    public static class InputValid
    {
        private final FifoPair pair = FifoPair.next();

        @Actor
        public void giveUp()
        {
            pair.fifo.giveUp();
            UnsafeApi.putInt(pair.input(), 1);
        }

        @Actor
        public void load(final II_Result result)
        {
            result.r1 = UnsafeApi.getInt(pair.input());
            result.r2 = pair.endpoint.isInputValid() ? 1 : 0;
        }

        @Arbiter
        public void end()
        {
            pair.giveBack();
        }
    }
}
