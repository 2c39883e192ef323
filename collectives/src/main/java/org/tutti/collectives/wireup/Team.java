/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.wireup;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.BootstrapInterruptedException;
import org.tutti.bootstrap.GroupBootstrap;
import org.tutti.collectives.CollectiveTimeoutException;
import org.tutti.collectives.config.CommonSettings;
import org.tutti.collectives.config.EngineConfiguration;
import org.tutti.collectives.device.NetDevice;
import org.tutti.collectives.device.NetDeviceQueues;
import org.tutti.collectives.endpoint.Connection;
import org.tutti.collectives.endpoint.ConnectionTable;
import org.tutti.collectives.endpoint.ControlBlock;
import org.tutti.collectives.endpoint.RunningOperator;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.pattern.RouteSummary;
import org.tutti.collectives.select.AlgorithmSelector;
import org.tutti.collectives.util.ResourceScope;
import org.tutti.rdma.AsyncEvent;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.memory.RegisteredMemoryPool;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The local part of a communicator on one rank: memory that peers access, a completion queue, and connections to the
 * peers that calls have needed so far, on the devices that the rank's communicators share. Used by the engine's thread
 * only, except for the memory pool, which is thread-safe.
 */
public final class Team
{
    /** Inline size to request, in bytes: longer messages are cheaper by DMA. */
    private static final int MAX_INLINE = 256;

    private final ResourceScope resources = new ResourceScope();
    private final CollectiveContext context;
    private final Bootstrap bootstrap;
    private final TeamMemory memory;
    /** The team of the communicator, if this is the team of its messages; else null. */
    private final Team parent;
    private final ConnectionTable connections;
    private final CommunicatorRanks ranks;
    private TeamQueues queues;
    private RunningOperator operator;
    private PublishedCalls board;
    private EndpointExchange endpointExchange;
    private Wireup wireup;
    private HostMap hosts;
    private AlgorithmSelector selector;
    private boolean othersDone;
    private int maxInline = MAX_INLINE;

    private Team(final CollectiveContext context, final Bootstrap bootstrap)
    {
        this(context, bootstrap, new TeamMemory(
            context, ScratchLayout.of(context.configuration(), bootstrap.size()), 0), null);
    }

    private Team(
        final CollectiveContext context, final Bootstrap bootstrap, final TeamMemory memory, final Team parent)
    {
        this.context = context;
        this.bootstrap = bootstrap;
        this.memory = memory;
        this.parent = parent;
        context.enter();
        connections = new ConnectionTable(bootstrap.size());
        ranks = parent == null ? new CommunicatorRanks(bootstrap) : parent.ranks;
        hosts = HostMap.one(bootstrap.size());
    }

    /**
     * Opens devices and exchanges endpoint records. Collective. On failure aborts the job and throws the first error.
     *
     * @param bootstrap     bootstrap of this rank; closed with the last team of the context.
     * @param configuration configuration of the communicator.
     * @return team, owned by the caller.
     */
    public static Team connect(final Bootstrap bootstrap, final EngineConfiguration configuration)
    {
        final CollectiveContext context = new CollectiveContext(bootstrap, configuration);
        final Team team = new Team(context, bootstrap);
        team.open(true, configuration.connectTimeoutNs());
        return team;
    }

    /**
     * Connects to a subset of the job's ranks on the open devices, as {@link #connect}. Collective over the subset.
     *
     * @param context   context of the rank.
     * @param bootstrap bootstrap of the subset.
     * @param timeoutNs maximum time to wait for the other ranks, in nanoseconds.
     * @return team, owned by the caller.
     */
    public static Team connect(final CollectiveContext context, final Bootstrap bootstrap, final long timeoutNs)
    {
        final Team team = new Team(context, bootstrap);
        team.open(false, timeoutNs);
        return team;
    }

    /**
     * Creates the team of a communicator's point-to-point messages, without connections. Not collective: ranks connect
     * when a call of each needs the other. A failure ends the job, and frees the team.
     *
     * @param parent      team of the communicator, which must be closed later.
     * @param inboxLength length in bytes of the memory into which each connected peer writes messages.
     * @return team, owned by the caller.
     */
    public static Team ofMessages(final Team parent, final long inboxLength)
    {
        final String name = parent.bootstrap instanceof final GroupBootstrap group ? group.name() : "";
        final Bootstrap bootstrap =
            GroupBootstrap.of(parent.bootstrap, name + '>', IntStream.range(0, parent.size()).toArray());
        final Team team = new Team(
            parent.context, bootstrap, new TeamMemory(parent.context, ScratchLayout.NONE, inboxLength), parent);
        team.maxInline = parent.maxInline;
        team.open(false, 0);
        return team;
    }

