/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.collectives.endpoint.CallDescription;
import org.tutti.collectives.endpoint.Connection;
import org.tutti.collectives.endpoint.ControlBlock;
import org.tutti.collectives.endpoint.Endpoint;
import org.tutti.collectives.endpoint.Immediate;
import org.tutti.collectives.fault.ClosedPeers;
import org.tutti.collectives.fault.DesyncDetector;
import org.tutti.collectives.fault.Diagnosis;
import org.tutti.collectives.wireup.Team;
import org.tutti.collectives.wireup.Wireup;
import org.tutti.rdma.memory.RegisteredBuffer;

/**
 * Executes bound schedules, one after the other, in the order of their steps. {@link #begin} starts a call,
 * {@link #progress} progresses it without blocking, until {@link #isDone}; the caller waits in between.
 * <p>
 * Calls are numbered. Calls that send messages are also rounds; a call without elements sends nothing and is no round.
 * SCRATCH has two halves that alternate by round, so a rank may be one round ahead of a peer but not two: it knows that
 * a peer has completed round r - 2 if round r - 1 synchronized all ranks, and otherwise waits for a READY from each
 * peer that it will send to, which peers send when they begin round r (docs/adr/0003). Short calls, and those with
 * eager blocks, need neither if messages carry the data for SCRATCH, as the receiver takes a message only when it is in
 * that round (docs/adr/0022, docs/adr/0026).
 * <p>
 * Ranks that do not make the same calls are detected by their messages: they arrive for another round than the
 * receiver's, have another fingerprint, or are left over when the round ends.
 * <p>
 * Not thread-safe: one thread drives it. Allocates nothing after construction.
 */
public final class ScheduleExecutor
{
    /** The number of further polls of a blocking call before it checks anything else. */
    public static final int POLLS = 8;

    private final Connection[] connections;
    private final ControlBlock control;
    private final Wireup wireup;
    private final Diagnosis diagnosis;
    private final DesyncDetector desyncDetector;
    private final ArrivalCounters arrivals;
    private final PremulBuffer premul;
    private final ClosedPeers closedPeers;
    private final Worker worker;
    private final CallMemory memory;
    private final SendChain chain = new SendChain();
    private final ReadyExchange ready;
    private final LocalSteps local;
    private final CloseHandshake closing;

    private long sequence = -1;
    private long round = -1;
    private boolean synchronizes = true;
    private BoundSchedule bound;
    private int fingerprint;
    private int position;
    private int finalIndex;
    private boolean done = true;
    private boolean connecting;
    private boolean isWireupStarted;
    private int waitedPeer = -1;
    /** Whether messages carry the data for peers' SCRATCH, as peers may not be ready for it. */
    private boolean carries;
    /** Whether the call waits only for a message. */
    private boolean awaitsMessage;

    /** Creates an executor for a communicator, or for a point-to-point channel. */
    public ScheduleExecutor(final Team team)
    {
        connections = team.connections();
        wireup = team.wireup();
        diagnosis = new Diagnosis(team);
        desyncDetector = new DesyncDetector(team, diagnosis);
        control = team.control();
        arrivals = new ArrivalCounters(connections.length);
        closedPeers = new ClosedPeers(team, diagnosis);
        worker = new Worker(team, arrivals, closedPeers, diagnosis);
        closing = new CloseHandshake(worker, arrivals, control, closedPeers, diagnosis);
        premul = new PremulBuffer(team.context().pool());
        memory = new CallMemory(team);
        ready = new ReadyExchange(connections, arrivals, diagnosis, chain);
        local = new LocalSteps(memory, new PeerInputs(team, diagnosis), connections.length);
    }

    /**
     * Starts a call, which is checked and planned. The previous call must be done.
     *
     * @param call call to execute, not changed until it is done.
     */
    public void begin(final CollectiveCall call)
    {
        final Plan plan = call.plan();
        final RegisteredBuffer output = call.outputMemory();
        final RegisteredBuffer source = plan.scaler() == null ? call.inputMemory() :
            premul.of(plan, call.inputMemory(), output);
        sequence++;
        control.enter(sequence, plan.call());
        closedPeers.requireNone(sequence);
        bound = plan.schedule();
        // Calls without elements are no rounds: the number of the call distinguishes a surplus message from one of the
        // next call.
        fingerprint = (plan.fingerprint() + (int)sequence) & Immediate.FINGERPRINT_MASK;
        carries = plan.carriesBlocks() || (!synchronizes && plan.isShort());
        final boolean needsReady = !synchronizes && !carries;
        if (plan.isRound())
        {
            round++;
            synchronizes = plan.synchronizes();
        }
        if (needsReady)
        {
            ready.begin(bound, sequence, round, fingerprint);
        }
        local.reducer(plan.reducer());
        memory.set(source, output, round);
        position = 0;
        finalIndex = 0;
        awaitsMessage = false;
        done = false;
        connecting = !bound.isConnected;
        isWireupStarted = false;
    }

