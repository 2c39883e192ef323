/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft;

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
import org.tutti.rdma.soft.segment.QueueLimits;
import org.tutti.rdma.soft.segment.RegionMemory;
import org.tutti.rdma.spi.Children;
import org.tutti.rdma.spi.Parents;
import org.tutti.rdma.spi.RegistrationRules;

/** A protection domain: a number that regions and queue pairs must share. */
public final class SoftProtectionDomain implements ProtectionDomain
{
    private static final String CREATE_QP = "ibv_create_qp";

    /** The unsupported flags. All others that are not access rights are hints, without effect on a software adapter. */
    private static final int LACKING = AccessFlags.ZERO_BASED | AccessFlags.ON_DEMAND;

    private final SoftContext context;
    private final int number;
    private final Children children = new Children(
        "protection domain", "memory regions, queue pairs, address handles and shared queues");

    SoftProtectionDomain(final SoftContext context, final int number)
    {
        this.context = context;
        this.number = number;
    }

    /**
     * The number of the domain, among those of the context.
     *
     * @return the number.
     */
    public int number()
    {
        return number;
    }

    @Override
    public SoftContext context()
    {
        return context;
    }

    @Override
    public MemoryRegion registerMemory(final long address, final long length, final int access)
    {
        RegistrationRules.check(address, length, access, LACKING, context.provider());
        final RegionMemory memory = context.memoryOf(address, length, access);
        retain("ibv_reg_mr");
        try
        {
            return new SoftMemoryRegion(this, address, length, access & AccessFlags.ALL, memory);
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
        context.checkType(attributes.type());
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
        final Children send = ((SoftCompletionQueue)attributes.sendQueue()).children();
        final Children receive = ((SoftCompletionQueue)attributes.receiveQueue()).children();
        return attributes.sharedReceiveQueue() == null ? new Children[]{children, send, receive} : new Children[]{
            children, send, receive, ((SoftSharedReceiveQueue)attributes.sharedReceiveQueue()).children()};
    }

    private void checkQueue(final Object queue, final String name)
    {
        if (!(queue instanceof SoftCompletionQueue shm && context.owns(shm)))
        {
            throw new RdmaException(Errno.EINVAL, CREATE_QP, name + " is not an open completion queue of this context");
        }
    }

    private void checkSharedQueue(final SharedReceiveQueue queue)
    {
        if (queue != null && !(queue instanceof SoftSharedReceiveQueue shm && context.owns(shm)))
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
        return context.createAddressHandle(this, attributes);
    }

    /**
     * Counts a new child.
     *
     * @param verb verb that creates the child.
     * @throws RdmaException with EINVAL if the domain is closed.
     */
    public void retain(final String verb)
    {
        children.retain(verb);
    }

    /** Counts a closed child. */
    public void release()
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
