/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AddressHandle;
import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.Errno;
import org.tutti.rdma.MemoryRegion;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.SharedReceiveQueue;
import org.tutti.rdma.os.MemoryCalls;
import org.tutti.rdma.shm.peer.Peers;
import org.tutti.rdma.shm.peer.SharedMemory;
import org.tutti.rdma.shm.segment.ControlLayout;
import org.tutti.rdma.shm.segment.QueueLimits;
import org.tutti.rdma.shm.transport.DatagramRoute;
import org.tutti.rdma.spi.Children;
import org.tutti.rdma.spi.Parents;
import org.tutti.rdma.spi.PathRules;
import org.tutti.rdma.spi.RegistrationRules;

/** A protection domain: a number that regions and queue pairs must share. */
final class ShmProtectionDomain implements ProtectionDomain
{
    private static final String CREATE_QP = "ibv_create_qp";
    private static final String CREATE_AH = "ibv_create_ah";

    /** The unsupported flags. All other flags that are not access rights are hints, without effect on shared memory. */
    private static final int LACKING = AccessFlags.ZERO_BASED | AccessFlags.ON_DEMAND;

    private final ShmContext context;
    private final int number;
    private final Children children = new Children(
        "protection domain", "memory regions, queue pairs, address handles and shared queues");

    ShmProtectionDomain(final ShmContext context, final int number)
    {
        this.context = context;
        this.number = number;
    }

    int number()
    {
        return number;
    }

    @Override
    public ShmContext context()
    {
        return context;
    }

    @Override
    public MemoryRegion registerMemory(final long address, final long length, final int access)
    {
        RegistrationRules.check(address, length, access, LACKING, "shm");
        final SharedMemory memory = context.fabric().memoryAt(address, length);
        if (memory == null && (access & AccessFlags.REMOTE_ATOMIC) != 0)
        {
            throw new RdmaException(Errno.EOPNOTSUPP, "ibv_reg_mr", "REMOTE_ATOMIC requires memory that peers can " +
                "map, unlike the " + length + " bytes at 0x" + Long.toHexString(address) + "; use " +
                "Context.allocateMemory");
        }
        if (memory == null && !MemoryCalls.isMapped(address, length))
        {
            throw new RdmaException(Errno.EFAULT, "ibv_reg_mr", length + " bytes at 0x" + Long.toHexString(address) +
                " are not all mapped in this process; register native memory while its arena is open");
        }
        retain("ibv_reg_mr");
        try
        {
            return new ShmMemoryRegion(this, address, length, access & AccessFlags.ALL, memory);
        }
        catch (final RuntimeException e)
        {
            release();
            throw e;
        }
    }

    @Override
    public QueuePair createQueuePair(final QueuePairInitAttributes attributes)
    {
        checkQueue(attributes.sendQueue(), "send_cq");
        checkQueue(attributes.receiveQueue(), "recv_cq");
        checkSharedQueue(attributes.sharedReceiveQueue());
        checkRange(CREATE_QP, "max_send_wr", attributes.maxSendRequests(), 1, QueueLimits.MAX_WORK_REQUESTS);
        checkRange(CREATE_QP, "max_recv_wr", attributes.maxReceiveRequests(), 0, QueueLimits.MAX_WORK_REQUESTS);
        checkRange(CREATE_QP, "max_send_sge", attributes.maxSendSge(), 0, QueueLimits.MAX_SGE);
        checkRange(CREATE_QP, "max_recv_sge", attributes.maxReceiveSge(), 0, QueueLimits.MAX_SGE);
        checkRange(CREATE_QP, "max_inline_data", attributes.maxInlineData(), 0, QueueLimits.MAX_INLINE_DATA);
        final Parents parents = Parents.retain(CREATE_QP, parents(attributes));
        try
        {
            return context.createQueuePair(this, attributes, parents);
        }
        catch (final RuntimeException e)
        {
            parents.release();
            throw e;
        }
    }

    private Children[] parents(final QueuePairInitAttributes attributes)
    {
        final Children send = ((ShmCompletionQueue)attributes.sendQueue()).children();
        final Children receive = ((ShmCompletionQueue)attributes.receiveQueue()).children();
        return attributes.sharedReceiveQueue() == null ? new Children[]{children, send, receive} : new Children[]{
            children, send, receive, ((ShmSharedReceiveQueue)attributes.sharedReceiveQueue()).children()};
    }

    private void checkQueue(final Object queue, final String name)
    {
        if (!(queue instanceof ShmCompletionQueue shm && context.owns(shm)))
        {
            throw new RdmaException(Errno.EINVAL, CREATE_QP, name + " is not an open completion queue of this context");
        }
    }

    private void checkSharedQueue(final SharedReceiveQueue queue)
    {
        if (queue != null && !(queue instanceof ShmSharedReceiveQueue shm && context.owns(shm)))
        {
            throw new RdmaException(
                Errno.EINVAL, CREATE_QP, "srq is not an open shared receive queue of this context");
        }
    }

    static void checkRange(final String verb, final String name, final int value, final int min, final int max)
    {
        if (value < min || value > max)
        {
            throw new RdmaException(Errno.EINVAL, verb, name + " " + value + " is not from " + min + " to " + max);
        }
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(final int maxWorkRequests, final int maxSge)
    {
        final String verb = "ibv_create_srq";
        checkRange(verb, "max_wr", maxWorkRequests, 1, QueueLimits.MAX_WORK_REQUESTS);
        checkRange(verb, "max_sge", maxSge, 0, QueueLimits.MAX_SGE);
        retain(verb);
        try
        {
            return context.createSharedReceiveQueue(this, maxWorkRequests, maxSge);
        }
        catch (final RuntimeException e)
        {
            release();
            throw e;
        }
    }

    @Override
    public AddressHandle createAddressHandle(final AddressHandleAttributes attributes)
    {
        final int destination = checkPath(attributes);
        retain(CREATE_AH);
        try
        {
            return new ShmAddressHandle(
                this, context.addressHandles().add(number, attributes, destination, context.lid()));
        }
        catch (final RuntimeException e)
        {
            release();
            throw e;
        }
    }

    /** The destination of a path: the index of a context, which need not exist, or {@link DatagramRoute#GROUP}. */
    private int checkPath(final AddressHandleAttributes path)
    {
        PathRules.check(CREATE_AH, "ah_attr", path, 1, (port) -> 1);
        if (path.global() && path.dgid().isMulticast())
        {
            return DatagramRoute.GROUP;
        }
        final int index = context.peers().indexOf(path, CREATE_AH);
        if (index < 0 || index >= ControlLayout.MAX_CONTEXTS)
        {
            throw new RdmaException(Errno.EINVAL, CREATE_AH, Peers.name(path) +
                " is not a port in this context's directory");
        }
        return index;
    }

    void retain(final String verb)
    {
        children.retain(verb);
    }

    void release()
    {
        children.release();
    }

    @Override
    public void close()
    {
        if (children.close("ibv_dealloc_pd"))
        {
            context.release();
        }
    }
}
