/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.EndpointRecord;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.CompletionChannel;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Context;
import org.tutti.rdma.Device;
import org.tutti.rdma.DeviceAttributes;
import org.tutti.rdma.Errno;
import org.tutti.rdma.Gid;
import org.tutti.rdma.PortAttributes;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairAttributeMask;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.memory.RegisteredBuffer;
import org.tutti.rdma.memory.RegisteredMemoryPool;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * A rank's device, memory, and connections to all other ranks. Made once; its parts are used by the engine's thread
 * only, the pool by any.
 */
final class Mesh
{
    private static final int PORT = 1;
    private static final int GID_INDEX = 0;
    /** 4.096 µs × 2^14 = 67 ms, eight times: half a second until a peer counts as gone. */
    private static final int ACK_TIMEOUT = 14;
    private static final int RETRY_COUNT = 7;
    /** For ever: credits make it never happen, deadlines end it if it does. */
    private static final int RNR_RETRY = 7;
    /** 0.64 ms. */
    private static final int MIN_RNR_TIMER = 12;
    private static final int MAX_INLINE = 256;
    private static final int FIRST_PSN = 0;

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final Bootstrap bootstrap;
    private final long scratchHalf;
    private final Connection[] connections;
    private final String[] names;
    private String transport;
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
            final Device device = Devices.find(bootstrap, configuration);
            mesh.transport = configuration.transport() + "/" + device.name();
            mesh.open(device, configuration.connectTimeoutNs());
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
        return transport;
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
                failure = failure == null ? new IllegalStateException("cannot free " + transport) : failure;
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

    private void open(final Device device, final long timeoutNs)
    {
        final Context context = add(device.open());
        final DeviceAttributes limits = context.queryDevice();
        final ProtectionDomain domain = add(context.allocateProtectionDomain());
        final int queueLength = Math.max(1, (size() - 1) * (Connection.RECEIVE_DEPTH + Connection.SEND_DEPTH));
        if (queueLength > limits.maxCqe)
        {
            throw new RdmaException(Errno.EINVAL, "ibv_create_cq", size() + " ranks need a completion queue of " +
                queueLength + ", " + transport + " allows " + limits.maxCqe + ": start fewer ranks");
        }
        channel = add(context.createCompletionChannel());
        queue = add(context.createCompletionQueue(queueLength, channel));
        maxInline = Math.min(MAX_INLINE, limits.maxInlineData);

        pool = add(new RegisteredMemoryPool(domain));
        scratch = pool.allocate(2 * scratchHalf);
        controlMemory = pool.allocate(ControlBlock.length(size()));
        control = new ControlBlock(controlMemory.buffer());
        control.clear();
        diagnosis = new Diagnosis(this, pool.allocate(Diagnosis.copiesLength(size())));

        if (size() == 1)
        {
            return;
        }
        final int[] qpNums = new int[size()];
        for (int peer = 0; peer < size(); peer++)
        {
            if (peer != rank())
            {
                final QueuePair qp = domain.createQueuePair(QueuePairInitAttributes.reliable(
                    queue, Connection.SEND_DEPTH, Connection.RECEIVE_DEPTH, 1, maxInline));
                connections[peer] = add(new Connection(peer, qp, maxInline));
                qpNums[peer] = qp.qpNum();
            }
        }
        connect(context, qpNums, timeoutNs);
    }

    private void connect(final Context context, final int[] qpNums, final long timeoutNs)
    {
        final PortAttributes port = context.queryPort(PORT);
        final EndpointRecord own = new EndpointRecord(
            context.device().name(), HostName.get(), PORT, port.activeMtu, port.lid,
            context.queryGid(PORT, GID_INDEX).bytes(), qpNums, FIRST_PSN,
            List.of(
                new EndpointRecord.Region(scratch.address(), scratch.length(), scratch.rkey()),
                new EndpointRecord.Region(controlMemory.address(), controlMemory.length(), controlMemory.rkey())));
        final List<byte[]> records = bootstrap.allgather("endpoints", own.encode(), timeoutNs);
        for (int peer = 0; peer < size(); peer++)
        {
            final EndpointRecord record = EndpointRecord.decode(records.get(peer));
            names[peer] = "rank " + peer + " (" + record.host() + ")";
            if (peer != rank())
            {
                connect(connections[peer], record, port);
            }
        }
        bootstrap.barrier("connected", timeoutNs);
    }

    private void connect(final Connection connection, final EndpointRecord peer, final PortAttributes port)
    {
        final QueuePair qp = connection.queuePair();
        final QueuePairAttributes attributes = new QueuePairAttributes();
        attributes.state = QueuePairState.INIT;
        attributes.portNum = PORT;
        attributes.accessFlags = AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_READ;
        qp.modify(attributes, QueuePairAttributeMask.RC_INIT);
        connection.postReceives();

        attributes.state = QueuePairState.RTR;
        attributes.path =
            new AddressHandleAttributes(true, Gid.of(peer.gid()), GID_INDEX, 64, peer.lid(), 0, PORT);
        attributes.pathMtu = Math.min(peer.mtu(), port.activeMtu);
        attributes.destQpNum = peer.qpNums()[rank()];
        attributes.rqPsn = peer.psn();
        attributes.maxDestRdAtomic = 1;
        attributes.minRnrTimer = MIN_RNR_TIMER;
        qp.modify(attributes, QueuePairAttributeMask.RC_RTR);

        attributes.state = QueuePairState.RTS;
        attributes.timeout = ACK_TIMEOUT;
        attributes.retryCount = RETRY_COUNT;
        attributes.rnrRetry = RNR_RETRY;
        attributes.sqPsn = FIRST_PSN;
        attributes.maxRdAtomic = 1;
        qp.modify(attributes, QueuePairAttributeMask.RC_RTS);

        final EndpointRecord.Region peerScratch = peer.regions().get(0);
        final EndpointRecord.Region peerControl = peer.regions().get(1);
        if (peerScratch.length() != scratch.length())
        {
            throw new BootstrapException("TUTTI_SCRATCH differs: " + scratch.length() / 2 + " bytes here, " +
                peerScratch.length() / 2 + " on " + peer.host() + ": set it alike on all ranks");
        }
        connection.remote(peerScratch.address(), peerScratch.rkey(), peerControl.address(), peerControl.rkey());
    }

    private <T extends AutoCloseable> T add(final T part)
    {
        parts.push(part);
        return part;
    }
}
