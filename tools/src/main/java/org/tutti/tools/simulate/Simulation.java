/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

import org.tutti.collectives.select.model.CostModel;
import org.tutti.collectives.schedule.StepKind;

import java.util.Arrays;

/**
 * One simulated execution of programs, as the engine executes them: each rank executes its steps in order, blocks in
 * waits, and posts messages that adapters and links then carry. Single use. Not thread-safe.
 * <p>
 * A rank runs until it waits for an arrival or a completion whose time is not known yet. Its messages enter a queue
 * ordered by time, and are routed when all earlier messages have been: each directed link serves messages one after
 * another, in posting order. A message starts on the next link as soon as its head is there, so that its bytes count
 * once on an idle path: virtual cut-through, Kermani and Kleinrock, Computer Networks 3(4), 1979,
 * doi:10.1016/0376-5075(79)90032-1. Messages of a rank that shares its links with no other bypass the queue, because
 * their times do not depend on messages of other ranks.
 * <p>
 * If the simulation is symmetric under a rotation of ranks, <i>kept</i> ranks represent all others: a message to a rank
 * that is not kept corresponds to a message that another rank sends at the same time to the kept rank that represents
 * the receiver. For this to be exact, messages posted at the same time are ordered by properties that the rotation
 * preserves: the distance between sender and receiver, then the sender's position within the topology's period.
 */
final class Simulation
{
    private static final long UNKNOWN = -1;
    private static final int NOTHING = -1;

    private final int size;
    private final RankProgram[] programs;
    private final long period;
    private final Perturbation perturbation;
    private final Trace trace;
    private final Costs costs;
    private final NetworkLinks links;
    private final Connectivity connectivity;
    private final Inboxes inboxes;
    private final InjectionQueue queue = new InjectionQueue();

    private final int[] position;
    private final long[] processor;
    private final long[] sourcesFree;
    private final long[] lastArrival;
    private final long[][] putsDone;
    private final int[] nextDependent;
    private final int[] awaitedInbox;
    private final int[] awaitedPut;
    private final int[] runnable;
    private int runnables;
    private long messages;
    private long bytes;
    private long lastPosted = UNKNOWN;
    private int lastConnection;
    private boolean isAmbiguous;

    /**
     * Creates a simulation.
     *
     * @param size         number of ranks.
     * @param programs     programs of the kept ranks, from rank 0: all, or a multiple of the topology's period.
     * @param topology     topology of all ranks.
     * @param model        cost model of the steps.
     * @param perturbation slow ranks and losses; there must be none of either unless all ranks are kept.
     * @param trace        receives the activity of the kept ranks, or null.
     */
    Simulation(
        final int size, final RankProgram[] programs, final Topology topology, final CostModel model,
        final Perturbation perturbation, final Trace trace)
    {
        this(size, programs, new Connectivity(size, programs, topology.folded(programs.length)), topology, model,
            perturbation, trace);
    }

    /**
     * Creates a simulation of one rank that represents all others, which do the same with other peers. Its result is
     * exact unless it {@linkplain #isAmbiguous is ambiguous}.
     *
     * @param size     number of ranks.
     * @param program  program of the rank.
     * @param inboxes  by outlet: the inbox that it sends to, the same on all receivers.
     * @param topology {@linkplain Topology#isUniform uniform} topology.
     * @param model    cost model of the steps.
     */
    static Simulation ofOne(
        final int size, final RankProgram program, final int[] inboxes, final Topology topology, final CostModel model)
    {
        return new Simulation(size, new RankProgram[] {program},
            new Connectivity(program, inboxes, topology.ranksPerHost() > 1), topology, model, Perturbation.NONE, null);
    }

