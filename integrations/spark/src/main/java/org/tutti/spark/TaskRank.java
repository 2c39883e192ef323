/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import org.apache.spark.BarrierTaskContext;
import org.apache.spark.BarrierTaskInfo;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;
import org.apache.spark.util.TaskCompletionListener;
import org.apache.spark.util.TaskFailureListener;
import org.apache.spark.util.TaskInterruptListener;
import org.tutti.bootstrap.Coordinator;
import org.tutti.bootstrap.CoordinatorOptions;
import org.tutti.bootstrap.OwnAddress;
import org.tutti.bootstrap.RankFailure;
import org.tutti.bootstrap.RequiredJvmOptions;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.JoinOptions;
import org.tutti.collectives.Request;

import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A task as a rank. Rank 0 also runs the coordinator of the job. Communicator and coordinator end with the task,
 * whatever its end is: Spark calls this listener.
 * <p>
 * The calls of all ranks fail with the first cause. A rank whose own code fails ends the calls of the others before it
 * closes its communicator. If an executor is lost, Spark kills the other tasks for a reason that names the lost one:
 * rank 0 then has the coordinator report that rank. If the executor is that of rank 0, the others lose its coordinator,
 * whose loss is reported as that of rank 0. A rank that fails because of another one reports nothing.
 * <p>
 * Spark does not interrupt the thread of a task that it kills, but calls a listener. This one closes the communicator,
 * which ends the call in which the task's thread may wait. The thread is interrupted only while it joins, never in the
 * user's code, as clients of some file systems fail after an interrupt.
 */
final class TaskRank implements TaskCompletionListener, TaskFailureListener, TaskInterruptListener
{
    /** How long a rank whose call failed because of another rank lets that rank's error reach the driver first. */
    private static final long ERROR_PRECEDENCE_NS = TimeUnit.SECONDS.toNanos(3);
    /** How long a rank that Spark kills because of another one waits for the coordinator's report of that rank. */
    private static final long REPORT_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /** Causes may form a cycle. */
    private static final int MAX_CAUSES = 100;

    private final BarrierTaskContext context;
    private final Thread thread = Thread.currentThread();
    private final Object lock = new Object();
    /** Whether the rank's code has not ended. */
    private volatile boolean isRunning = true;
    private volatile Coordinator coordinator;
    private Communicator communicator;
    private boolean isJoining;
    private boolean isCancelled;

    TaskRank(final BarrierTaskContext context)
    {
        this.context = context;
        // Spark calls listeners in reverse order, but all failure listeners before those of completion.
        context.addTaskCompletionListener(this);
        context.addTaskFailureListener(this);
        context.addTaskInterruptListener(this);
    }

    int rank()
    {
        return context.partitionId();
    }

    /**
     * Joins the job of the stage. Collective.
     *
     * @return the communicator of the stage's tasks.
     * @throws IllegalStateException on all ranks, with the same message, if one cannot join.
     */
    Communicator join()
    {
        final RankNotice notice = notice();
        final JoinOptions options = RankNotice.options(context.allGather(notice.encode()), rank());
        synchronized (lock)
        {
            isJoining = !isCancelled;
        }
        Communicator joined = null;
        try
        {
            context.killTaskIfInterrupted();
            joined = Communicator.join(options);
        }
        finally
        {
            endJoin(joined);
        }
        context.killTaskIfInterrupted();
        return joined;
    }

    private void endJoin(final Communicator joined)
    {
        synchronized (lock)
        {
            communicator = joined;
            isJoining = false;
            if (isCancelled)
            {
                // The interrupt was meant for the join only.
                Thread.interrupted();
            }
        }
    }

    /** Starts the coordinator on rank 0, and returns what this rank tells the others. */
    private RankNotice notice()
    {
        final String jobName = "spark-" + context.stageId() + "." + context.stageAttemptNumber();
        try
        {
            RequiredJvmOptions.check();
        }
        catch (final RuntimeException ex)
        {
            return RankNotice.failed(ex.getMessage() + ", by spark.executor.extraJavaOptions=" + RankNotice.OPTION +
                " (in local mode, by spark.driver.extraJavaOptions)");
        }
        if (rank() != 0)
        {
            return RankNotice.ready(jobName);
        }
        try
        {
            final String[] hosts = hosts();
            coordinator = Coordinator.start(CoordinatorOptions.ofSize(hosts.length).jobName(jobName).rank(0)
                .address(RankNotice.address(hosts, OwnAddress::isOurs)));
            return RankNotice.ready(jobName, coordinator.address(), coordinator.secret());
        }
        catch (final RuntimeException ex)
        {
            return RankNotice.failed("the coordinator cannot start: " + ex.getMessage());
        }
    }

