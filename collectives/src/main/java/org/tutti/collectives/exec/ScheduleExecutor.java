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
import org.tutti.collectives.wireup.ScratchLayout;
import org.tutti.collectives.wireup.Team;
import org.tutti.collectives.wireup.Wireup;
import org.tutti.rdma.memory.RegisteredBuffer;

/**
 * Executes bound schedules, each in the order of its steps. {@link #begin} starts a call, and {@link #progress}
 * progresses all calls in progress without blocking: the caller repeats it until the call is {@linkplain
 * CollectiveCall#isDone done}, and idles in between.
 * <p>
 * Calls are numbered. Calls that send messages are also numbered separately, as <i>rounds</i>; a call without elements
 * sends nothing and is no round. Several calls are in progress at once: each round has a slot of SCRATCH and of the
 * arrival counters, which a later round uses again once this rank, and the ranks that send to it, know that it is free;
 * {@link CallWindow} has the rules (docs/adr/0037). Short calls, and those with eager blocks, need no READY if messages
 * carry the data for SCRATCH, as the receiver takes a message only when the slot of its round is free (docs/adr/0022,
 * docs/adr/0026).
 * <p>
 * Ranks that do not make the same calls are detected by messages that arrive for a round that is over, have another
 * fingerprint, or are left over when the round ends.
 * <p>
 * Not thread-safe: one thread drives it. Allocates nothing once it has had the same calls in progress before.
 */
public final class ScheduleExecutor implements ProgressEngine
{
    /** Number of polls after the first before a blocking call checks its deadline and for failures. */
    public static final int POLLS = 8;

    private final Connection[] connections;
    private final ControlBlock control;
    private final Wireup wireup;
    private final Diagnosis diagnosis;
    private final DesyncDetector desyncDetector;
    private final ArrivalCounters arrivals;
    private final ClosedPeers closedPeers;
    private final Worker worker;
    private final CallWindow window;
    private final SendChain chain = new SendChain();
    private final LocalSteps local;
    private final BlockLengths blockLengths;
    private final CloseHandshake closing;
    private final CallsInProgress calls;
    private long sequence = -1;
    /** The number of the oldest call in progress, or else of the last call. */
    private long oldestSequence = -1;
    /** The round of the oldest call in progress, or else of the next call. */
    private long oldestRound;
    /** The last round of which messages may be taken. */
    private long lastRound;

    /** Creates an executor for a communicator, or for a point-to-point channel. */
    public ScheduleExecutor(final Team team)
    {
        connections = team.connections();
        wireup = team.wireup();
        diagnosis = new Diagnosis(team);
        desyncDetector = new DesyncDetector(team, diagnosis);
        control = team.memory().control();
        final ScratchLayout layout = team.memory().scratchLayout();
        window = new CallWindow(layout.calls(), layout.slots());
        lastRound = window.last(oldestRound);
        arrivals = new ArrivalCounters(connections.length, layout.slots());
        closedPeers = new ClosedPeers(team, diagnosis);
        worker = new CallWorker(team, arrivals, closedPeers, diagnosis);
        closing = new CloseHandshake(worker, arrivals, control, closedPeers, diagnosis);
        calls = new CallsInProgress(team, window.calls(), arrivals, diagnosis, chain);
        blockLengths = new BlockLengths(control, arrivals, diagnosis);
        local = new LocalSteps(new PeerInputs(team, diagnosis), connections.length);
    }

    /** Returns whether a planned call may begin now; always true if no call is in progress. */
    public boolean mayBegin(final Plan plan)
    {
        return calls.count() == 0 || (calls.hasNext() && sequence + 1 - oldestSequence < ControlBlock.CALLS &&
            (!plan.isRound() || window.mayBegin(oldestRound, plan.needsHalf(), calls.isHalfInUse())));
    }

    /**
     * Starts a call, which is checked and planned. Requires {@link #mayBegin}.
     *
     * @param call call to execute, which must not change until it is done.
     */
    public void begin(final CollectiveCall call)
    {
        final CallInProgress next = calls.next();
        if (call.isOnUsersMemory())
        {
            next.memory.copyIn(call);
        }
        final Plan plan = call.plan();
        final RegisteredBuffer output = call.outputMemory();
        final RegisteredBuffer source = plan.scaler() == null ? call.inputMemory() :
            next.premul.of(plan, call.inputMemory(), output);
        sequence++;
        control.enter(sequence, plan.call());
        closedPeers.requireNone(sequence);
        next.begin(call, sequence, window);
        next.memory.set(
            source, output, next.round, next.needsHalf ? window.halves() : -1, next.schedule.scratchLength);
        call.done(false);
        calls.add();
        updateOldest();
    }

    /** Starts a call without a schedule; the caller does its work and calls {@link #finish} at the end. */
    public void enter(final CallDescription call)
    {
        sequence++;
        updateOldest();
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
        calls.free();
    }

    @Override
    public boolean isDone()
    {
        return calls.count() == 0;
    }

    @Override
    public long sequence()
    {
        return calls.count() == 0 ? sequence : calls.awaited().sequence;
    }

