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
import org.tutti.collectives.select.AlgorithmSelector;
import org.tutti.collectives.util.Failures;
import org.tutti.collectives.wireup.ResultHashes;
import org.tutti.collectives.wireup.Team;

/**
 * What the views of one communicator share: connections, engine, plans, and whether it still works. One thread at a
 * time may run a call; one that comes in between is refused. The first failure is kept, told to all ranks, and thrown
 * again by every later call.
 */
public final class Session
{
    private final Team team;
    private final Bootstrap job;
    private final ScheduleExecutor engine;
    private final Waiter waiter;
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
    private final GroupOwner group;
    private final CollectiveCall own = new CollectiveCall();
    private final CollectiveCall segmentCall = new CollectiveCall();
    private final PointToPointChannels channels;
    private final boolean isChannel;
    private final Closing closing;
    private volatile CollectiveException failure;

    /**
     * Of a communicator.
     *
     * @param sessions sessions of all communicators that share the team's context; this one is among them from now on.
     */
    public Session(final Team team, final Sessions sessions)
    {
        this(team, new PlanCache(team, team.context().configuration()), sessions, null);
        sessions.add(this);
    }

    /** Of a channel, which lives and fails with its communicator. */
    Session(final Team team, final AlgorithmSelector selector, final PointToPointChannels channels)
    {
        this(team, new PlanCache(team, selector), channels.sessions(), channels);
    }

    private Session(
        final Team team, final PlanCache plans, final Sessions sessions, final PointToPointChannels ofParent)
    {
        this.team = team;
        job = team.context().job();
        this.plans = plans;
        this.sessions = sessions;
        isChannel = ofParent != null;
        channels = isChannel ? ofParent : new PointToPointChannels(this);
        progress = isChannel ? ofParent.progress() : new ProgressThread(team.rank());
        engine = new ScheduleExecutor(team);
        waiter = new Waiter(team, engine);
        staging = new StagingBuffer(team.pool());
        hashes = isChannel ? null : team.context().resultHashesOfOne();
        requests = new ProgressQueue(engine, hashes);
        requestProgress = new RequestProgress(this, lock, requests);
        closing = new Closing(this, lock, requests, isChannel);
        setup = new SetupCollective(this);
        group = isChannel ? channels.group() : new GroupOwner();
    }

    public Team team()
    {
        return team;
    }

    /** Those of all communicators that share the context. */
    public Sessions sessions()
    {
        return sessions;
    }

    /** Of the communicator: whether a thread's calls are collected into a group. */
    public GroupOwner group()
    {
        return group;
    }

    /** For a thread that has taken the communicator. */
    public StagingBuffer staging()
    {
        return staging;
    }

    /** By which all calls that make something are made. */
    public SetupCollective setup()
    {
        return setup;
    }

    /** For the parts that a thread which has taken the communicator makes its call of, one after the other. */
    public CollectiveCall segmentCall()
    {
        return segmentCall;
    }

    public PlanCache plans()
    {
        return plans;
    }

    /** Of the communicator. */
    public PointToPointChannels channels()
    {
        return channels;
    }

    public Diagnosis diagnosis()
    {
        return engine.diagnosis();
    }

    /** By which requests are started, waited for and cancelled. */
    public RequestProgress requests()
    {
        return requestProgress;
    }

    public Waiter waiter()
    {
        return waiter;
    }

    public ScheduleExecutor engine()
    {
        return engine;
    }

    /**
     * Takes the communicator for a call of the calling thread, whose arguments are to be set; {@link #leave} gives it
     * back.
     *
     * @return the call, of no arguments; the session's own.
     */
    public CollectiveCall take(final Collective collective, final long timeoutNs)
    {
        acquire(timeoutNs);
        return call(collective);
    }

    /** The session's own call, of no arguments, for a thread that has taken the communicator. */
    public CollectiveCall call(final Collective collective)
    {
        return own.of(collective);
    }

    /** That of the communicator. */
    ProgressThread progress()
    {
        return progress;
    }

    /** How it ends, which takes more than one step where it is a channel. */
    public Closing closing()
    {
        return closing;
    }

