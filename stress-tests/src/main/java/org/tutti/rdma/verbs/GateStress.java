/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** One thread at a time is inside a {@link Gate}, and none once it is closed. */
final class GateStress
{
    private GateStress()
    {
    }

    /** State protected by the gate: a count, without an atomic operation. */
    public static class Gated
    {
        final Gate gate = new Gate();
        private int count;

        final void enter()
        {
            if (gate.enter())
            {
                count++;
                gate.exit();
            }
        }

        final void enterRarely()
        {
            if (gate.enterRarely())
            {
                count++;
                gate.exit();
            }
        }

        final int count()
        {
            return count;
        }
    }

    /** The owner, which enters by plain stores after the first time, and another thread. */
    @JCStressTest
    @Outcome(id = "5", expect = Expect.ACCEPTABLE, desc = "one after the other")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both at once")
    @State
    public static class Owner extends Gated
    {
        @Actor
        public void own()
        {
            enter();
            enter();
            enter();
            enter();
        }

        @Actor
        public void visit()
        {
            enterRarely();
        }

        @Arbiter
        public void end(final I_Result result)
        {
            result.r1 = count();
        }
    }

    /** Two threads that both try to become the owner. */
    @JCStressTest
    @Outcome(id = "4", expect = Expect.ACCEPTABLE, desc = "one after the other")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both at once")
    @State
    public static class Owners extends Gated
    {
        @Actor
        public void one()
        {
            enter();
            enter();
        }

        @Actor
        public void other()
        {
            enter();
            enter();
        }

        @Arbiter
        public void end(final I_Result result)
        {
            result.r1 = count();
        }
    }

    /** Memory that is freed after the gate is closed, and a thread that uses it while inside. */
    @JCStressTest
    @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "never freed inside")
    @Outcome(expect = Expect.FORBIDDEN, desc = "freed while a thread was inside, or not closed")
    @State
    public static class Close extends Gated
    {
        private int freed;

        @Actor
        public void use(final II_Result result)
        {
            for (int i = 0; i < 4 && gate.enter(); i++)
            {
                result.r1 += freed;
                gate.exit();
            }
        }

        @Actor
        public void close(final II_Result result)
        {
            result.r2 = gate.close() ? 1 : 0;
            freed = 1;
        }
    }
}