    /** Sets the call that the thread waits for: errors and the idle strategy refer to it while it is in progress. */
    public void await(final CollectiveCall call)
    {
        calls.await(call);
    }

    @Override
    public int waitedPeer()
    {
        return calls.count() == 0 ? -1 : calls.awaited().waitedPeer;
    }

    @Override
    public int disagreeingPeer()
    {
        return calls.disagreeingPeer();
    }

    /**
     * Announces to all peers that this rank makes no more calls, so that ranks that make more do not wait for it. First
     * checks that ranks agree about the last call.
     */
    public void announceClose()
    {
        closing.announce(sequence, oldestRound, lastRound);
    }

    /**
     * Checks, when all ranks have closed, that they have made the same calls.
     *
     * @param callsOfAll number of calls of each rank.
     */
    public void checkClosed(final long[] callsOfAll)
    {
        closing.check(sequence, oldestRound, lastRound, callsOfAll);
    }

    /** Queries which call the awaited peer is in; throws if the peer made a different call instead, or has closed. */
    @Override
    public void detectDesync()
    {
        desyncDetector.detect(sequence(), waitedPeer());
    }

    /**
     * Progresses the calls without blocking. Sends before it polls: a poll waits for a cache line that the peer holds,
     * while peers wait for this rank.
     *
     * @param polls number of further polls while a call is in progress; 0 for a caller that does other work in between.
     * @return amount of work done; 0 if there was no progress.
     */
    @Override
    public int progress(final int polls)
    {
        int work = 0;
        for (int poll = 0;; poll++)
        {
            // Nearly always there is only one call: proceeding with it directly saves a stack frame.
            if (calls.count() != 1)
            {
                work += proceed(false);
            }
            else if (!calls.get(0).awaitsMessage)
            {
                work += proceed(calls.get(0));
            }
            final int taken = worker.poll(oldestSequence, oldestRound, lastRound);
            if (taken > 0)
            {
                closedPeers.requireNone(oldestSequence);
                work += taken + (calls.count() == 1 ? proceed(calls.get(0)) : proceed(true));
                closedPeers.requireNone(oldestSequence);
            }
            chain.flush();
            if (calls.count() == 0 || poll == polls)
            {
                return work;
            }
        }
    }

    @Override
    public Diagnosis diagnosis()
    {
        return diagnosis;
    }

    @Override
    public void fallAsleep()
    {
        worker.fallAsleep();
    }

    private void updateOldest()
    {
        final boolean isIdle = calls.count() == 0;
        oldestSequence = isIdle ? sequence : calls.get(0).sequence;
        oldestRound = isIdle ? window.round() + 1 : calls.get(0).round;
        lastRound = window.last(oldestRound);
    }

    /**
     * Executes steps of all calls.
     *
     * @param hasMessages whether messages have arrived; if not, calls that wait for a message are not tried again.
     */
    @SuppressWarnings("ReferenceEquality") // Whether the call is still in progress.
    private int proceed(final boolean hasMessages)
    {
        int work = 0;
        int next = 0;
        while (next < calls.count())
        {
            final CallInProgress call = calls.get(next);
            if (hasMessages || !call.awaitsMessage)
            {
                work += proceed(call);
            }
            next += next < calls.count() && calls.get(next) == call ? 1 : 0;
        }
        return work;
    }