    /** Starts a call without a schedule; the caller does its work and calls {@link #finish} at the end. */
    public void enter(final CallDescription call)
    {
        sequence++;
        control.enter(sequence, call);
        closedPeers.requireNone(sequence);
    }

    /** Completes a call without a schedule. */
    public void finish()
    {
        control.finish(sequence);
    }

    /** Frees the executor's own memory. No call may be in progress. */
    public void free()
    {
        premul.close();
    }

    public boolean isDone()
    {
        return done;
    }

    /**
     * Returns the number of the current or last call.
     *
     * @return number of the call, from 0; -1 before the first.
     */
    public long sequence()
    {
        return sequence;
    }

    /** Returns the number of the current or last round. */
    long round()
    {
        return round;
    }

    /**
     * Returns the rank that the current call waits for.
     *
     * @return rank, or -1 if it waits for none.
     */
    public int waitedPeer()
    {
        return waitedPeer;
    }

    /**
     * Returns a rank that made another call, as its message for the current round shows.
     *
     * @return rank, or -1.
     */
    public int disagreeingPeer()
    {
        return done ? -1 : arrivals.disagreeing(round, fingerprint);
    }

    /**
     * Announces to all peers that this rank makes no more calls, so that ranks that make more do not wait for it. First
     * checks that ranks agree about the last call.
     */
    public void announceClose()
    {
        closing.announce(sequence, round);
    }

    /**
     * Checks, when all ranks have closed, that they have made the same calls.
     *
     * @param calls number of calls of each rank.
     */
    public void checkClosed(final long[] calls)
    {
        closing.check(sequence, round, calls);
    }

    /** Queries which call the awaited peer is in; throws if it is a different one. */
    public void detectDesync()
    {
        desyncDetector.detect(sequence, waitedPeer);
    }

    /**
     * Progresses the call without blocking. Sends before it polls: a poll waits for a cache line that the peer holds,
     * while peers wait for this rank.
     *
     * @param polls number of further polls while the call is not done; 0 for a caller that does other work in between.
     * @return amount of work done; 0 if there was no progress.
     */
    public int progress(final int polls)
    {
        int work = awaitsMessage ? 0 : proceed();
        for (int poll = 0;; poll++)
        {
            final int taken = worker.poll(sequence, round);
            if (taken > 0)
            {
                work += taken + onMessages();
            }
            chain.flush();
            if (done || poll == polls)
            {
                return work;
            }
            if (!awaitsMessage)
            {
                work += proceed();
            }
        }
    }

    private int onMessages()
    {
        if (done)
        {
            closing.requireAllAwaited(sequence, round);
            return 0;
        }
        closedPeers.requireNone(sequence);
        return proceed();
    }

    /** Sends what can be sent without polling, for a caller that then also progresses another call. */
    public void send()
    {
        proceed();
        chain.flush();
    }

    /** Returns the diagnosis, which finds out why a call cannot progress. */
    public Diagnosis diagnosis()
    {
        return diagnosis;
    }

    public Worker worker()
    {
        return worker;
    }

    /**
     * Executes steps until one has to wait. It is one method, too long for the JVM to inline, so that C2 compiles the
     * steps once, and not again in each caller (docs/adr/0035).
     */
    private int proceed()
    {
        awaitsMessage = false;
        if (done || (connecting && !connect()) || !isReady())
        {
            return 0;
        }
        final BoundSchedule schedule = bound;
        final int stepCount = schedule.stepCount;
        int step = position;
        while (step < stepCount)
        {
            final int[] needed = schedule.completions[step];
            if (needed != null && !areDone(needed))
            {
                break;
            }
            final int kind = schedule.kinds[step];
            final int peer = schedule.peers[step];
            if (kind == BoundSchedule.WAIT)
            {
                final int channel = schedule.channels[step];
                if (!arrivals.has(round, peer, channel))
                {
                    waitedPeer = peer;
                    awaitsMessage = true;
                    break;
                }
                if (arrivals.take(round, peer, channel) != fingerprint)
                {
                    throw diagnosis.mismatch(sequence, peer);
                }
                if (schedule.ofBlocks[step] || schedule.flags[step])
                {
                    requireLength(step);
                }
            }
            else if (kind == BoundSchedule.PUT || kind == BoundSchedule.SIGNAL)
            {
                final Endpoint endpoint = connections[peer].endpoint();
                if (!endpoint.canSend())
                {
                    waitedPeer = peer;
                    break;
                }
                chain.use(endpoint);
                final int immediate = Immediate.of(schedule.channels[step], round, fingerprint);
                if (kind == BoundSchedule.SIGNAL)
                {
                    signal(endpoint, step, immediate);
                }
                else if (schedule.destinations[step] == BoundSchedule.SCRATCH &&
                    (carries || endpoint.isEager(schedule.lengths[step])))
                {
                    endpoint.sendEager(memory.address(schedule.sources[step]) + schedule.sourceOffsets[step],
                        (int)schedule.lengths[step],
                        endpoint.scratchAddress() + memory.scratchOffset() + schedule.destinationOffsets[step],
                        immediate, round);
                    schedule.ordinals[step] = 0;
                }
                else if (!put(endpoint, step, immediate))
                {
                    waitedPeer = peer;
                    break;
                }
            }
            else
            {
                chain.flush();
                local.run(schedule, step, sequence);
            }
            step++;
        }
        final int work = step - position;
        position = step;
        return step == stepCount && areDone(schedule) ? finish(work) : work;
    }

