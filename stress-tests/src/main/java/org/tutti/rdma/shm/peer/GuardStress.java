/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.peer;

import org.agrona.UnsafeApi;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.tutti.rdma.Gid;
import org.tutti.rdma.soft.segment.ControlLayout;
import org.tutti.rdma.soft.segment.QueuePairEntry;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** One context at a time holds a {@link Guard}: each holder counts, without an atomic operation. */
final class GuardStress
{
    private GuardStress()
    {
    }

    /** The entry of a queue pair, and two contexts that acquire its guard. */
    public static class Guarded
    {
        private static final long LIMIT_NS = 10_000_000_000L;
        private static final Fabric FABRIC = Fabric.join(null);
        private static final Queue<Long> FREE = new ConcurrentLinkedQueue<>();

        static final Peers ONE = open();
        static final Peers OTHER = open();
        static final int DEAD_TOKEN = tokenOfDead();

        private final int spins;
        private final long entry;
        private int count;

        /**
         * Creates a guard that is held or free.
         *
         * @param holder token of the holding context, or 0.
         * @param spins  number of spins for which a context holds the guard.
         */
        Guarded(final int holder, final int spins)
        {
            this.spins = spins;
            final Long found = FREE.poll();
            entry = found == null ? UnsafeApi.allocateMemory(QueuePairEntry.SIZE) : found;
            UnsafeApi.setMemory(entry, QueuePairEntry.SIZE, (byte)0);
            UnsafeApi.putInt(entry + QueuePairEntry.GUARD_OFFSET, holder);
        }

        private static Peers open()
        {
            return new Peers(FABRIC, FABRIC.claim(ControlLayout.QP_TABLE_OFFSET).address(), Gid.ZERO);
        }

        private static int tokenOfDead()
        {
            final SharedFile file = FABRIC.claim(ControlLayout.QP_TABLE_OFFSET);
            final int token = UnsafeApi.getInt(file.address() + ControlLayout.TOKEN_OFFSET);
            FABRIC.release(ControlLayout.index(token));
            file.close();
            return token;
        }

        /** Counts while holding the guard; returns the count, from 1, or 0 if the guard was not acquired. */
        final int countAs(final Peers peers)
        {
            if (!Guard.acquire(peers, peers.control(), entry, LIMIT_NS))
            {
                return 0;
            }
            final int counted = count + 1;
            for (int i = 0; i < spins; i++)
            {
                Thread.onSpinWait();
            }
            count = counted;
            Guard.release(peers, entry);
            return counted;
        }

        final void giveBack()
        {
            FREE.add(entry);
        }
    }

    /** Two live contexts. */
    @JCStressTest
    @Outcome(id = {"1, 2", "2, 1"}, expect = Expect.ACCEPTABLE, desc = "one after the other")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both at once, or one did not acquire it")
    @State
    public static class Contexts extends Guarded
    {
        Contexts()
        {
            super(0, 0);
        }

        @Actor
        public void one(final II_Result result)
        {
            result.r1 = countAs(ONE);
        }

        @Actor
        public void other(final II_Result result)
        {
            result.r2 = countAs(OTHER);
        }

        @Arbiter
        public void end()
        {
            giveBack();
        }
    }

    /** Two live contexts, and a dead one that held the guard when it died. */
    @JCStressTest
    @Outcome(id = {"1, 2", "2, 1"}, expect = Expect.ACCEPTABLE, desc = "one after the other")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both at once, or one did not acquire it")
    @State
    public static class DeadHolder extends Guarded
    {
        DeadHolder()
        {
            // Each context holds the guard for a while, because contexts rarely check whether the holder is alive.
            super(DEAD_TOKEN, 500);
        }

        @Actor
        public void one(final II_Result result)
        {
            result.r1 = countAs(ONE);
        }

        @Actor
        public void other(final II_Result result)
        {
            result.r2 = countAs(OTHER);
        }

        @Arbiter
        public void end()
        {
            giveBack();
        }
    }
}