    public int rank()
    {
        return bootstrap.rank();
    }

    public int size()
    {
        return connections.byPeer().length;
    }

    public Bootstrap bootstrap()
    {
        return bootstrap;
    }

    public CollectiveContext context()
    {
        return context;
    }

    public String transport()
    {
        return queues != null ? queues.toString() :
            context.devices().isEmpty() ? "nothing" : NetDevice.text(context.devices());
    }

    /** Returns the device that reaches a rank; for this rank the first. */
    public NetDevice device(final int peer)
    {
        return endpointExchange.device(peer);
    }

    /** Returns whether some peers are reached over one device and some over the other. */
    public boolean isMixed()
    {
        return queues.isMixed();
    }

    /** Returns whether each poll for completions makes system calls. */
    public boolean isPolledBySystemCalls()
    {
        return queues.arePolledBySystemCalls();
    }

    /** Returns an asynchronous event that fails the communicator, or null. */
    public AsyncEvent pollEvent()
    {
        return queues.pollEvent();
    }

    /** Returns the ranks: their numbers in the job, and their names. */
    public CommunicatorRanks ranks()
    {
        return ranks;
    }

    /** Returns the placement of ranks on hosts. */
    public HostMap hosts()
    {
        return hosts;
    }

    /** Returns connections by peer; null where no call has needed one so far. */
    public Connection[] connections()
    {
        return connections.byPeer();
    }

    public ConnectionTable connectionTable()
    {
        return connections;
    }

    /** Returns whether calls, but not messages, require that ranks map each other's memory. Equal on all ranks. */
    public boolean isDirect()
    {
        return context.configuration().direct() && (size() == 1 ?
            context.devices().getFirst().port().isShared() : parent == null && endpointExchange.isAllShared());
    }

    /** Returns whether calls require that this rank maps the memory of a peer. */
    public boolean mustMap(final int peer)
    {
        return isDirect() || (isDirectWithinHosts() &&
            endpointExchange.hostId(peer).equals(endpointExchange.hostId(rank())));
    }

    /** Returns whether calls require that ranks of one host map each other's memory. Equal on all ranks. */
    private boolean isDirectWithinHosts()
    {
        return isDirect() || (context.configuration().direct() && size() > 1 && parent == null &&
            endpointExchange.isLoadableWithinHosts());
    }

    /** Returns the selector of the algorithms of this team's calls; null before the team is open. */
    public AlgorithmSelector selector()
    {
        return selector;
    }

    private AlgorithmSelector openSelector()
    {
        final AlgorithmSelector common = context.configuration().selector();
        final AlgorithmSelector own =
            size() == 1 ? common : common.over(endpointExchange.wires(memory.scratchLayout()));
        if (size() > 1 && bootstrap == context.job())
        {
            own.requireWires(hosts);
        }
        return isDirectWithinHosts() ? own : own.withoutPeerAccess();
    }

    public CompletionQueue completionQueue()
    {
        return queues.all();
    }

    /** Returns the queues of a peer's connection; for a negative peer those of the first device in use. */
    public NetDeviceQueues queues(final int peer)
    {
        return queues.isMixed() && peer >= 0 ? queues.of(device(peer)) : queues.first();
    }

    public RegisteredMemoryPool pool()
    {
        return context.pool();
    }

    public TeamMemory memory()
    {
        return memory;
    }

    /** Returns the running operator of the communicator. */
    public RunningOperator operator()
    {
        return operator;
    }

    public PublishedCalls board()
    {
        return board;
    }

    public Wireup wireup()
    {
        return wireup;
    }

    /** Returns the endpoint exchange; null before the team is open. */
    public EndpointExchange endpointExchange()
    {
        return endpointExchange;
    }

    public int maxInline()
    {
        return maxInline;
    }

