/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** One thread at a time holds a {@link CommunicatorLock}: each holder counts, without an atomic operation. */
final class CommunicatorLockStress
{
    private CommunicatorLockStress()
    {
    }

    /** State protected by the lock. */
    public static class Counter
    {
        final CommunicatorLock lock = new CommunicatorLock();
        private int count;

        /** Counts while holding the lock, then releases it; returns the count, from 1. */
        final int countAndGive()
        {
            final int counted = count + 1;
            count = counted;
            lock.give();
            return counted;
        }

        final int call()
        {
            return lock.take(SingleRankFixture.LIMIT_NS) == CommunicatorLock.Taken.YES ? countAndGive() : 0;
        }

        final int await()
        {
            return lock.takeToWait() ? countAndGive() : 0;
        }
    }

    /** Two callers: the second is rejected while the first holds the lock. */
    @JCStressTest
    @Outcome(id = {"1, 2", "2, 1"}, expect = Expect.ACCEPTABLE, desc = "one after the other")
    @Outcome(id = {"1, 0", "0, 1"}, expect = Expect.ACCEPTABLE, desc = "one was rejected")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both at once, or neither")
    @State
    public static class Callers extends Counter
    {
        @Actor
        public void first(final II_Result result)
        {
            result.r1 = call();
        }

        @Actor
        public void second(final II_Result result)
        {
            result.r2 = call();
        }
    }

    /** A caller and a waiter: the caller always acquires the lock. */
    @JCStressTest
    @Outcome(id = {"1, 2", "2, 1"}, expect = Expect.ACCEPTABLE, desc = "one after the other")
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the waiter found the lock held or requested")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both at once, or a caller that was rejected")
    @State
    public static class CallerAndWaiter extends Counter
    {
        @Actor
        public void call(final II_Result result)
        {
            result.r1 = call();
        }

        @Actor
        public void await(final II_Result result)
        {
            result.r2 = await();
        }
    }

    /**
     * The closing thread always acquires the lock, if need be after a caller releases it; no waiter acquires it
     * afterwards.
     */
    @JCStressTest
    @Outcome(id = {"1, 2, 0", "2, 1, 0"}, expect = Expect.ACCEPTABLE, desc = "one after the other")
    @Outcome(id = "1, 0, 0", expect = Expect.ACCEPTABLE, desc = "the caller was rejected")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both at once, or a waiter after the last")
    @State
    public static class Last extends Counter
    {
        @Actor
        public void takeLast(final III_Result result)
        {
            final boolean isTaken = lock.takeLast(System.nanoTime() + SingleRankFixture.LIMIT_NS, Thread::onSpinWait);
            result.r1 = isTaken ? countAndGive() : 0;
        }

        @Actor
        public void call(final III_Result result)
        {
            result.r2 = call();
        }

        @Arbiter
        public void end(final III_Result result)
        {
            result.r3 = await();
        }
    }
}
