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
import org.openjdk.jcstress.infra.results.I_Result;
import org.tutti.collectives.CollectiveException;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** State of a {@link CollectiveRequest}, which a thread holding the lock changes and any thread reads. */
final class CollectiveRequestStress
{
    /** Whether a future was not completed in time: the test has then failed and stops waiting. */
    private static volatile boolean isLate;

    private CollectiveRequestStress()
    {
    }

    /** Outcome of a future: 1 if completed, 0 if not completed in time, -1 if completed exceptionally. */
    static int outcome(final CompletableFuture<Void> future)
    {
        try
        {
            future.get(isLate ? 0 : SingleRankFixture.LIMIT_NS, TimeUnit.NANOSECONDS);
            return 1;
        }
        catch (final TimeoutException e)
        {
            isLate = true;
            return 0;
        }
        catch (final ExecutionException | InterruptedException e)
        {
            return -1;
        }
    }

    /** The engine's writes are visible to another thread that sees the request done. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "not done")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "done, with its output")
    @Outcome(expect = Expect.FORBIDDEN, desc = "done without its output")
    @State
    public static class Ended
    {
        private final CollectiveRequest request = SingleRankFixture.started(null);
        private int output;

        @Actor
        public void end()
        {
            output = 1;
            request.end(CollectiveRequest.State.DONE, null);
        }

        @Actor
        public void look(final II_Result result)
        {
            if (request.isDone())
            {
                result.r1 = 1;
                result.r2 = output;
            }
        }
    }

    /** As {@link Ended}, but for a request that ran as a blocking call, whose end has no fence. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "not done")
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "done, with its output")
    @Outcome(expect = Expect.FORBIDDEN, desc = "done without its output")
    @State
    public static class Ran
    {
        private final CollectiveRequest request = SingleRankFixture.started(null);
        private int output;

        @Actor
        public void end()
        {
            output = 1;
            request.ran();
        }

        @Actor
        public void look(final II_Result result)
        {
            if (request.isDone())
            {
                result.r1 = 1;
                result.r2 = output;
            }
        }
    }

    /** The cause of a failure is visible to another thread that sees the request failed. */
    @JCStressTest
    @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "not done")
    @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "failed, with its cause")
    @Outcome(expect = Expect.FORBIDDEN, desc = "failed without a cause, or done")
    @State
    public static class Failed
    {
        private final CollectiveRequest request = SingleRankFixture.started(null);
        private final CollectiveException why = new CollectiveException(0, "failed by the test", null);

        @Actor
        public void end()
        {
            request.end(CollectiveRequest.State.FAILED, why);
        }

        @Actor
        public void look(final I_Result result)
        {
            if (request.isDone())
            {
                result.r1 = problem();
            }
        }

        private int problem()
        {
            try
            {
                request.test();
                return 2;
            }
            catch (final CollectiveException e)
            {
                return 1;
            }
            catch (final NullPointerException e)
            {
                return 3;
            }
        }
    }

    /**
     * A future that is requested while the request ends is completed by one of the two threads; there is no progress
     * thread.
     */
    @JCStressTest
    @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "completed")
    @Outcome(expect = Expect.FORBIDDEN, desc = "not completed, or exceptionally")
    @State
    public static class FutureOfEnded
    {
        private static final Session SESSION = sessionWithoutProgressThread();

        private final CollectiveRequest request = SingleRankFixture.started(SESSION);
        private CompletableFuture<Void> future;

        private static Session sessionWithoutProgressThread()
        {
            final Session session = SingleRankFixture.newSession();
            session.progress().close();
            return session;
        }

        @Actor
        public void end()
        {
            request.end(CollectiveRequest.State.DONE, null);
        }

        @Actor
        public void ask()
        {
            future = request.toFuture();
        }

        @Arbiter
        public void await(final I_Result result)
        {
            result.r1 = outcome(future);
        }
    }
}
