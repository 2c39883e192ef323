/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.BootstrapInterruptedException;
import org.tutti.bootstrap.GroupBootstrap;
import org.tutti.collectives.CollectiveTimeoutException;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.pattern.Routes;
import org.tutti.rdma.AsyncEvent;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.memory.RegisteredBuffer;
import org.tutti.rdma.memory.RegisteredMemoryPool;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A communicator's end on one rank: memory that peers reach, a completion queue, and connections to those peers that
 * calls have needed so far, on the device that the rank's communicators share. Its parts are used by the engine's
 * thread only, the pool by any.
 */
final class Mesh
{
    /** What is longer is worth a look at memory. */
    private static final int MAX_INLINE = 256;
    /** Of a communicator of one rank, to which nobody writes. */
    private static final long NO_SCRATCH = 64;

    private final Parts parts = new Parts();
    /** What peers write into. */
    private final Parts memory = new Parts();
    private final Family family;
    private final Bootstrap bootstrap;
    private final long scratchHalf;
    private final Link link;
    private final Connection[] connections;
    private final String[] names;
    /** Also read by threads that make other communicators fail. */
    private volatile ReceiveFifo[] fifos = {};
    private volatile boolean hasGivenUp;
    private MeshQueues queues;
    private RegisteredBuffer scratch;
    private RegisteredBuffer controlMemory;
    private ControlBlock control;
    private RunningOperator operator;
    private CallBoard board;
    private Connector connector;
    private Wiring wiring;
    private Diagnosis diagnosis;
    private HostMap hosts;
    private int connectionCount;
    private boolean othersDone;
    private int maxInline = MAX_INLINE;

    private Mesh(final Family family, final Bootstrap bootstrap)
    {
        this(family, bootstrap, family.configuration().scratchBytes(), null);
    }

    private Mesh(final Family family, final Bootstrap bootstrap, final long scratchHalf, final Link link)
    {
        this.family = family;
        this.bootstrap = bootstrap;
        this.scratchHalf = scratchHalf;
        this.link = link;
        family.enter();
        connections = new Connection[bootstrap.size()];
        names = link == null ? new String[bootstrap.size()] : link.names();
        hosts = HostMap.one(bootstrap.size());
    }

    /**
     * Opens the device and meets all ranks of a job; all ranks call it. If it cannot, all ranks are told, everything is
     * freed, and what was the matter first is thrown.
     *
     * @param bootstrap     of this rank; closed with the last mesh of the family.
     * @param configuration of the communicator.
     * @return owned by the caller.
     */
    static Mesh connect(final Bootstrap bootstrap, final EngineConfiguration configuration)
    {
        final Family family = new Family(bootstrap, configuration);
        final Mesh mesh = new Mesh(family, bootstrap);
        mesh.open(true, configuration.connectTimeoutNs());
        return mesh;
    }

    /**
     * Meets some ranks of the job on the device that is open; all of them call it. If it cannot, all ranks are told,
     * what it had is freed, and what was the matter first is thrown.
     *
     * @param family    of the rank.
     * @param bootstrap of those ranks.
     * @param timeoutNs how long to wait for them.
     * @return owned by the caller.
     */
    static Mesh connect(final Family family, final Bootstrap bootstrap, final long timeoutNs)
    {
        final Mesh mesh = new Mesh(family, bootstrap);
        mesh.open(false, timeoutNs);
        return mesh;
    }

    /**
     * Makes this rank's end of a link, and does not wait for the other one: it is met when the first call connects. If
     * it cannot, all ranks are told, what it had is freed, and what was the matter is thrown.
     *
     * @param link to make.
     * @return owned by the caller, who closes it before the mesh that it belongs to.
     */
    static Mesh link(final Link link)
    {
        final Mesh mesh = new Mesh(link.parent().family, link.bootstrap(), Link.SCRATCH_HALF, link);
        mesh.maxInline = link.parent().maxInline;
        mesh.open(false, 0);
        return mesh;
    }

    int rank()
    {
        return bootstrap.rank();
    }

    int size()
    {
        return connections.length;
    }

    Bootstrap bootstrap()
    {
        return bootstrap;
    }

