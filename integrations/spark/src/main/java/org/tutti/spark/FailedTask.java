/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import org.tutti.collectives.Communicator;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells ranks which rank has failed first, and why. */
final class FailedTask
{
    /**
     * How Spark names a task, by stage and partition, in the reason for which it kills the other tasks of its stage.
     */
    private static final Pattern TASK = Pattern.compile("\\w+Task\\(\\d+, (\\d+)\\)");

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
     * @param communicator communicator of the stage's tasks.
     * @param error        error of this rank, which is not that of a call.
     */
    @SuppressWarnings("EmptyCatch")
    static void tellOthers(final Communicator communicator, final Throwable error)
    {
        try
        {
            communicator.abort(summary(error));
        }
        catch (final IllegalStateException ex)
        {
            // The communicator is closed, since Spark kills this task.
        }
    }

    /** Returns the first line of an error; it is not blank. */
    static String summary(final Throwable error)
    {
        return error.toString().lines().filter(line -> !line.isBlank()).findFirst()
            .orElse(error.getClass().getName());
    }
}
