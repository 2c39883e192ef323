/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapInterruptedException;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.exec.CollectiveCall;
import org.tutti.collectives.exec.Plan;
import org.tutti.collectives.exec.PlanCache;
import org.tutti.collectives.exec.ScheduleExecutor;
import org.tutti.collectives.exec.StagingBuffer;
import org.tutti.collectives.fault.Diagnosis;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.util.Failures;
import org.tutti.collectives.wireup.ResultHashes;
import org.tutti.collectives.wireup.Team;

import java.util.function.Function;

/**
 * The state that the views of one communicator share: connections, engine, plans and failure. One thread at a time may
 * run a call; concurrent calls are rejected. The first failure is kept, sent to all ranks, and thrown again by every
 * later call.
 */
public final class Session
{
    private final Team team;
    private final Bootstrap job;
    private final ScheduleExecutor engine;
    private final RankIdleStrategy waiter;
    private final PlanCache plans;
    private final Sessions sessions;
    private final StagingBuffer staging;
    private final SetupCollective setup;
    private final CommunicatorLock lock = new CommunicatorLock();
    private final CallAdmission admission = new CallAdmission(this, lock);
    private final ResultHashes.OfCommunicator hashes;
    private final ProgressQueue requests;
    private final RequestProgress requestProgress;
    private final ProgressThread progress;
    private final GroupOwner group = new GroupOwner();
    private final CollectiveCall own = new CollectiveCall();
    private final CollectiveCall segmentCall = new CollectiveCall();
    private final Windows windows = new Windows();
    private final SessionPart messages;
    private final SessionCloser closing;
    private volatile CollectiveException failure;

    /**
     * Creates the session of a communicator.
     *
     * @param team     team of the communicator.
     * @param sessions sessions of all communicators that share the team's context, to which this one is added.
     * @param messages creates the point-to-point messages of a session.
     */
    public Session(
        final Team team, final Sessions sessions, final Function<? super Session, ? extends SessionPart> messages)
    {
        this.team = team;
        this.sessions = sessions;
        job = team.context().job();
        plans = new PlanCache(team, team.context().configuration());
        progress = new ProgressThread(team);
        engine = new ScheduleExecutor(team);
        waiter = new RankIdleStrategy(team, engine);
        staging = new StagingBuffer(team.pool());
        hashes = team.context().resultHashesOfOne();
        requests = new ProgressQueue(engine, team.rank(), hashes);
        requestProgress = new RequestProgress(this, lock, requests);
        closing = new SessionCloser(this, lock, requests);
        setup = new SetupCollective(this);
        this.messages = messages.apply(this);
        sessions.add(this);
    }

    public Team team()
    {
        return team;
    }

    /** Returns the sessions of all communicators that share the context. */
    public Sessions sessions()
    {
        return sessions;
    }

    /** Returns the owner of the communicator's group. */
    public GroupOwner group()
    {
        return group;
    }

    /** Returns the staging buffer, for a thread that has entered this session. */
    public StagingBuffer staging()
    {
        return staging;
    }

    /** Returns the executor of calls that create communicators and windows. */
    public SetupCollective setup()
    {
        return setup;
    }

    /**
     * Returns the call object to reuse for each segment of a longer call, for a thread that has entered this session.
     */
    public CollectiveCall segmentCall()
    {
        return segmentCall;
    }

    public PlanCache plans()
    {
        return plans;
    }

    /** Returns the point-to-point messages of the communicator. */
    public SessionPart messages()
    {
        return messages;
    }

    /** Returns the windows of the communicator. */
    public Windows windows()
    {
        return windows;
    }

    public Diagnosis diagnosis()
    {
        return engine.diagnosis();
    }

    /** Returns the operations on requests. */
    public RequestProgress requests()
    {
        return requestProgress;
    }

    public RankIdleStrategy waiter()
    {
        return waiter;
    }

    public ScheduleExecutor engine()
    {
        return engine;
    }