    Family family()
    {
        return family;
    }

    String transport()
    {
        return queues != null ? queues.toString() : family.rails().isEmpty() ? "nothing" : Rail.text(family.rails());
    }

    /** The way to a rank; to itself the first. */
    Rail rail(final int peer)
    {
        return link == null ? connector.rail(peer) : link.parent().rail(link.callersRank(peer));
    }

    /** Whether some peers are reached by one rail and some by the other. */
    boolean isMixed()
    {
        return queues.isMixed();
    }

    /** The rail whose device tells of this. */
    Rail railOf(final AsyncEvent event)
    {
        return family.rails().stream().filter(rail -> event.equals(rail.events().poll())).findFirst()
            .orElse(family.rails().getFirst());
    }

    /** What ends the communicator, or null. */
    AsyncEvent pollEvent()
    {
        return queues.pollEvent();
    }

    /** The rank of the communicator that the job knows by another number, or -1 if it is none of it. */
    int member(final int jobRank)
    {
        return link != null ? link.parent().member(jobRank) :
            bootstrap instanceof final GroupBootstrap group ? group.member(jobRank) : jobRank;
    }

    /** What callers call a rank: on a link, that of the communicator. */
    int callersRank(final int rank)
    {
        return link == null || rank < 0 ? rank : link.callersRank(rank);
    }

    /** What callers call a rank's call. */
    String words(final int rank, final CallDescription call)
    {
        return link == null ? call.toString() : link.words(rank, call);
    }

    /** What callers have to keep to. */
    String rule()
    {
        return link == null ? Diagnosis.SAME_CALLS : Link.RULE;
    }

    /** Whether a peer has closed the communicator that this link belongs to. */
    boolean isLeft(final int peer)
    {
        return link != null && link.isLeft(peer);
    }

    /** The host of a rank. */
    String host(final int rank)
    {
        return size() == 1 ? family.configuration().host() : connector.host(rank);
    }

    /** Which ranks share a host; of a link, both, as nobody chooses by that. */
    HostMap hosts()
    {
        return hosts;
    }

    /** How people call a rank: "rank 2 (host)". */
    String name(final int rank)
    {
        return names[rank] == null ? "rank " + rank : names[rank];
    }

    /** By peer: null where no call has needed one so far. */
    Connection[] connections()
    {
        return connections;
    }

    /** The FIFOs that peers may leave messages in; another array when there are more. */
    ReceiveFifo[] fifos()
    {
        return fifos;
    }

    /** Whether peers that can send at all send by FIFOs, as far as both directions have been found alike. */
    boolean isAllDirect()
    {
        if (fifos.length != connectionCount)
        {
            return false;
        }
        for (final ReceiveFifo fifo : fifos)
        {
            if (!connections[fifo.peer()].isDirect())
            {
                return false;
            }
        }
        return true;
    }

    /**
     * Says to peers that may read this rank's INPUT that it has given up: before its callers may write there again, and
     * before the memory is given back. From any thread.
     */
    void giveUp()
    {
        hasGivenUp = true;
        for (final ReceiveFifo fifo : fifos)
        {
            fifo.giveUp();
        }
    }

    /** Whether all ranks load and store one another's memory: the same on all of them. */
    boolean isDirect()
    {
        return family.configuration().direct() && (link != null ? isShared(1 - rank()) :
            size() == 1 ? family.rails().getFirst().port().isShared() : connector.isAllShared());
    }

    /** Whether a peer's memory may be within reach of loads and stores. */
    private boolean isShared(final int peer)
    {
        return family.configuration().direct() && rail(peer).port().isShared();
    }

    CompletionQueue completionQueue()
    {
        return queues.all();
    }

    /** What a peer's connection completes in; without a peer, of the first rail in use. */
    RailQueues queues(final int peer)
    {
        return queues.isMixed() && peer >= 0 ? queues.of(rail(peer)) : queues.first();
    }

    RegisteredMemoryPool pool()
    {
        return family.pool();
    }

    /** Both halves of the memory that peers write into. */
    RegisteredBuffer scratch()
    {
        return scratch;
    }