    /** Returns the hosts of the executors that run the tasks, as Spark names them, by rank. */
    private String[] hosts()
    {
        return Arrays.stream(context.getTaskInfos()).map(BarrierTaskInfo::address)
            .map(address -> address.contains(":") ? address.substring(0, address.lastIndexOf(':')) : address)
            .toArray(String[]::new);
    }

    @Override
    public void onTaskInterrupted(final TaskContext unused, final String reason)
    {
        final int failed = FailedTask.rank(reason);
        // Spark calls this on a thread that must not block, as it handles the executor's messages. The name of the new
        // one is a part of the error if it has to close the communicator.
        Thread.ofPlatform().daemon().name("tutti-cancel (" + (failed < 0 ? "" : "rank " + failed + " failed: ") +
            reason + ")").start(() -> cancel(reason));
    }

    private void cancel(final String reason)
    {
        synchronized (lock)
        {
            isCancelled = true;
        }
        report(reason);
        awaitReport(reason);
        final Communicator joined;
        synchronized (lock)
        {
            joined = communicator;
            if (isJoining)
            {
                thread.interrupt();
            }
        }
        if (joined != null)
        {
            close(joined);
        }
    }

    /** If Spark kills this task because another rank has failed, lets the call of this rank end with that error. */
    private void awaitReport(final String reason)
    {
        final long startNs = System.nanoTime();
        while (FailedTask.rank(reason) >= 0 && isRunning && System.nanoTime() - startNs < REPORT_NS)
        {
            LockSupport.parkNanos(POLL_NS);
        }
    }

    /** Reports the rank for whose failure Spark kills this task, on rank 0. */
    private void report(final String reason)
    {
        final int failed = FailedTask.rank(reason);
        final Coordinator own = coordinator;
        if (failed > 0 && own != null)
        {
            own.rankFailed(new RankFailure(failed, hosts()[failed], 0, "Spark reports: " + reason));
        }
    }

    @Override
    public void onTaskFailure(final TaskContext unused, final Throwable error)
    {
        isRunning = false;
        if (followsFromOtherRank(error))
        {
            letFirstErrorPrecede();
        }
        else if (!(error instanceof TaskKilledException) && !context.isInterrupted())
        {
            tellOthers(error);
        }
    }

    private void tellOthers(final Throwable error)
    {
        if (communicator != null)
        {
            FailedTask.tellOthers(communicator, error);
        }
        else if (coordinator != null)
        {
            coordinator.rankFailed(new RankFailure(0, hosts()[0], ProcessHandle.current().pid(),
                FailedTask.summary(error)));
        }
    }

    /** Whether a call of the communicator has failed; the rank's function may have wrapped its exception. */
    private static boolean followsFromOtherRank(final Throwable error)
    {
        return Stream.iterate(error, Objects::nonNull, Throwable::getCause).limit(MAX_CAUSES)
            .anyMatch(CollectiveException.class::isInstance);
    }

    /** Returns when Spark kills this task because another one has failed, or after some time. */
    private void letFirstErrorPrecede()
    {
        final long startNs = System.nanoTime();
        while (!context.isInterrupted() && System.nanoTime() - startNs < ERROR_PRECEDENCE_NS)
        {
            LockSupport.parkNanos(POLL_NS);
        }
    }

    @Override
    public void onTaskCompletion(final TaskContext unused)
    {
        isRunning = false;
        try
        {
            if (communicator != null && !context.isFailed() && !context.isInterrupted())
            {
                awaitAllRanks();
                communicator.close();
            }
        }
        finally
        {
            if (communicator != null)
            {
                close(communicator);
            }
            if (coordinator != null)
            {
                coordinator.close();
            }
        }
    }

    /**
     * Waits until all ranks have succeeded. Spark calls no listener while another one runs, so this checks whether
     * Spark has killed the task.
     */
    private void awaitAllRanks()
    {
        try
        {
            final Request barrier = communicator.ibarrier();
            while (!barrier.test())
            {
                context.killTaskIfInterrupted();
                LockSupport.parkNanos(POLL_NS);
            }
        }
        catch (final CollectiveException ex)
        {
            letFirstErrorPrecede();
            throw ex;
        }
        catch (final TaskKilledException ex)
        {
            report(ex.reason());
            throw ex;
        }
    }

    /** Closes a communicator whose task has failed, or that is closed already: an error is not the first one. */
    @SuppressWarnings("EmptyCatch")
    private static void close(final Communicator communicator)
    {
        try
        {
            communicator.close();
        }
        catch (final CollectiveException ex)
        {
            // The task reports why it failed.
        }
    }
}