    /**
     * Takes the lock for a call of the calling thread, whose arguments it sets next; {@link #leave} releases the lock.
     *
     * @return call without arguments, owned by the session.
     */
    public CollectiveCall take(final Collective collective, final long timeoutNs)
    {
        acquire(timeoutNs);
        return call(collective);
    }

    /** Returns the session's own call, without arguments, for a thread that holds the lock. */
    public CollectiveCall call(final Collective collective)
    {
        return own.of(collective);
    }

    /** Returns the progress thread of the communicator. */
    public ProgressThread progress()
    {
        return progress;
    }

    /** Returns the object that closes this session. */
    public SessionCloser closing()
    {
        return closing;
    }

    boolean hasFailed()
    {
        return failure != null;
    }

    /** Throws if the communicator is closed or has failed. */
    public void requireOpen()
    {
        requireNotClosed();
        final CollectiveException earlier = failure;
        if (earlier != null)
        {
            throw Failures.again(earlier);
        }
    }

    private void requireNotClosed()
    {
        if (closing.hasBegun())
        {
            throw new IllegalStateException("the communicator is closed");
        }
    }

    /** Takes the lock even if the communicator is closed or has failed; throws if another thread makes a call. */
    void acquire(final long timeoutNs)
    {
        admission.take(timeoutNs);
    }

    public CallAdmission admission()
    {
        return admission;
    }

    /** Takes the lock for a call of the calling thread; throws if the communicator is in use, closed or has failed. */
    public void enter(final long timeoutNs)
    {
        acquire(timeoutNs);
        try
        {
            enterTaken(timeoutNs);
        }
        catch (final RuntimeException | Error e)
        {
            leave();
            throw e;
        }
    }

    /**
     * As {@link #enter}, for a thread that already holds the lock; that thread releases the lock even if this throws.
     */
    public void enterTaken(final long timeoutNs)
    {
        requireOpen();
        waiter.begin(timeoutNs);
        requestProgress.beginAll();
    }

    /**
     * As {@link #enterTaken(long)}, and checks the buffers of the call.
     *
     * @throws IllegalArgumentException if the call uses a buffer of a request that is not done.
     */
    public void enterTaken(final CollectiveCall call, final long timeoutNs)
    {
        requestProgress.requireApart(call);
        enterTaken(timeoutNs);
    }

    /** As {@link #enter}, and waits until the requests started before are done. */
    public void enterAfterRequests(final long timeoutNs)
    {
        enter(timeoutNs);
        try
        {
            requestProgress.finishAll();
        }
        catch (final RuntimeException | Error e)
        {
            leave();
            throw e;
        }
    }

    /** Releases the lock. */
    public void leave()
    {
        lock.give();
    }

    /** Throws if a rank has failed. For calls that completed without waiting: a wait would have checked this. */
    public void checkFailure()
    {
        if (job.failure() != null)
        {
            diagnosis().throwIfFailed(engine.sequence());
        }
    }

    void waitOrProgress(final int work)
    {
        waiter.idleAfter(work, work > 0 ? RankIdleStrategy.NONE : progressOthers());
    }

    /**
     * Progresses the point-to-point messages of the communicator. If that fails, throws the failure, rather than the
     * notice of it that this rank sent to the job.
     */
    private int progressOthers()
    {
        final int moved = messages.progress();
        final CollectiveException ofMessages = failure;
        if (ofMessages != null)
        {
            throw Failures.again(ofMessages);
        }
        return moved;
    }

    /**
     * Runs a call, or a segment of one, for a thread that has entered.
     *
     * @param call checked call; a plan is looked up if it has none.
     */
    public void execute(final CollectiveCall call)
    {
        final Plan plan = call.isPlanned() ? call.plan() : plans.find(call);
        call.plan(plan);
        try
        {
            while (!engine.mayBegin(plan))
            {
                waitOrProgress(requests.advance());
            }
            engine.begin(call);
            engine.progress(ScheduleExecutor.POLLS);
            if (call.isDone())
            {
                checkFailure();
            }
            else
            {
                await(call);
            }
            recordHash(call);
        }
        catch (final RuntimeException | Error e)
        {
            throw fail(e);
        }
    }

