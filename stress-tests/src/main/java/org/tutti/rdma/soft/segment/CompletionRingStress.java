/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.segment;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Concurrent use of a {@link CompletionRing} by producers and the consumer. */
final class CompletionRingStress
{
    private CompletionRingStress()
    {
    }

    /** When the consumer finds a completion, all fields of the completion have been written. */
    @JCStressTest
    @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "not published")
    @Outcome(id = "42", expect = Expect.ACCEPTABLE, desc = "published completely")
    @Outcome(expect = Expect.FORBIDDEN, desc = "published before it was written completely")
    @State
    public static class Publish
    {
        private final RingMemory memory = RingMemory.next();

        @Actor
        public void produce()
        {
            memory.add(RingMemory.TOKEN, 42);
        }

        @Actor
        public void consume(final I_Result result)
        {
            result.r1 = memory.value(0);
        }

        @Arbiter
        public void end()
        {
            memory.giveBack();
        }
    }

    /** Two producers get different positions. */
    @JCStressTest
    @Outcome(id = {"0, 1, 12", "1, 0, 21"}, expect = Expect.ACCEPTABLE, desc = "different positions, both published")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the same position, or a lost completion")
    @State
    public static class Producers
    {
        private final RingMemory memory = RingMemory.next();

        @Actor
        public void one(final III_Result result)
        {
            result.r1 = memory.claim(RingMemory.TOKEN);
            memory.publish(result.r1, RingMemory.TOKEN, 1);
        }

        @Actor
        public void other(final III_Result result)
        {
            result.r2 = memory.claim(RingMemory.OTHER_TOKEN);
            memory.publish(result.r2, RingMemory.OTHER_TOKEN, 2);
        }

        @Arbiter
        public void end(final III_Result result)
        {
            result.r3 = 10 * memory.value(0) + memory.value(1);
            memory.giveBack();
        }
    }

    /**
     * A producer that has claimed a position but not published is identified by its token, regardless of other
     * producers.
     */
    @JCStressTest
    @Outcome(id = {"0, 1", "1, 1"}, expect = Expect.ACCEPTABLE, desc = "the producer that has not published")
    @Outcome(expect = Expect.FORBIDDEN, desc = "another one: the consumer may skip the position of a live producer")
    @State
    public static class Claimant
    {
        private final RingMemory memory = RingMemory.next();
        private boolean isRightMeanwhile = true;

        @Actor
        public void claim(final II_Result result)
        {
            result.r1 = memory.claim(RingMemory.TOKEN);
        }

        @Actor
        public void produce()
        {
            final int position = memory.claim(RingMemory.OTHER_TOKEN);
            isRightMeanwhile = position == 0 || isClaimant(0);
            memory.publish(position, RingMemory.OTHER_TOKEN, 1);
        }

        private boolean isClaimant(final int position)
        {
            return CompletionRing.claimant(memory.control, memory.ring, position) == RingMemory.TOKEN;
        }

        @Arbiter
        public void end(final II_Result result)
        {
            result.r2 = isRightMeanwhile && isClaimant(result.r1) ? 1 : 0;
            memory.giveBack();
        }
    }

    /** A full ring: a producer reuses a slot only after the consumer has read it. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the ring was full")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "the slot was reused")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the slot was written while the consumer read it")
    @State
    public static class Reuse
    {
        private final RingMemory memory = RingMemory.next();

        Reuse()
        {
            memory.add(RingMemory.TOKEN, 1);
            memory.add(RingMemory.TOKEN, 2);
        }

        @Actor
        public void consume(final II_Result result)
        {
            result.r1 = memory.value(0);
            CompletionRing.head(memory.ring, 1);
        }

        @Actor
        public void produce(final II_Result result)
        {
            result.r2 = memory.add(RingMemory.TOKEN, 3) ? 1 : 0;
        }

        @Arbiter
        public void end()
        {
            memory.giveBack();
        }
    }

    /** A consumer that arms the ring and polls once more before it sleeps finds the completion or gets an event. */
    @JCStressTest
    @Outcome(id = {"1, 0", "0, 1", "1, 1"}, expect = Expect.ACCEPTABLE, desc = "found, or an event")
    @Outcome(expect = Expect.FORBIDDEN, desc = "neither: the consumer sleeps forever")
    @State
    public static class Arm
    {
        private final RingMemory memory = RingMemory.next();

        @Actor
        public void produce()
        {
            memory.add(RingMemory.TOKEN, 1);
        }

        @Actor
        public void consume(final II_Result result)
        {
            CompletionRing.arm(memory.ring, false);
            result.r1 = memory.value(0);
        }

        @Arbiter
        public void end(final II_Result result)
        {
            result.r2 = CompletionRing.takeEvent(memory.ring) ? 1 : 0;
            memory.giveBack();
        }
    }

    /** Of two threads, exactly one takes the event, and exactly one is the first to record an overrun. */
    @JCStressTest
    @Outcome(id = {"0, 3", "3, 0", "1, 2", "2, 1"}, expect = Expect.ACCEPTABLE, desc = "each exactly once")
    @Outcome(expect = Expect.FORBIDDEN, desc = "one twice or never")
    @State
    public static class Once
    {
        private final RingMemory memory = RingMemory.next();

        Once()
        {
            CompletionRing.arm(memory.ring, false);
            memory.add(RingMemory.TOKEN, 1);
        }

        private int take()
        {
            return (CompletionRing.takeEvent(memory.ring) ? 1 : 0) + (CompletionRing.overrun(memory.ring) ? 2 : 0);
        }

        @Actor
        public void one(final II_Result result)
        {
            result.r1 = take();
        }

        @Actor
        public void other(final II_Result result)
        {
            result.r2 = take();
        }

        @Arbiter
        public void end()
        {
            memory.giveBack();
        }
    }
}
