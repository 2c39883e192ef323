/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.agrona.BufferUtil;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.UnsafeBuffer;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.reduce.Reducer;
import org.tutti.rdma.WorkCompletion;
import org.tutti.rdma.memory.RegisteredBuffer;

/**
 * Executes bound schedules, one after the other, in the order of their lists. {@link #begin} takes a call,
 * {@link #doWork} goes on with it as far as it can without waiting, until {@link #isDone}. Who calls decides how to
 * wait in between.
 * <p>
 * Calls are numbered. SCRATCH has two halves that alternate by call, so a rank may be one call ahead of a peer but not
 * two: it knows that a peer has ended call c - 2 when call c - 1 synchronized all ranks, and otherwise waits for a
 * READY from each peer that it will send to, which they send when they begin call c (docs/adr/0003).
 * <p>
 * Not thread-safe: one thread drives it. Allocates nothing after construction.
 */
final class ScheduleEngine implements Agent
{
    private static final int COMPLETION_BATCH = 16;

    private final Mesh mesh;
    private final Connection[] connections;
    private final ControlBlock control;
    private final Arrivals arrivals;
    private final UnsafeBuffer completions =
        new UnsafeBuffer(BufferUtil.allocateDirectAligned(COMPLETION_BATCH * WorkCompletion.SIZE, 64));
    private final WorkCompletion completion = new WorkCompletion();

    private long sequence = -1;
    private boolean synchronizes;
    private BoundSchedule bound;
    private int fingerprint;
    private Reducer reducer;
    private long inputAddress;
    private int inputLkey;
    private long outputAddress;
    private int outputLkey;
    private int outputRkey;
    private long scratchAddress;
    private long remoteScratchOffset;
    private int readyPosted;
    private int readyAwaited;
    private int position;
    private int finalIndex;
    private boolean done = true;
    private int waitedPeer = -1;

