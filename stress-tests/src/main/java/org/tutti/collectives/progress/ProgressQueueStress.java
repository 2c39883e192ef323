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
import org.openjdk.jcstress.infra.results.II_Result;

/** Reads of a {@link ProgressQueue} without the lock: values may be stale, but never wrong. */
final class ProgressQueueStress
{
    private ProgressQueueStress()
    {
    }

    /** The first request is added. */
    @JCStressTest
    @Outcome(id = {"0, 1", "1, 1"}, expect = Expect.ACCEPTABLE, desc = "no request yet, or this one")
    @Outcome(expect = Expect.FORBIDDEN, desc = "another request, or a lost one")
    @State
    public static class Add
    {
        private final ProgressQueue queue = new ProgressQueue(null, 0, null);
        private final CollectiveRequest request = SingleRankFixture.idle(null);

        @Actor
        public void add()
        {
            queue.add(request);
        }

        @Actor
        public void look(final II_Result result)
        {
            final CollectiveRequest last = queue.last();
            result.r1 = last == null ? 0 : last == request ? 1 : 2;
        }

        @Arbiter
        public void end(final II_Result result)
        {
            result.r2 = queue.last() == request && !queue.isEmpty() ? 1 : 0;
        }
    }

    /** The last of two requests is removed. */
    @JCStressTest
    @Outcome(id = {"1, 1", "2, 1"}, expect = Expect.ACCEPTABLE, desc = "the first request, or still the second")
    @Outcome(expect = Expect.FORBIDDEN, desc = "no request, or another one")
    @State
    public static class Remove
    {
        private final ProgressQueue queue = new ProgressQueue(null, 0, null);
        private final CollectiveRequest first = SingleRankFixture.idle(null);
        private final CollectiveRequest second = SingleRankFixture.idle(null);

        Remove()
        {
            queue.add(first);
            queue.add(second);
        }

        @Actor
        public void remove()
        {
            queue.remove(second);
        }

        @Actor
        public void look(final II_Result result)
        {
            final CollectiveRequest last = queue.isEmpty() ? null : queue.last();
            result.r1 = last == first ? 1 : last == second ? 2 : 0;
        }

        @Arbiter
        public void end(final II_Result result)
        {
            result.r2 = queue.last() == first && second.isDone() ? 1 : 0;
        }
    }
}