    /**
     * Aborts the job, unless it has already failed.
     *
     * @param reason one line for messages.
     * @param cause  cause; errors of the abort are added as suppressed.
     */
    public void abort(final String reason, final Throwable cause)
    {
        try
        {
            if (bootstrap.failure() == null && cause instanceof final CollectiveTimeoutException timeout)
            {
                context.job().abort(ranks.jobRank(timeout.peer()), reason);
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
     * Waits until all ranks close, so that none accesses this rank's memory any longer.
     *
     * @param calls     number of calls of this rank.
     * @param timeoutNs maximum time to wait, in nanoseconds.
     * @return number of calls of each rank, or null if not all ranks closed in time, or the job has failed.
     */
    public long[] awaitOthers(final long calls, final long timeoutNs)
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
            // This rank is done: other ranks report their own failures.
            return null;
        }
    }

    /** Returns whether no rank stores into this memory any longer. A team of messages is closed before its parent. */
    private boolean areOthersDone()
    {
        return othersDone || size() == 1 || (parent != null && parent.othersDone);
    }

    /** Publishes that this rank makes no more calls, for ranks without a connection. */
    public void announceEnd()
    {
        try
        {
            board.publishEnd();
        }
        catch (final BootstrapException jobFailed)
        {
            // No rank waits for this one any longer.
        }
    }

    /**
     * Frees all resources; the last team of the context leaves the job.
     *
     * @param cause exception that ended the team, to which errors are added as suppressed; null to throw them.
     */
    public void close(final Throwable cause)
    {
        final String transport = transport();
        final List<Exception> problems = new ArrayList<>();
        connections.giveUp();
        connections.closeDirect();
        resources.close(problems);
        memory.close(areOthersDone(), problems);
        context.leave(problems);
        if (problems.isEmpty())
        {
            return;
        }
        final IllegalStateException failure =
            new IllegalStateException("cannot free the connections and memory of " + transport);
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
                context.open();
            }
            open(timeoutNs);
        }
        catch (final RuntimeException | Error e)
        {
            abort("rank " + rank() + " cannot connect: " + e.getMessage(), e);
            close(e);
            throw e;
        }
    }

    private void open(final long timeoutNs)
    {
        final boolean isAlone = size() == 1;
        memory.open(size());
        final ControlBlock control = memory.control();
        operator = parent == null ? new RunningOperator(control) : parent.operator;
        board = parent == null ? new PublishedCalls(bootstrap, control) : parent.board;
        openQueues();
        endpointExchange = parent != null ? parent.endpointExchange :
            new EndpointExchange(bootstrap, context, ranks.names(), memory.scratchLayout().slots(),
            bootstrap == context.job() ? CommonSettings.of(context.configuration()) : "");
        wireup = new Wireup(this, endpointExchange);
        if (parent != null)
        {
            hosts = parent.hosts;
        }
        else if (!isAlone)
        {
            endpointExchange.exchange(memory.scratch(), memory.controlBuffer(), wireup.openEarly(), timeoutNs);
            hosts = HostMap.of(IntStream.range(0, size()).mapToObj(endpointExchange::hostId).toList());
            if (bootstrap == context.job())
            {
                context.met(endpointExchange.deviceIndexes());
            }
            queues.keep(endpointExchange::hasPeersBy);
            printRoutes();
        }
        selector = parent == null ? openSelector() : parent.selector;
    }

    private void openQueues()
    {
        queues = new TeamQueues(context.devices(), this::mayNeed, size(), resources);
        if (size() > 1 && parent == null)
        {
            for (final NetDeviceQueues opened : queues.used())
            {
                maxInline = Math.min(maxInline, opened.findMaxInline(MAX_INLINE));
            }
        }
    }

    /** Returns whether a device may reach peers: true for any device until the devices of the job's ranks are known. */
    private boolean mayNeed(final int deviceIndex)
    {
        return parent != null ? parent.endpointExchange.hasPeersBy(deviceIndex) :
            size() == 1 ? deviceIndex == 0 :
            IntStream.range(0, size()).anyMatch(
                peer -> peer != rank() && context.mayReach(ranks.jobRank(peer), deviceIndex));
    }

    private void printRoutes()
    {
        if (context.configuration().verbose() && bootstrap == context.job() && rank() == 0 && hosts.number() > 1)
        {
            System.err.println("tutti: " + RouteSummary.text(0, size(), peer -> device(peer).toString()));
        }
    }
}