    private int finish(final int work)
    {
        closing.requireAllAwaited(sequence, round);
        control.finish(sequence);
        waitedPeer = -1;
        done = true;
        return work + 1;
    }

    private boolean areDone(final int[] puts)
    {
        for (final int put : puts)
        {
            if (!isPutDone(put))
            {
                return false;
            }
        }
        return true;
    }

    private boolean areDone(final BoundSchedule schedule)
    {
        while (finalIndex < schedule.finalPuts.length)
        {
            if (!isPutDone(schedule.finalPuts[finalIndex]))
            {
                return false;
            }
            finalIndex++;
        }
        return true;
    }

    /** Returns whether the call waits for connections rather than messages. */
    public boolean isConnecting()
    {
        return connecting;
    }

    private boolean connect()
    {
        try
        {
            if (!isWireupStarted)
            {
                isWireupStarted = true;
                wireup.require(bound.outPeers);
                wireup.require(bound.inPeers);
            }
            connecting = !wireup.advance();
            worker.connecting(connecting);
        }
        catch (final BootstrapException e)
        {
            diagnosis.throwIfFailed(sequence);
            throw e;
        }
        if (wireup.unreachable() >= 0)
        {
            throw diagnosis.unmappable(sequence, wireup.unreachable());
        }
        bound.isConnected = !connecting;
        waitedPeer = wireup.awaited();
        return !connecting;
    }

    private boolean isReady()
    {
        if (ready.isDone() || ready.advance())
        {
            return true;
        }
        waitedPeer = ready.waitedPeer();
        awaitsMessage = ready.awaitsMessage();
        return false;
    }

    private void requireLength(final int step)
    {
        final int peer = bound.peers[step];
        final long own = bound.lengths[step];
        if (bound.ofBlocks[step])
        {
            final long length = arrivals.length(round, peer, bound.channels[step]);
            if (length != own)
            {
                throw diagnosis.otherBlock(sequence, peer, length, own);
            }
        }
        else if (control.exposedLength(peer) != own)
        {
            throw diagnosis.otherLength(sequence, peer, own, control.exposedLength(peer));
        }
    }

    private boolean put(final Endpoint endpoint, final int step, final int immediate)
    {
        final int source = bound.sources[step];
        final long local = memory.address(source) + bound.sourceOffsets[step];
        final boolean toScratch = bound.destinations[step] == BoundSchedule.SCRATCH;
        final long remoteBase = toScratch ?
            endpoint.scratchAddress() + memory.scratchOffset() : control.exposedAddress(endpoint.peer());
        final int rkey = toScratch ? endpoint.scratchRkey() : control.exposedRkey(endpoint.peer());
        if (!endpoint.putWithImmediate(local, memory.lkey(endpoint.deviceIndex(), source), (int)bound.lengths[step],
            remoteBase + bound.destinationOffsets[step], rkey, immediate, round, bound.signaled[step]))
        {
            return false;
        }
        bound.ordinals[step] = endpoint.lastPut();
        return true;
    }

    private void signal(final Endpoint endpoint, final int step, final int immediate)
    {
        if (bound.flags[step])
        {
            endpoint.expose(
                memory.output(), bound.sourceOffsets[step], bound.lengths[step], memory.input(), immediate, round);
        }
        else if (bound.ofBlocks[step])
        {
            endpoint.sendLength(bound.lengths[step], immediate, round);
        }
        else
        {
            endpoint.signal(immediate, round);
        }
    }

    private boolean isPutDone(final int put)
    {
        if (connections[bound.peers[put]].endpoint().isDone(bound.ordinals[put]))
        {
            return true;
        }
        waitedPeer = bound.peers[put];
        return false;
    }
}
