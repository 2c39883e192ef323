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

import java.util.concurrent.CompletableFuture;

/** Signals from other threads to a {@link ProgressThread}. */
final class ProgressThreadStress
{
    private ProgressThreadStress()
    {
    }

    /**
     * Each of two threads requests the future of its request, and then ends the other thread's request without a fence.
     * If neither thread sees the other's store, the progress thread completes the futures.
     */
    @JCStressTest
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "both are completed")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a future not completed, or completed exceptionally")
    @State
    public static class News
    {
        private static final Session SESSION = SingleRankFixture.newSession();

        private final CollectiveRequest first = SingleRankFixture.started(SESSION);
        private final CollectiveRequest second = SingleRankFixture.started(SESSION);
        private CompletableFuture<Void> ofFirst;
        private CompletableFuture<Void> ofSecond;

        @Actor
        public void one()
        {
            ofFirst = first.toFuture();
            second.ran();
        }

        @Actor
        public void other()
        {
            ofSecond = second.toFuture();
            first.ran();
        }

        @Arbiter
        public void await(final II_Result result)
        {
            result.r1 = CollectiveRequestStress.outcome(ofFirst);
            result.r2 = CollectiveRequestStress.outcome(ofSecond);
        }
    }
}
