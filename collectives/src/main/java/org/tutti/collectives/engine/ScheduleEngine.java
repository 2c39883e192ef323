/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.agrona.concurrent.Agent;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.collectives.reduce.Reducer;
import org.tutti.rdma.memory.RegisteredBuffer;

/**
 * Executes bound schedules, one after the other, in the order of their lists. {@link #begin} takes a call,
 * {@link #doWork} goes on with it as far as it can without waiting, until {@link #isDone}. Who calls decides how to
 * wait in between.
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
final class ScheduleEngine implements Agent
{
    /** How often it looks for messages before its caller looks at anything else. */
    private static final int SPINS = 8;

    private final Mesh mesh;
    private final Connection[] connections;
    private final ControlBlock control;
    private final Wiring wiring;
    private final Probe probe;
    private final PeerInputs peerInputs;
    private final Arrivals arrivals;
    private final Products products;
    private final Intake intake;
    private final Departures departures;
    private final Chain chain = new Chain();
    private final CallMemory memory;

    private long sequence = -1;
    private long round = -1;
    private boolean synchronizes = true;
    private BoundSchedule bound;
    private int fingerprint;
    private Reducer reducer;
    private int readyPosted;
    private int readyAwaited;
    private int position;
    private int finalIndex;
    private boolean done = true;
    private boolean connecting;
    private boolean isWired;
    private int waitedPeer = -1;
    /** Whether messages carry what goes into peers' SCRATCH, which they may not be ready for. */
    private boolean carries;
    /** Whether only a message lets the call go on. */
    private boolean awaitsMessage;
    private boolean closing;

    ScheduleEngine(final Mesh mesh)
    {
        this.mesh = mesh;
        connections = mesh.connections();
        wiring = mesh.wiring();
        probe = new Probe(mesh);
        peerInputs = new PeerInputs(mesh);
        control = mesh.control();
        arrivals = new Arrivals(connections.length);
        intake = new Intake(mesh, this);
        departures = new Departures(mesh);
        products = new Products(mesh.family().pool());
        memory = new CallMemory(mesh);
    }

    /**
     * Takes a call. The one before must be done.
     *
     * @param plan   of the call.
     * @param input  where INPUT is.
     * @param output where OUTPUT is.
     */
    void begin(final Plan plan, final RegisteredBuffer input, final RegisteredBuffer output)
    {
        final RegisteredBuffer source = plan.scaler() == null ? input : products.of(plan, input, output);
        sequence++;
        control.enter(sequence, plan.call());
        departures.requireNone(sequence);
        bound = plan.schedule();
        // Calls of no elements are no rounds: without the number of the call, one message more might be the next one's.
        fingerprint = (plan.fingerprint() + (int)sequence) & Immediate.FINGERPRINT_MASK;
        carries = plan.carriesBlocks() || (!synchronizes && plan.isShort());
        readyPosted = synchronizes || carries ? bound.inPeers.length : 0;
        readyAwaited = synchronizes || carries ? bound.outPeers.length : 0;
        if (plan.isRound())
        {
            round++;
            synchronizes = plan.synchronizes();
        }
        reducer = plan.reducer();
        memory.set(source, output, round);
        position = 0;
        finalIndex = 0;
        awaitsMessage = false;
        done = false;
        connecting = !bound.isConnected;
        isWired = false;
    }

    /** Takes a call that has no schedule; what it does is the caller's, who says {@link #finish} at the end. */
    void enter(final CallDescription call)
    {
        sequence++;
        control.enter(sequence, call);
        departures.requireNone(sequence);
    }

    /** A call without a schedule is done. */
    void finish()
    {
        control.finish(sequence);
    }

    /** Gives back the memory that is not the callers'. No call may be under way. */
    void free()
    {
        products.close();
    }

    boolean isDone()
    {
        return done;
    }

    /**
     * The number of the current or last call.
     *
     * @return from 0; -1 before the first.
     */
    long sequence()
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
    int waitedPeer()
    {
        return waitedPeer;
    }

    /**
     * A rank that has sent something for the current call which shows that it called something else.
     *
     * @return a rank, or -1.
     */
    int disagreeingPeer()
    {
        return done ? -1 : arrivals.disagreeing(round, fingerprint);
    }

    /**
     * Tells all peers that this rank makes no more calls, so that those who make more need not wait. Not before it has
     * looked whether they disagree about the last one.
     */
    void announceClose()
    {
        closing = true;
        control.close(sequence + 1);
        intake.pollAll(closing);
        requireAllAwaited();
        departures.announce(sequence + 1, round);
        intake.pollAll(closing);
    }

    /**
     * Looks, when all ranks have closed, whether they have made the same calls.
     *
     * @param calls how many each has made.
     */
    void checkClosed(final long[] calls)
    {
        intake.pollAll(closing);
        requireAllAwaited();
        final int sender = intake.untaken();
        if (sender >= 0)
        {
            throw mesh.diagnosis().mismatch(sequence, sender);
        }
        for (int peer = 0; peer < calls.length; peer++)
        {
            departures.add(peer, calls[peer]);
        }
        departures.requireNone(sequence);
    }

    /** Asks the peer waited for what it calls, and throws if it is something else. */
    void probe()
    {
        probe.ask(sequence, waitedPeer);
    }

    @Override
    public int doWork()
    {
        final int work = advance();
        chain.flush();
        return work;
    }

    /** Does the same for a caller who comes back at once: it tries a little longer. */
    int spin()
    {
        int work = advance();
        for (int i = 0; i < SPINS && !done; i++)
        {
            chain.flush();
            work += advance();
        }
        chain.flush();
        return work;
    }

    /** Sends what can be sent without a look at what has come, for a caller who then goes on with another call, too. */
    void send()
    {
        proceed();
        chain.flush();
    }

    Intake intake()
    {
        return intake;
    }

    /**
     * Goes on, looks for messages, and goes on if there are some. What this rank sends goes first: to look waits for a
     * cache line that the peer has, and peers wait for this rank meanwhile.
     */
    private int advance()
    {
        final int before = awaitsMessage ? 0 : proceed();
        final int taken = intake.poll();
        if (taken == 0 || !done)
        {
            return taken == 0 ? before : before + taken + proceed();
        }
        requireAllAwaited();
        return before + taken;
    }

    private int proceed()
    {
        awaitsMessage = false;
        if (done || (connecting && !connect()))
        {
            return 0;
        }
        int work = 0;
        if (readyPosted < bound.inPeers.length || readyAwaited < bound.outPeers.length)
        {
            if (!exchangeReady())
            {
                return work;
            }
            work++;
        }
        final int stepCount = bound.stepCount;
        while (position < stepCount)
        {
            if (!tryStep(position))
            {
                return work;
            }
            position++;
            work++;
        }
        while (finalIndex < bound.finalPuts.length)
        {
            if (!isPutDone(bound.finalPuts[finalIndex]))
            {
                return work;
            }
            finalIndex++;
        }
        requireAllAwaited();
        control.finish(sequence);
        waitedPeer = -1;
        done = true;
        return work + 1;
    }

    /** Whether a call waits for connections, rather than for messages. */
    boolean isConnecting()
    {
        return connecting;
    }

    private boolean connect()
    {
        try
        {
            if (!isWired)
            {
                isWired = true;
                wiring.require(bound.outPeers);
                wiring.require(bound.inPeers);
            }
            connecting = !wiring.advance();
            intake.connecting(connecting);
        }
        catch (final BootstrapException e)
        {
            mesh.diagnosis().throwIfFailed(sequence);
            throw e;
        }
        bound.isConnected = !connecting;
        waitedPeer = wiring.awaited();
        return !connecting;
    }

    @Override
    public String roleName()
    {
        return "schedule-engine";
    }

    private void requireAllAwaited()
    {
        final int peer = arrivals.unawaited(round);
        if (peer >= 0)
        {
            throw mesh.diagnosis().mismatch(sequence, peer);
        }
    }

    private boolean exchangeReady()
    {
        final int ready = Immediate.of(Immediate.READY_CHANNEL, round, fingerprint);
        while (readyPosted < bound.inPeers.length)
        {
            final Connection connection = connections[bound.inPeers[readyPosted]];
            if (!connection.canSend())
            {
                waitedPeer = connection.peer();
                return false;
            }
            chain.to(connection).signal(ready, round);
            readyPosted++;
        }
        while (readyAwaited < bound.outPeers.length)
        {
            final int peer = bound.outPeers[readyAwaited];
            if (!arrivals.hasReady(peer))
            {
                waitedPeer = peer;
                awaitsMessage = true;
                return false;
            }
            if (arrivals.takeReady(peer) != ready)
            {
                throw mesh.diagnosis().mismatch(sequence, peer);
            }
            readyAwaited++;
        }
        return true;
    }

    private boolean tryStep(final int step)
    {
        final int[] needed = bound.completions[step];
        if (needed != null)
        {
            for (final int put : needed)
            {
                if (!isPutDone(put))
                {
                    return false;
                }
            }
        }

        final int kind = bound.kinds[step];
        if (kind == BoundSchedule.WAIT)
        {
            return tryArrival(step);
        }
        if (kind == BoundSchedule.PUT)
        {
            return tryPut(step);
        }
        if (kind == BoundSchedule.SIGNAL)
        {
            return trySignal(step);
        }
        compute(kind, step);
        return true;
    }

    private boolean tryArrival(final int step)
    {
        final int peer = bound.peers[step];
        final int channel = bound.channels[step];
        if (!arrivals.has(round, peer, channel))
        {
            waitedPeer = peer;
            awaitsMessage = true;
            return false;
        }
        if (arrivals.take(round, peer, channel) != fingerprint)
        {
            throw mesh.diagnosis().mismatch(sequence, peer);
        }
        if (bound.ofBlocks[step])
        {
            if (arrivals.length(round, peer, channel) != bound.lengths[step])
            {
                throw mesh.diagnosis().otherBlock(
                    sequence, peer, arrivals.length(round, peer, channel), bound.lengths[step]);
            }
        }
        else if (bound.flags[step] && control.exposedLength(peer) != bound.lengths[step])
        {
            throw mesh.diagnosis().otherLength(sequence, peer, bound.lengths[step], control.exposedLength(peer));
        }
        return true;
    }

    private boolean tryPut(final int step)
    {
        final int peer = bound.peers[step];
        final Connection connection = connections[peer];
        if (!connection.canSend())
        {
            waitedPeer = peer;
            return false;
        }
        final int source = bound.sources[step];
        final long local = memory.address(source) + bound.sourceOffsets[step];
        final boolean toScratch = bound.destinations[step] == BoundSchedule.SCRATCH;
        final int immediate = Immediate.of(bound.channels[step], round, fingerprint);
        if (toScratch && carries)
        {
            chain.to(connection).carry(local, (int)bound.lengths[step],
                connection.scratchAddress() + memory.scratchOffset() + bound.destinationOffsets[step],
                immediate, round);
            bound.ordinals[step] = 0;
            return true;
        }
        final long remoteBase = toScratch ?
            connection.scratchAddress() + memory.scratchOffset() : control.exposedAddress(peer);
        final int rkey = toScratch ? connection.scratchRkey() : control.exposedRkey(peer);
        if (!chain.to(connection).put(local, memory.lkey(connection.rail(), source), (int)bound.lengths[step],
            remoteBase + bound.destinationOffsets[step], rkey,
            immediate, round, bound.signaled[step]))
        {
            waitedPeer = peer;
            return false;
        }
        bound.ordinals[step] = connection.lastPut();
        return true;
    }

    private boolean trySignal(final int step)
    {
        final int peer = bound.peers[step];
        final Connection connection = connections[peer];
        if (!connection.canSend())
        {
            waitedPeer = peer;
            return false;
        }
        final int immediate = Immediate.of(bound.channels[step], round, fingerprint);
        chain.to(connection);
        if (bound.flags[step])
        {
            connection.expose(
                mesh.rank(), memory.output().address() + bound.sourceOffsets[step], bound.lengths[step],
                memory.output().rkey(connection.rail()), memory.input().address(),
                memory.input().rkey(connection.rail()),
                immediate, round);
        }
        else if (bound.ofBlocks[step])
        {
            connection.announce(bound.lengths[step], immediate, round);
        }
        else
        {
            connection.signal(immediate, round);
        }
        return true;
    }

    private void compute(final int kind, final int step)
    {
        chain.flush();
        final long destination = memory.address(bound.destinations[step]) + bound.destinationOffsets[step];
        final int peer = bound.peers[step];
        final boolean copies = kind == BoundSchedule.COPY;
        final long offset = copies ? bound.sourceOffsets[step] : bound.secondSourceOffsets[step];
        final long operand = peer >= 0 ? peerInputs.address(sequence, peer, offset, bound.lengths[step]) :
            memory.address(copies ? bound.sources[step] : bound.secondSources[step]) + offset;
        if (copies)
        {
            Memory.copy(operand, destination, bound.lengths[step]);
        }
        else
        {
            reduce(step, operand, destination);
        }
        if (peer >= 0)
        {
            peerInputs.requireRead(sequence, peer);
        }
    }

    private void reduce(final int step, final long second, final long destination)
    {
        final long source = memory.address(bound.sources[step]) + bound.sourceOffsets[step];
        if (bound.flags[step])
        {
            reducer.reduceAndFinish(source, second, destination, bound.counts[step], connections.length);
        }
        else
        {
            reducer.reduce(source, second, destination, bound.counts[step]);
        }
    }

    private boolean isPutDone(final int put)
    {
        if (connections[bound.peers[put]].isDone(bound.ordinals[put]))
        {
            return true;
        }
        waitedPeer = bound.peers[put];
        return false;
    }

    /**
     * A message has come from a peer.
     *
     * @param length of the block that it carries or announces, in bytes, if it does.
     */
    void onMessage(final int peer, final int immediate, final long length)
    {
        final int channel = Immediate.channel(immediate);
        if (immediate == Immediate.HELLO)
        {
            wiring.onHello(peer);
            return;
        }
        if (immediate == Immediate.WAKE)
        {
            return;
        }
        if (channel == Immediate.CLOSE_CHANNEL)
        {
            departures.add(peer, Immediate.calls(immediate, sequence));
            if (!done)
            {
                departures.requireNone(sequence);
            }
            return;
        }
        if (channel == Immediate.READY_CHANNEL)
        {
            if (!arrivals.addReady(peer, immediate))
            {
                throw mesh.diagnosis().mismatch(sequence, peer);
            }
            return;
        }
        final int ahead = (Immediate.round(immediate) - (int)round) & Immediate.ROUND_MASK;
        if (ahead > 1)
        {
            throw mesh.diagnosis().mismatch(sequence, peer);
        }
        arrivals.add(round + ahead, peer, channel, Immediate.fingerprint(immediate), length);
    }
}