    /**
     * Executes steps until one has to wait. It is one method, too long for the JVM to inline, so that C2 compiles the
     * steps once, and not again in each caller (docs/adr/0035).
     */
    private int proceed(final CallInProgress call)
    {
        call.awaitsMessage = false;
        if ((call.isConnecting && !connect(call)) || !isReady(call))
        {
            return 0;
        }
        final BoundSchedule schedule = call.schedule;
        final CallMemory memory = call.memory;
        final long round = call.round;
        final int fingerprint = call.fingerprint;
        final int stepCount = schedule.stepCount;
        int step = call.position;
        while (step < stepCount)
        {
            final int[] needed = schedule.completions[step];
            if (needed != null && !areDone(call, needed))
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
                    call.waitedPeer = peer;
                    call.awaitsMessage = true;
                    break;
                }
                if (arrivals.take(round, peer, channel) != fingerprint)
                {
                    throw diagnosis.mismatch(call.sequence, peer);
                }
                if (schedule.ofBlocks[step] || schedule.flags[step])
                {
                    blockLengths.require(call, step);
                }
            }
            else if (kind == BoundSchedule.PUT || kind == BoundSchedule.SIGNAL)
            {
                final Endpoint endpoint = connections[peer].endpoint();
                if (!endpoint.canSend())
                {
                    call.waitedPeer = peer;
                    break;
                }
                chain.use(endpoint);
                final int immediate = Immediate.of(schedule.channels[step], round, fingerprint);
                final int destination = schedule.destinations[step];
                if (kind == BoundSchedule.SIGNAL)
                {
                    signal(call, endpoint, step, immediate);
                }
                else if (destination >= BoundSchedule.SCRATCH && (destination == BoundSchedule.EAGER ||
                    call.carries || endpoint.isEager(schedule.lengths[step])))
                {
                    endpoint.sendEager(memory.address(schedule.sources[step]) + schedule.sourceOffsets[step],
                        (int)schedule.lengths[step], endpoint.scratchAddress() + memory.scratchOffset(destination) +
                        schedule.destinationOffsets[step], immediate, round);
                    call.ordinals[step] = 0;
                }
                else if (!put(call, endpoint, step, immediate))
                {
                    call.waitedPeer = peer;
                    break;
                }
            }
            else
            {
                chain.flush();
                local.run(call, step);
            }
            step++;
        }
        final int work = step - call.position;
        call.position = step;
        return step == stepCount && areFinalDone(call) ? finish(call, work) : work;
    }

    private int finish(final CallInProgress finished, final int work)
    {
        closing.requireAllAwaited(finished);
        finished.waitedPeer = -1;
        calls.remove(finished);
        updateOldest();
        control.finish(calls.count() == 0 ? sequence : calls.get(0).sequence - 1);
        if (finished.call.isOnUsersMemory())
        {
            finished.memory.copyOut(finished.call);
        }
        finished.call.done(true);
        return work + 1;
    }

    private boolean areDone(final CallInProgress call, final int[] puts)
    {
        for (final int put : puts)
        {
            if (!isPutDone(call, put))
            {
                return false;
            }
        }
        return true;
    }

    private boolean areFinalDone(final CallInProgress call)
    {
        final int[] finalPuts = call.schedule.finalPuts;
        while (call.finalIndex < finalPuts.length && isPutDone(call, finalPuts[call.finalIndex]))
        {
            call.finalIndex++;
        }
        return call.finalIndex == finalPuts.length;
    }

    @Override
    public boolean isSendQueueFull()
    {
        return calls.isSendQueueFull();
    }

    @Override
    public boolean isConnecting()
    {
        return calls.isConnecting();
    }

    private boolean connect(final CallInProgress call)
    {
        final BoundSchedule schedule = call.schedule;
        try
        {
            if (!call.isWireupStarted)
            {
                call.isWireupStarted = true;
                wireup.require(schedule.outPeers);
                wireup.require(schedule.inPeers);
            }
            call.isConnecting = !wireup.advance();
            worker.connecting(calls.isConnecting());
        }
        catch (final BootstrapException e)
        {
            diagnosis.throwIfFailed(call.sequence);
            throw e;
        }
        if (wireup.unreachable() >= 0)
        {
            throw diagnosis.unmappable(call.sequence, wireup.unreachable());
        }
        schedule.isConnected = !call.isConnecting;
        call.waitedPeer = wireup.awaited();
        return !call.isConnecting;
    }

    private boolean isReady(final CallInProgress call)
    {
        final ReadyExchange ready = call.ready;
        if (ready.isDone() || ready.advance())
        {
            return true;
        }
        call.waitedPeer = ready.waitedPeer();
        call.awaitsMessage = ready.awaitsMessage();
        return false;
    }

    private boolean put(
        final CallInProgress call, final Endpoint endpoint, final int step, final int immediate)
    {
        final BoundSchedule schedule = call.schedule;
        final CallMemory memory = call.memory;
        final int source = schedule.sources[step];
        final int destination = schedule.destinations[step];
        final long address = memory.address(source) + schedule.sourceOffsets[step];
        final boolean toScratch = destination >= BoundSchedule.SCRATCH;
        final int slot = memory.slot();
        final long remoteBase = toScratch ? endpoint.scratchAddress() + memory.scratchOffset(destination) :
            control.exposedAddress(endpoint.peer(), slot);
        final int rkey = toScratch ? endpoint.scratchRkey() : control.exposedRkey(endpoint.peer(), slot);
        if (!endpoint.putWithImmediate(address, memory.lkey(endpoint.deviceIndex(), source),
            (int)schedule.lengths[step], remoteBase + schedule.destinationOffsets[step], rkey, immediate, call.round,
            schedule.signaled[step]))
        {
            return false;
        }
        call.ordinals[step] = endpoint.lastPut();
        return true;
    }

    private void signal(final CallInProgress call, final Endpoint endpoint, final int step, final int immediate)
    {
        final BoundSchedule schedule = call.schedule;
        if (schedule.flags[step])
        {
            endpoint.expose(call.memory.slot(), call.memory.output(), schedule.sourceOffsets[step],
                schedule.lengths[step], call.memory.input(), immediate, call.round);
        }
        else if (schedule.ofBlocks[step])
        {
            endpoint.sendLength(schedule.lengths[step], immediate, call.round);
        }
        else
        {
            endpoint.signal(immediate, call.round);
        }
    }

    private boolean isPutDone(final CallInProgress call, final int put)
    {
        final int peer = call.schedule.peers[put];
        if (connections[peer].endpoint().isDone(call.ordinals[put]))
        {
            return true;
        }
        call.waitedPeer = peer;
        return false;
    }
}
