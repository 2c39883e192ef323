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
 * Executes bound schedules, one after the other, in the order of their steps. {@link #begin} takes a call,
 * {@link #progress} goes on with it as far as it can without waiting, until {@link #isDone}; the caller waits in
 * between.
 * <p>
 * Calls are numbered, and those that send are rounds: a call of no elements sends nothing and is none. SCRATCH
 * has two halves that alternate by round, so a rank may be one round ahead of a peer but not two: it knows that a peer
 * has ended round r - 2 when round r - 1 synchronized all ranks, and otherwise waits for a READY from each peer that it
 * will send to, which they send when they begin round r (docs/adr/0003). Short calls, and those with first messages,
 * need neither, where messages carry what goes into SCRATCH: they are not taken before this rank is in that round
 * (docs/adr/0022, docs/adr/0026).
 * <p>
 * Ranks that do not make the same calls are found out by what they send: it comes in another round than the receiver is
 * in, has another fingerprint, or is left when the round ends.
 * <p>
 * Not thread-safe: one thread drives it. Allocates nothing after construction.
 */
public final class ScheduleExecutor
{
    /** How many more times a blocking call polls before it looks at anything else. */
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
    /** Whether messages carry what goes into peers' SCRATCH, which they may not be ready for. */
    private boolean carries;
    /** Whether only a message lets the call go on. */
    private boolean awaitsMessage;

    /** For one communicator, or one direction between two of its ranks. */
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
     * Takes a call, which is settled and planned. The one before must be done.
     *
     * @param call not changed until it is done.
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
        // Calls of no elements are no rounds: without the number of the call, one message more might be the next one's.
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

    /** Takes a call that has no schedule; the caller does its work and calls {@link #finish} at the end. */
    public void enter(final CallDescription call)
    {
        sequence++;
        control.enter(sequence, call);
        closedPeers.requireNone(sequence);
    }

    /** A call without a schedule is done. */
    public void finish()
    {
        control.finish(sequence);
    }

    /** Gives back the memory that is not the callers'. No call may be under way. */
    public void free()
    {
        premul.close();
    }

    public boolean isDone()
    {
        return done;
    }

    /**
     * The number of the current or last call.
     *
     * @return from 0; -1 before the first.
     */
    public long sequence()
    {
        return sequence;
    }

    /** The number of the current or last round. */
    long round()
    {
        return round;
    }

    /**
     * The rank that the current call waits for.
     *
     * @return a rank, or -1 when it waits for none.
     */
    public int waitedPeer()
    {
        return waitedPeer;
    }

    /**
     * A rank that has sent something for the current call which shows that it called something else.
     *
     * @return a rank, or -1.
     */
    public int disagreeingPeer()
    {
        return done ? -1 : arrivals.disagreeing(round, fingerprint);
    }

    /**
     * Tells all peers that this rank makes no more calls, so that ranks that make more need not wait. Not before it has
     * looked whether they disagree about the last one.
     */
    public void announceClose()
    {
        closing.announce(sequence, round);
    }

    /**
     * Looks, when all ranks have closed, whether they have made the same calls.
     *
     * @param calls number of calls of each rank.
     */
    public void checkClosed(final long[] calls)
    {
        closing.check(sequence, round, calls);
    }

    /** Asks the peer waited for which call it is in; throws if that is a different one. */
    public void detectDesync()
    {
        desyncDetector.detect(sequence, waitedPeer);
    }

    /**
     * Goes on as far as it can without waiting. What this rank sends goes first: to look for messages waits for a cache
     * line that the peer has, and peers wait for this rank meanwhile.
     *
     * @param polls number of further polls while the call is not done; 0 for a caller that does other work in between.
     * @return how much was done; 0 when nothing moved.
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

    /** Sends what can be sent without a look at what has come, for a caller that then progresses another call, too. */
    public void send()
    {
        proceed();
        chain.flush();
    }

    /** Finds out why a call cannot go on. */
    public Diagnosis diagnosis()
    {
        return diagnosis;
    }

    public Worker worker()
    {
        return worker;
    }

    /**
     * Executes steps until one has to wait. It is one method, longer than what the JVM inlines, so that the JVM's
     * second compiler compiles the steps once, and not again with each of their callers (docs/adr/0035).
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

    /** Whether a call waits for connections, rather than for messages. */
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
            throw diagnosis.outOfReach(sequence, wireup.unreachable());
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
