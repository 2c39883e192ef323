/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import org.tutti.collectives.Communicator;

import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells ranks which rank has failed first, and why. */
final class FailedTask
{
    /**
     * How Spark names a task, by stage and partition, in the reason for which it kills the other tasks of its stage.
     */
    private static final Pattern TASK = Pattern.compile("\\w+Task\\(\\d+, (\\d+)\\)");
    /** A message that no rank sends. */
    private static final int TAG = Integer.MAX_VALUE;
    private static final long TIMEOUT_MS = TimeUnit.SECONDS.toMillis(10);

    private FailedTask()
    {
    }

    /**
     * Returns the rank for whose failure Spark kills a task.
     *
     * @param reason reason for which a task is killed, as Spark gives it.
     * @return the rank, or -1 if the reason is another one, such as a cancelled job.
     */
    static int rank(final String reason)
    {
        final Matcher matcher = TASK.matcher(reason);
        return matcher.find() ? Integer.parseInt(matcher.group(1)) : -1;
    }

    /**
     * Ends the calls of all other ranks with an error that names this rank and its error. A communicator that is closed
     * would end them, too, but not all with the same error: those that wait for a rank that failed in turn would name
     * that one.
     *
     * @param communicator open communicator of the stage's tasks, in which this rank makes no call.
     * @param error        error of this rank, which is not that of a call.
     */
    static void tellOthers(final Communicator communicator, final Throwable error)
    {
        if (communicator.size() == 1)
        {
            return;
        }
        // No call ends a job, but an interrupted one does; the other ranks' errors contain the thread's name.
        final Thread thread = Thread.ofPlatform().daemon().name("tutti-end (" + summary(error) + ")").start(() ->
        {
            Thread.currentThread().interrupt();
            awaitMessage(communicator);
        });
        try
        {
            thread.join(TIMEOUT_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    @SuppressWarnings("EmptyCatch")
    private static void awaitMessage(final Communicator communicator)
    {
        try
        {
            communicator.recv(new int[1], (communicator.rank() + 1) % communicator.size(), TAG);
        }
        catch (final RuntimeException ex)
        {
            // Expected: the thread is interrupted, or the job has failed already.
        }
    }

    /** Returns the first line of an error. */
    static String summary(final Throwable error)
    {
        return error.toString().lines().findFirst().orElse("");
    }
}
