/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.rdma.CompletionChannel;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Context;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.memory.RegisteredBuffer;
import org.tutti.rdma.memory.RegisteredMemoryPool;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A rank's device, memory, and connections to all other ranks. Made once; its parts are used by the engine's thread
 * only, the pool by any.
 */
final class Mesh
{
    /** What is longer is worth a look at memory. */
    private static final int MAX_INLINE = 256;

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final Bootstrap bootstrap;
    private final long scratchHalf;
    private final Connection[] connections;
    private final String[] names;
    private LocalPort port;
    private EventWatch events;
    private CompletionChannel channel;
    private CompletionQueue queue;
    private RegisteredMemoryPool pool;
    private RegisteredBuffer scratch;
    private RegisteredBuffer controlMemory;
    private ControlBlock control;
    private Diagnosis diagnosis;
    private int maxInline;

    private Mesh(final Bootstrap bootstrap, final long scratchHalf)
    {
        this.bootstrap = add(bootstrap);
        this.scratchHalf = scratchHalf;
        connections = new Connection[bootstrap.size()];
        names = new String[bootstrap.size()];
    }

    /**
     * Opens the device and connects to all ranks; all ranks call it. If it cannot, all ranks are told, everything is
     * freed, and what was the matter first is thrown.
     *
     * @param bootstrap     of this rank; closed with the mesh.
     * @param configuration of the communicator.
     * @return owned by the caller.
     */
    static Mesh connect(final Bootstrap bootstrap, final EngineConfiguration configuration)
    {
        final Mesh mesh = new Mesh(bootstrap, configuration.scratchBytes());
        try
        {
            mesh.port = mesh.add(LocalPort.open(bootstrap, configuration));
            mesh.open(configuration);
            return mesh;
        }
        catch (final RuntimeException | Error e)
        {
            mesh.abort("rank " + bootstrap.rank() + " cannot connect: " + e.getMessage(), e);
            mesh.close(e);
            throw e;
        }
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

    String transport()
    {
        return port == null ? "nothing" : port.toString();
    }

    LocalPort port()
    {
        return port;
    }

    EventWatch events()
    {
        return events;
    }

    /** How people call a rank: "rank 2 (host)". */
    String name(final int rank)
    {
        return names[rank] == null ? "rank " + rank : names[rank];
    }

    Connection[] connections()
    {
        return connections;
    }

    CompletionQueue completionQueue()
    {
        return queue;
    }

    CompletionChannel completionChannel()
    {
        return channel;
    }

    RegisteredMemoryPool pool()
    {
        return pool;
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
            if (bootstrap.failure() == null)
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
     * @return false if not all did in time.
     */
    boolean awaitOthers(final long timeoutNs)
    {
        try
        {
            bootstrap.barrier("close", timeoutNs);
            return true;
        }
        catch (final BootstrapException othersFailed)
        {
            // This rank is done: what happens to others is theirs to report.
            return false;
        }
    }

    /**
     * Leaves the job and frees everything.
     *
     * @param cause what ended it, which gets what goes wrong here as suppressed; or null, then it is thrown.
     */
    void close(final Throwable cause)
    {
        IllegalStateException failure = null;
        while (!parts.isEmpty())
        {
            try
            {
                parts.pop().close();
            }
            catch (final Exception e)
            {
                failure = failure == null ? new IllegalStateException("cannot free " + transport()) : failure;
                failure.addSuppressed(e);
            }
        }
        if (failure != null && cause == null)
        {
            throw failure;
        }
        if (failure != null)
        {
            cause.addSuppressed(failure);
        }
    }

    private void open(final EngineConfiguration configuration)
    {
        final QueueSizes sizes = QueueSizes.of(size(), port.limits(), transport());
        final Context context = port.context();
        events = new EventWatch(context, port.port().number(), configuration.path().givingUpNs());
        final ProtectionDomain domain = add(context.allocateProtectionDomain());
        channel = add(context.createCompletionChannel());
        queue = add(context.createCompletionQueue(sizes.completion(), channel));

        pool = add(new RegisteredMemoryPool(domain));
        scratch = pool.allocate(2 * scratchHalf);
        controlMemory = pool.allocate(ControlBlock.length(size()));
        control = new ControlBlock(controlMemory.buffer());
        control.clear();
        diagnosis = new Diagnosis(this, pool.allocate(Diagnosis.copiesLength(size())));

        maxInline = port.limits().maxInlineData > 0 ? Math.min(MAX_INLINE, port.limits().maxInlineData) : MAX_INLINE;
        if (size() > 1)
        {
            connect(domain, sizes, configuration);
        }
    }

    private void connect(
        final ProtectionDomain domain, final QueueSizes sizes, final EngineConfiguration configuration)
    {
        final QueuePair[] qps = new QueuePair[size()];
        for (int peer = 0; peer < size(); peer++)
        {
            if (peer != rank())
            {
                qps[peer] = add(createQueuePair(domain, sizes));
                maxInline = Math.min(maxInline, qps[peer].capabilities().maxInlineData());
            }
        }
        for (int peer = 0; peer < size(); peer++)
        {
            if (qps[peer] != null)
            {
                connections[peer] = new Connection(
                    peer, qps[peer], sizes, maxInline, pool.allocate(ControlBlock.EXPOSURE_SIZE));
            }
        }
        new Connector(bootstrap, port, configuration.path(), connections, names)
            .connect(scratch, controlMemory, configuration.connectTimeoutNs());
    }

    /** No verb tells how much a queue pair can carry inline: what is refused is asked for again, by half. */
    private QueuePair createQueuePair(final ProtectionDomain domain, final QueueSizes sizes)
    {
        RdmaException first = null;
        while (true)
        {
            try
            {
                return domain.createQueuePair(
                    QueuePairInitAttributes.reliable(queue, sizes.send(), sizes.receive(), 1, maxInline));
            }
            catch (final RdmaException e)
            {
                first = first == null ? e : first;
                if (maxInline == 0)
                {
                    throw first;
                }
                maxInline /= 2;
            }
        }
    }

    private <T extends AutoCloseable> T add(final T part)
    {
        parts.push(part);
        return part;
    }
}