    private Simulation(
        final int size, final RankProgram[] programs, final Connectivity connectivity, final Topology topology,
        final CostModel model, final Perturbation perturbation, final Trace trace)
    {
        final int kept = programs.length;
        this.size = size;
        this.programs = programs;
        this.connectivity = connectivity;
        final Topology folded = topology.folded(kept);
        this.perturbation = perturbation;
        this.trace = trace;
        // If the last switch is not full, there is no symmetric rotation, and any order will do.
        period = size % topology.period() == 0 ? topology.period() : size;
        costs = new Costs(model, perturbation, kept, Math.min(size, topology.ranksPerHost()));
        links = new NetworkLinks(model, folded, size, connectivity.connections());
        inboxes = new Inboxes(connectivity.inboxes());
        position = new int[kept];
        processor = new long[kept];
        sourcesFree = new long[kept];
        lastArrival = new long[connectivity.connections()];
        putsDone = new long[kept][];
        nextDependent = new int[kept];
        awaitedInbox = new int[kept];
        awaitedPut = new int[kept];
        runnable = new int[kept];
        Arrays.fill(awaitedInbox, NOTHING);
        Arrays.fill(awaitedPut, NOTHING);
    }

    /**
     * Runs the simulation.
     *
     * @return time when the last rank completes, in picoseconds.
     * @throws IllegalArgumentException if ranks deadlock because their schedules do not match.
     */
    long run()
    {
        for (int rank = programs.length - 1; rank >= 0; rank--)
        {
            runnable[runnables++] = rank;
        }
        while (true)
        {
            while (runnables > 0)
            {
                run(runnable[--runnables]);
            }
            if (queue.isEmpty())
            {
                return end();
            }
            final int rank = queue.rank();
            final int step = queue.step();
            final long time = queue.time();
            queue.removeFirst();
            carry(rank, step, time);
        }
    }

    /**
     * Whether messages of different connections were posted at the same time, which different receivers may get in
     * different orders: then one rank does not represent all others.
     */
    boolean isAmbiguous()
    {
        return isAmbiguous;
    }

    /** Completion time of a rank, in picoseconds. */
    long end(final int rank)
    {
        return Math.max(processor[rank], sourcesFree[rank]);
    }

    /** Number of PUTs and SIGNALs that the kept ranks sent. */
    long messages()
    {
        return messages;
    }

    /** Number of bytes that the kept ranks sent. */
    long bytes()
    {
        return bytes;
    }

    private long end()
    {
        long end = 0;
        for (int rank = 0; rank < programs.length; rank++)
        {
            if (position[rank] < programs[rank].steps())
            {
                throw new IllegalArgumentException("rank " + rank + " waits forever in step " + position[rank] +
                    ": the schedules do not match");
            }
            end = Math.max(end, end(rank));
        }
        return end;
    }

    private void run(final int rank)
    {
        final RankProgram program = programs[rank];
        final ProgramShape shape = program.shape;
        final byte[] kinds = shape.kinds;
        while (position[rank] < kinds.length)
        {
            final int step = position[rank];
            if (nextDependent[rank] < shape.dependents.length && shape.dependents[nextDependent[rank]] == step &&
                !awaitCompletions(rank, shape))
            {
                return;
            }
            final byte kind = kinds[step];
            if (kind == ProgramShape.WAIT)
            {
                if (!receive(rank, shape.targets[step]))
                {
                    return;
                }
            }
            else if (kind == ProgramShape.PUT || kind == ProgramShape.SIGNAL)
            {
                send(rank, program, step);
            }
            else
            {
                final long cost = costs.local(rank, kind, shape.lengths[step]);
                spend(rank, kind, processor[rank] + cost);
            }
            position[rank] = step + 1;
        }
    }

    private boolean awaitCompletions(final int rank, final ProgramShape shape)
    {
        long time = processor[rank];
        for (final int put : shape.completions[nextDependent[rank]])
        {
            final int index = shape.awaitedIndex(put);
            final long done = putsDone[rank][index];
            if (done == UNKNOWN)
            {
                awaitedPut[rank] = index;
                return false;
            }
            time = Math.max(time, done);
        }
        nextDependent[rank]++;
        spend(rank, ProgramShape.WAIT, time);
        return true;
    }