    long scratchHalf()
    {
        return scratchHalf;
    }

    ControlBlock control()
    {
        return control;
    }

    /** That of the communicator, on a link too. */
    RunningOperator operator()
    {
        return operator;
    }

    CallBoard board()
    {
        return board;
    }

    Wiring wiring()
    {
        return wiring;
    }

    /** Knows where the other ranks are; null if there are none. */
    Connector connector()
    {
        return connector;
    }

    /** Whether there are connections to all peers. */
    boolean isComplete()
    {
        return connectionCount == size() - 1;
    }

    Diagnosis diagnosis()
    {
        return diagnosis;
    }

    int maxInline()
    {
        return maxInline;
    }

    /**
     * Tells all ranks that this one cannot go on, unless they know of a failure.
     *
     * @param reason one line for people.
     * @param cause  gets what goes wrong meanwhile as suppressed.
     */
    void abort(final String reason, final Throwable cause)
    {
        try
        {
            if (bootstrap.failure() == null && cause instanceof final CollectiveTimeoutException timeout)
            {
                family.job().abort(jobRank(timeout.peer()), reason);
            }
            else if (bootstrap.failure() == null)
            {
                bootstrap.abort(reason);
            }
        }
        catch (final RuntimeException e)
        {
            cause.addSuppressed(e);
        }
    }

    /**
     * Waits until all ranks close, so that none needs this one's memory any more.
     *
     * @param calls     that this rank has made.
     * @param timeoutNs how long to wait.
     * @return how many calls each rank has made, or null if not all closed in time.
     */
    long[] awaitOthers(final long calls, final long timeoutNs)
    {
        try
        {
            final long[] all = bootstrap
                .allgather("close", ByteBuffer.allocate(Long.BYTES).putLong(calls).array(), timeoutNs)
                .stream().mapToLong(bytes -> ByteBuffer.wrap(bytes).getLong()).toArray();
            othersDone = true;
            return all;
        }
        catch (final BootstrapInterruptedException e)
        {
            throw e;
        }
        catch (final BootstrapException othersFailed)
        {
            // This rank is done: what happens to others is theirs to report.
            return null;
        }
    }

    /** Whether no other rank stores into this one's memory any more. Who closes a communicator has closed its links. */
    private boolean areOthersDone()
    {
        return othersDone || size() == 1 || (link != null && link.parent().othersDone);
    }

    /** Says that this rank calls no more, also to those that wait without a connection, or in a link it never made. */
    void tellEnd()
    {
        try
        {
            board.publishEnd();
        }
        catch (final BootstrapException jobFailed)
        {
            // Then nobody waits for this rank.
        }
    }

    /**
     * Makes a queue pair for a peer, yet to be connected, and makes room for its completions.
     *
     * @param peer that there is no connection with.
     * @return the connection, among {@link #connections} from now on.
     * @throws RdmaException if the device has no room for one more.
     */
    Connection open(final int peer)
    {
        final Rail rail = rail(peer);
        final RailQueues ofRail = queues.of(rail);
        final QueuePair qp = ofRail.open(maxInline);
        connectionCount++;
        final ReceiveFifo fifo =
            isShared(peer) ? new ReceiveFifo(peer, memory.add(family.pool().allocate(ReceiveFifo.LENGTH))) : null;
        connections[peer] = new Connection(
            new QueuePairEndpoint(peer, qp, rail.index(), ofRail.sizes(), maxInline,
            memory.add(family.pool().allocate(QueuePairEndpoint.SHARED_LENGTH))), fifo);
        if (fifo != null)
        {
            final ReceiveFifo[] more = Arrays.copyOf(fifos, fifos.length + 1);
            more[fifos.length] = fifo;
            fifos = more;
            if (hasGivenUp)
            {
                // A thread that gave up meanwhile has perhaps not seen this FIFO.
                fifo.giveUp();
            }
        }
        return connections[peer];
    }

    /** Removes what a link that never came about has left in the store. */
    void withdraw()
    {
        try
        {
            if (!isComplete() || !connections[1 - rank()].isJoined())
            {
                connector.unpublish();
                wiring.withdraw(1 - rank());
            }
            board.clear();
        }
        catch (final BootstrapException jobFailed)
        {
            // The job has ended, and the store with it.
        }
    }