    ScheduleEngine(final Mesh mesh)
    {
        this.mesh = mesh;
        connections = mesh.connections();
        control = mesh.control();
        arrivals = new Arrivals(connections.length);
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
        final boolean previousSynchronized = sequence < 0 || synchronizes;
        sequence++;
        control.enter(sequence, plan.call());
        bound = plan.schedule();
        fingerprint = plan.fingerprint();
        synchronizes = plan.synchronizes();
        reducer = plan.reducer();
        inputAddress = input.address();
        inputLkey = input.lkey();
        outputAddress = output.address();
        outputLkey = output.lkey();
        outputRkey = output.rkey();
        remoteScratchOffset = (sequence & 1) * mesh.scratchHalf();
        scratchAddress = mesh.scratch().address() + remoteScratchOffset;
        readyPosted = previousSynchronized ? bound.inPeers.length : 0;
        readyAwaited = previousSynchronized ? bound.outPeers.length : 0;
        position = 0;
        finalIndex = 0;
        done = false;
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

    int fingerprint()
    {
        return fingerprint;
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
        return done ? -1 : arrivals.disagreeing(sequence, fingerprint);
    }

    @Override
    public int doWork()
    {
        int work = poll();
        if (done)
        {
            return work;
        }
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
        control.finish(sequence);
        waitedPeer = -1;
        done = true;
        return work + 1;
    }

    @Override
    public String roleName()
    {
        return "schedule-engine";
    }

    private boolean exchangeReady()
    {
        while (readyPosted < bound.inPeers.length)
        {
            final Connection connection = connections[bound.inPeers[readyPosted]];
            if (!connection.canPost())
            {
                return false;
            }
            connection.signal(Immediate.of(Immediate.READY_CHANNEL, sequence, fingerprint));
            readyPosted++;
        }
        while (readyAwaited < bound.outPeers.length)
        {
            final int peer = bound.outPeers[readyAwaited];
            if (!arrivals.hasReady(peer))
            {
                waitedPeer = peer;
                return false;
            }
            if (arrivals.takeReady(peer) != fingerprint)
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
            return tryArrival(bound.peers[step], bound.channels[step]);
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

    private boolean tryArrival(final int peer, final int channel)
    {
        if (!arrivals.has(sequence, peer, channel))
        {
            waitedPeer = peer;
            return false;
        }
        if (arrivals.take(sequence, peer, channel) != fingerprint)
        {
            throw mesh.diagnosis().mismatch(sequence, peer);
        }
        return true;
    }

    private boolean tryPut(final int step)
    {
        final int peer = bound.peers[step];
        final Connection connection = connections[peer];
        if (!connection.canPost())
        {
            waitedPeer = peer;
            return false;
        }
        final int source = bound.sources[step];
        final long local = base(source) + bound.sourceOffsets[step];
        final boolean toScratch = bound.destinations[step] == BoundSchedule.SCRATCH;
        final long remoteBase = toScratch ?
            connection.scratchAddress() + remoteScratchOffset : control.exposedAddress(peer);
        final int rkey = toScratch ? connection.scratchRkey() : control.exposedRkey(peer);
        connection.put(local, lkey(source), (int)bound.lengths[step],
            remoteBase + bound.destinationOffsets[step], rkey,
            Immediate.of(bound.channels[step], sequence, fingerprint), bound.signaled[step]);
        bound.ordinals[step] = connection.posted();
        return true;
    }

    private boolean trySignal(final int step)
    {
        final int peer = bound.peers[step];
        final Connection connection = connections[peer];
        if (!connection.canPost())
        {
            waitedPeer = peer;
            return false;
        }
        final int immediate = Immediate.of(bound.channels[step], sequence, fingerprint);
        if (bound.flags[step])
        {
            connection.expose(mesh.rank(), outputAddress, outputRkey, immediate);
        }
        else
        {
            connection.signal(immediate);
        }
        return true;
    }

    private void compute(final int kind, final int step)
    {
        final long source = base(bound.sources[step]) + bound.sourceOffsets[step];
        final long destination = base(bound.destinations[step]) + bound.destinationOffsets[step];
        if (kind == BoundSchedule.COPY)
        {
            Memory.copy(source, destination, bound.lengths[step]);
            return;
        }
        final long second = base(bound.secondSources[step]) + bound.secondSourceOffsets[step];
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

    private long base(final int buffer)
    {
        return buffer == BoundSchedule.SCRATCH ? scratchAddress :
            buffer == BoundSchedule.OUTPUT ? outputAddress : inputAddress;
    }

    private int lkey(final int buffer)
    {
        return buffer == BoundSchedule.SCRATCH ? mesh.scratch().lkey() :
            buffer == BoundSchedule.OUTPUT ? outputLkey : inputLkey;
    }

    private int poll()
    {
        final int polled = mesh.completionQueue().poll(completions.addressOffset(), COMPLETION_BATCH);
        if (polled < 0)
        {
            throw new CollectiveException(-1, mesh.diagnosis().where(sequence) +
                " failed: the completion queue of " + mesh.transport() + " overran", null);
        }
        for (int i = 0; i < polled; i++)
        {
            completion.wrap(completions, i * WorkCompletion.SIZE);
            final long wrId = completion.wrId();
            if (!completion.isSuccess())
            {
                final int peer = Connection.isSend(wrId) ? Connection.peerOf(wrId) : (int)wrId;
                throw mesh.diagnosis().transportFailure(sequence, peer, completion.status());
            }
            if (Connection.isSend(wrId))
            {
                connections[Connection.peerOf(wrId)].onSendCompletion(wrId);
            }
            else
            {
                onArrival((int)wrId, completion.immData());
            }
        }
        return polled;
    }

    private void onArrival(final int peer, final int immediate)
    {
        connections[peer].onReceive();
        if (Immediate.channel(immediate) == Immediate.READY_CHANNEL)
        {
            arrivals.addReady(peer, immediate);
            return;
        }
        final int ahead = (Immediate.sequence(immediate) - (int)sequence) & Immediate.SEQUENCE_MASK;
        if (ahead > 1)
        {
            throw mesh.diagnosis().mismatch(sequence, peer);
        }
        arrivals.add(sequence + ahead, peer, Immediate.channel(immediate), Immediate.fingerprint(immediate));
    }
}