    private boolean receive(final int rank, final int index)
    {
        final int inbox = connectivity.inbox(rank, index);
        if (inboxes.isEmpty(inbox))
        {
            awaitedInbox[rank] = inbox;
            return false;
        }
        final long arrival = inboxes.remove(inbox);
        final long cost = costs.receive(rank, connectivity.isLocalInbox(inbox));
        final long now = processor[rank];
        spend(rank, ProgramShape.WAIT, cost + (arrival > now ? arrival + costs.yielded() : now));
        return true;
    }

    private void send(final int rank, final RankProgram program, final int step)
    {
        final ProgramShape shape = program.shape;
        final long length = shape.lengths[step];
        final int index = shape.outletConnections[shape.targets[step]];
        final int connection = connectivity.connection(rank, index);
        final boolean isLocal = connectivity.isLocal(connection);
        messages++;
        bytes += length;
        spend(rank, shape.kinds[step], processor[rank] + costs.send(rank, isLocal, length));
        if (putsDone[rank] == null && shape.awaited.length > 0)
        {
            putsDone[rank] = new long[shape.awaited.length];
            Arrays.fill(putsDone[rank], UNKNOWN);
        }
        final long posted = processor[rank];
        if (isLocal)
        {
            final long arrival = posted + costs.localDelay(length);
            arrive(rank, step, connection, posted, arrival, costs.isLocalDoneAtOnce() ? posted : arrival);
        }
        else if (connectivity.isAlone(rank))
        {
            carry(rank, step, posted);
        }
        else
        {
            queue.add(posted, program.connectionPeers[index] * period + rank % period, rank, step);
        }
    }

    /** Carries a message over the links. */
    private void carry(final int rank, final int step, final long posted)
    {
        final RankProgram program = programs[rank];
        final ProgramShape shape = program.shape;
        final long length = shape.lengths[step];
        final int index = shape.outletConnections[shape.targets[step]];
        final int connection = connectivity.connection(rank, index);
        if (length > 0)
        {
            isAmbiguous |= posted == lastPosted && connection != lastConnection;
            lastPosted = posted;
            lastConnection = connection;
        }
        long arrival = links.carry(connection, rank, program.connectionPeers[index], length, posted);
        if (perturbation.loss() > 0)
        {
            arrival += costs.losses(rank, step, length);
        }
        arrive(rank, step, connection, posted, arrival, arrival + costs.acknowledgement());
    }

    private void arrive(
        final int rank, final int step, final int connection, final long posted, final long earliest, final long done)
    {
        final ProgramShape shape = programs[rank].shape;
        final long length = shape.lengths[step];
        // Messages of one connection arrive in posting order.
        final long arrival = Math.max(earliest, lastArrival[connection]);
        lastArrival[connection] = arrival;
        final int inbox = connectivity.target(rank, shape.targets[step]);
        inboxes.add(inbox, arrival);
        final int receiver = connectivity.receiver(connection);
        if (awaitedInbox[receiver] == inbox)
        {
            awaitedInbox[receiver] = NOTHING;
            runnable[runnables++] = receiver;
        }
        if (length > costs.inlineBytes())
        {
            complete(rank, step, Math.max(done, arrival - earliest + done));
        }
        if (trace != null)
        {
            final int distance = programs[rank].connectionPeers[shape.outletConnections[shape.targets[step]]];
            trace.message(rank, step, (int)((rank + (long)distance) % size), length, posted, arrival);
        }
    }

    private void complete(final int rank, final int step, final long done)
    {
        sourcesFree[rank] = Math.max(sourcesFree[rank], done);
        final int awaited = programs[rank].shape.awaitedIndex(step);
        if (awaited >= 0)
        {
            putsDone[rank][awaited] = done;
            if (awaitedPut[rank] == awaited)
            {
                awaitedPut[rank] = NOTHING;
                runnable[runnables++] = rank;
            }
        }
    }

    private void spend(final int rank, final byte kind, final long until)
    {
        if (trace != null)
        {
            trace.busy(rank, StepKind.values()[kind], processor[rank], until);
        }
        processor[rank] = until;
    }
}