    /**
     * Frees everything; if this is the last of the family, leaves the job.
     *
     * @param cause what ended it, which gets what goes wrong here as suppressed; or null, then it is thrown.
     */
    void close(final Throwable cause)
    {
        final String transport = transport();
        final List<Exception> problems = new ArrayList<>();
        giveUp();
        for (final ReceiveFifo fifo : fifos)
        {
            connections[fifo.peer()].closeDirect();
        }
        fifos = new ReceiveFifo[0];
        parts.close(problems);
        if (areOthersDone())
        {
            memory.close(problems);
        }
        else
        {
            family.keep(memory);
        }
        family.leave(problems);
        if (problems.isEmpty())
        {
            return;
        }
        final IllegalStateException failure = new IllegalStateException("cannot free " + transport);
        problems.forEach(failure::addSuppressed);
        if (cause == null)
        {
            throw failure;
        }
        cause.addSuppressed(failure);
    }

    private void open(final boolean isFirst, final long timeoutNs)
    {
        try
        {
            if (isFirst)
            {
                family.open();
            }
            open(timeoutNs);
        }
        catch (final RuntimeException | Error e)
        {
            abort("rank " + callersRank(bootstrap.rank()) + " cannot connect: " + e.getMessage(), e);
            close(e);
            throw e;
        }
    }

    private void open(final long timeoutNs)
    {
        final boolean isAlone = size() == 1;
        scratch = memory.add(family.pool().allocate(isAlone ? NO_SCRATCH : 2 * scratchHalf));
        controlMemory = memory.add(family.pool().allocate(ControlBlock.length(size())));
        control = new ControlBlock(controlMemory.buffer());
        control.clear();
        operator = link == null ? new RunningOperator(control) : link.parent().operator;
        board = new CallBoard(bootstrap, control);
        diagnosis = new Diagnosis(this);
        openQueues();
        connector = new Connector(bootstrap, family, names,
            bootstrap == family.job() ? CommonSettings.of(family.configuration()) : "");
        wiring = new Wiring(this, connector);
        if (link != null)
        {
            connector.publish(scratch, controlMemory, rail(1 - rank()));
        }
        else if (!isAlone)
        {
            connector.exchange(scratch, controlMemory, wiring.openEarly(), timeoutNs);
            hosts = HostMap.of(IntStream.range(0, size()).mapToObj(connector::host).toList());
            if (bootstrap == family.job())
            {
                family.met(IntStream.range(0, size()).map(peer -> rail(peer).index()).toArray());
            }
            queues.keep(index -> IntStream.range(0, size())
                .anyMatch(peer -> peer != rank() && rail(peer).index() == index));
            tellRoutes();
        }
    }

    private void openQueues()
    {
        queues = new MeshQueues(family.rails(), this::mayNeed, size(), parts);
        if (size() > 1 && link == null)
        {
            for (final RailQueues opened : queues.used())
            {
                maxInline = Math.min(maxInline, opened.findMaxInline(MAX_INLINE));
            }
        }
    }

    /** Whether there may be peers by a rail: where those of the first communicator are is not known yet. */
    private boolean mayNeed(final int rail)
    {
        return link != null ? rail(1 - rank()).index() == rail :
            size() == 1 ? rail == 0 :
            IntStream.range(0, size()).anyMatch(peer -> peer != rank() && family.mayReach(jobRank(peer), rail));
    }

    /** What the job calls a rank that callers know by this number; on a link, that of the communicator. */
    int jobRank(final int rank)
    {
        return link != null ? link.parent().jobRank(rank) :
            rank >= 0 && bootstrap instanceof final GroupBootstrap group ? group.jobRank(rank) : rank;
    }

    private void tellRoutes()
    {
        if (family.configuration().verbose() && bootstrap == family.job() && rank() == 0 && hosts.number() > 1)
        {
            System.err.println("tutti: " + Routes.text(0, size(), peer -> rail(peer).toString()));
        }
    }
}