    boolean hasFailed()
    {
        return failure != null;
    }

    /** Throws unless the communicator is open and works. */
    public void requireOpen()
    {
        if (closing.hasBegun())
        {
            throw new IllegalStateException("the communicator is closed");
        }
        final CollectiveException earlier = failure;
        if (earlier != null)
        {
            throw Failures.again(earlier);
        }
    }

    /** Takes the communicator, whatever state it is in, if no other thread makes a call. */
    void acquire(final long timeoutNs)
    {
        admission.take(timeoutNs);
    }

    public CallAdmission admission()
    {
        return admission;
    }

    /** Takes the communicator for a call of the calling thread, if it is free, open and works. */
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

    /** The same for a thread that has taken the communicator, and gives it back if this throws. */
    public void enterTaken(final long timeoutNs)
    {
        requireOpen();
        waiter.begin(timeoutNs);
        requestProgress.finishAll();
    }

    /** Gives the communicator back. */
    public void leave()
    {
        lock.give();
    }

    /** Throws if a rank has failed. For calls that are done without a wait, which has not polled for it. */
    public void lookForFailure()
    {
        if (job.failure() != null)
        {
            diagnosis().throwIfFailed(engine.sequence());
        }
    }

    void waitOrProgress(final int work)
    {
        waiter.goOn(work, work > 0 ? Waiter.NONE : goOnWithOthers());
    }

    /**
     * Goes on with other sessions of the communicator, as {@link PointToPointChannels#goOn}. If one of them fails, the
     * caller gets that failure, not that this rank has told the job of one.
     */
    public int goOnWithOthers()
    {
        final int moved = channels.goOn(this);
        final CollectiveException ofAnother = failure;
        if (ofAnother != null)
        {
            throw Failures.again(ofAnother);
        }
        return moved;
    }

    /** Takes the communicator as {@link #enter} does, unless something started before is not done. */
    public boolean tryEnter(final long timeoutNs)
    {
        acquire(timeoutNs);
        boolean isEntered = false;
        try
        {
            requireOpen();
            isEntered = requests.isEmpty();
            waiter.begin(timeoutNs);
        }
        finally
        {
            if (!isEntered)
            {
                leave();
            }
        }
        return isEntered;
    }

    /**
     * Runs one call, or a segment of one, for a thread that has entered.
     *
     * @param call settled; a plan is found for it if it has none.
     */
    public void execute(final CollectiveCall call)
    {
        final Plan plan = call.plan() == null ? plans.find(call) : call.plan();
        call.plan(plan);
        try
        {
            engine.begin(call);
            engine.progress(ScheduleExecutor.POLLS);
            if (engine.isDone())
            {
                lookForFailure();
            }
            else
            {
                await();
            }
            if (hashes != null)
            {
                hashes.add(plan.call(), plan.request(), plan.type(), call.outputMemory());
            }
        }
        catch (final RuntimeException | Error e)
        {
            throw fail(e);
        }
    }

    private void await()
    {
        while (!engine.isDone())
        {
            waitOrProgress(engine.progress(ScheduleExecutor.POLLS));
        }
    }

    /** Fails all later calls, because another communicator of the family failed, unless this one did before. */
    void poison(final CollectiveException cause)
    {
        if (failure == null)
        {
            team.connectionTable().giveUp();
            failure = cause;
        }
        if (!isChannel)
        {
            channels.poison(cause);
        }
    }

    /** The same for a thread without the lock; requests fail when the thread that holds it sees the failure. */
    CollectiveException failFromOutside(final CollectiveException cause)
    {
        sessions.fail(cause);
        team.abort(cause.getMessage(), cause);
        return cause;
    }

    /**
     * Fails this and all later calls, on all ranks.
     *
     * @return what to throw: what failed first, which may have been another session of the family.
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
        // Before any thread can tell its caller of the failure.
        team.connectionTable().giveUp();
        failure = cause;
        requests.fail(cause);
        sessions.fail(cause);
        team.abort(cause.getMessage(), cause);
        return cause;
    }
}