    /**
     * Begins a segment of a call, or an exchange that precedes it, for a thread that has entered. {@link #finish}
     * completes a segment, and {@link #complete} an exchange. Several may be in progress at once.
     */
    public void begin(final CollectiveCall segment)
    {
        final Plan plan = segment.isPlanned() ? segment.plan() : plans.find(segment);
        segment.plan(plan);
        try
        {
            while (!engine.mayBegin(plan))
            {
                waitOrProgress(progressAll());
            }
            engine.begin(segment);
            engine.progress(0);
        }
        catch (final RuntimeException | Error e)
        {
            throw fail(e);
        }
    }

    /** Waits until a segment is done. Segments are finished in the order in which they were begun. */
    public void finish(final CollectiveCall segment)
    {
        complete(segment);
        try
        {
            recordHash(segment);
        }
        catch (final RuntimeException | Error e)
        {
            throw fail(e);
        }
    }

    private void recordHash(final CollectiveCall call)
    {
        if (hashes != null)
        {
            // Hashes of results are written in the order of the calls.
            requestProgress.finishAll();
            final Plan plan = call.plan();
            hashes.add(plan.call(), plan.request(), plan.type(), call.outputMemory());
        }
    }

    /** As {@link #finish}, for an exchange that is no call of the caller. */
    public void complete(final CollectiveCall exchange)
    {
        try
        {
            await(exchange);
        }
        catch (final RuntimeException | Error e)
        {
            throw fail(e);
        }
    }

    private void await(final CollectiveCall call)
    {
        engine.await(call);
        while (!call.isDone())
        {
            waitOrProgress(progressAll());
        }
    }

    private int progressAll()
    {
        return requests.isEmpty() ? engine.progress(ScheduleExecutor.POLLS) : requests.advance();
    }

    /** Fails all later calls because another communicator of the context failed, unless this one failed before. */
    void poison(final CollectiveException cause)
    {
        if (failure == null)
        {
            team.connectionTable().giveUp();
            failure = cause;
        }
        windows.poison(cause);
        messages.poison(cause);
    }

    /**
     * As {@link #fail}, for a thread without the lock; requests fail when the thread that holds the lock sees the
     * failure.
     */
    public CollectiveException failFromOutside(final CollectiveException cause)
    {
        return failFromOutside(cause, cause.getMessage());
    }

    private CollectiveException failFromOutside(final CollectiveException cause, final String reason)
    {
        sessions.fail(cause);
        team.abort(reason, cause);
        return cause;
    }

    /**
     * Fails the job because this rank cannot go on, unless it has failed already. For any thread.
     *
     * @param reason reason in one line.
     * @throws IllegalStateException if the communicator is closed.
     */
    public void abort(final String reason)
    {
        requireNotClosed();
        if (failure == null && job.failure() == null)
        {
            failFromOutside(new CollectiveException(
                team.rank(), team.ranks().name(team.rank()) + " aborted the job: " + reason, null), reason);
        }
    }

    /**
     * Fails this and all later calls, on all ranks.
     *
     * @return the exception to throw: for the first failure, which may be that of another session of the context.
     */
    public CollectiveException fail(final Throwable thrown)
    {
        final CollectiveException earlier = failure;
        if (earlier != null)
        {
            requests.fail(earlier);
            return thrown == earlier ? earlier : Failures.again(earlier, thrown);
        }
        final CollectiveException cause = thrown instanceof final CollectiveException e ? e :
            thrown instanceof BootstrapInterruptedException ?
            diagnosis().interrupted(engine.sequence(), engine.waitedPeer()) : new CollectiveException(
            -1, diagnosis().where(engine.sequence()) + " failed: " + Failures.reason(thrown), thrown);
        // Gives up before any thread can throw the failure to the application, which may then write INPUT.
        team.connectionTable().giveUp();
        failure = cause;
        requests.fail(cause);
        sessions.fail(cause);
        team.abort(cause.getMessage(), cause);
        return cause;
    }
}
