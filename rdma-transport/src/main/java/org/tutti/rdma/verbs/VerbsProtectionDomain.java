/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.tutti.rdma.AddressHandle;
import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.DeviceAttributes;
import org.tutti.rdma.MemoryRegion;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.SharedReceiveQueue;
import org.tutti.rdma.spi.Children;
import org.tutti.rdma.spi.Parents;

/** A protection domain: {@code struct ibv_pd}. */
final class VerbsProtectionDomain implements ProtectionDomain
{
    private static final String CREATE_QP = "ibv_create_qp";
    private static final String CREATE_SRQ = "ibv_create_srq";

    private final VerbsContext context;
    private final long handle;
    private final Parents parents;
    private final Children children =
        new Children("protection domain", "memory regions, queue pairs, shared receive queues and address handles");

    VerbsProtectionDomain(final VerbsContext context)
    {
        this.context = context;
        parents = Parents.retain("ibv_alloc_pd", context.children());
        handle = Libibverbs.ALLOC_PD.call(context.handle());
        if (handle == 0)
        {
            parents.release();
        }
        VerbsErrors.checkPointer(handle, "ibv_alloc_pd", "cannot create a protection domain, of which " +
            context.device() + " has " + context.limits().maxProtectionDomains);
    }

    long handle()
    {
        return handle;
    }

    Children children()
    {
        return children;
    }

    @Override
    public VerbsContext context()
    {
        return context;
    }

    @Override
    public MemoryRegion registerMemory(final long address, final long length, final int access)
    {
        return VerbsMemoryRegion.register(this, address, length, access);
    }

    @Override
    public QueuePair createQueuePair(final QueuePairInitAttributes attributes)
    {
        final VerbsCompletionQueue sendQueue = queue(attributes.sendQueue(), "send_cq");
        final VerbsCompletionQueue receiveQueue = queue(attributes.receiveQueue(), "recv_cq");
        final VerbsSharedReceiveQueue sharedQueue = sharedQueue(attributes.sharedReceiveQueue());
        final DeviceAttributes limits = context.limits();
        VerbsErrors.checkRange(CREATE_QP, "max_send_wr", attributes.maxSendRequests(), 0, limits.maxWorkRequests);
        VerbsErrors.checkRange(CREATE_QP, "max_recv_wr", attributes.maxReceiveRequests(), 0, limits.maxWorkRequests);
        VerbsErrors.checkRange(CREATE_QP, "max_send_sge", attributes.maxSendSge(), 0, limits.maxSge);
        VerbsErrors.checkRange(CREATE_QP, "max_recv_sge", attributes.maxReceiveSge(), 0, limits.maxSge);
        VerbsErrors.checkRange(CREATE_QP, "max_inline_data", attributes.maxInlineData(), 0, Integer.MAX_VALUE);
        final Parents owners = sharedQueue == null ?
            Parents.retain(CREATE_QP, children, sendQueue.children(), receiveQueue.children()) :
            Parents.retain(CREATE_QP, children, sendQueue.children(), receiveQueue.children(), sharedQueue.children());
        return VerbsQueuePair.create(this, attributes, owners);
    }

    private VerbsSharedReceiveQueue sharedQueue(final SharedReceiveQueue queue)
    {
        if (queue == null || (queue instanceof VerbsSharedReceiveQueue verbs && verbs.context() == context))
        {
            return (VerbsSharedReceiveQueue)queue;
        }
        throw VerbsErrors.invalid(CREATE_QP, "srq is not a shared receive queue of this context");
    }

    private VerbsCompletionQueue queue(final Object queue, final String name)
    {
        if (queue instanceof final VerbsCompletionQueue verbs && verbs.context() == context)
        {
            return verbs;
        }
        throw VerbsErrors.invalid(CREATE_QP, name + " is not a completion queue of this context");
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(final int maxWorkRequests, final int maxSge)
    {
        final DeviceAttributes limits = context.limits();
        VerbsErrors.checkRange(CREATE_SRQ, "max_wr", maxWorkRequests, 1, limits.maxSharedWorkRequests);
        VerbsErrors.checkRange(CREATE_SRQ, "max_sge", maxSge, 1, limits.maxSharedSge);
        return VerbsSharedReceiveQueue.create(this, maxWorkRequests, maxSge);
    }

    @Override
    public AddressHandle createAddressHandle(final AddressHandleAttributes attributes)
    {
        return VerbsAddressHandle.create(this, attributes);
    }

    @Override
    public void close()
    {
        if (children.close("ibv_dealloc_pd"))
        {
            final long result = Libibverbs.DEALLOC_PD.call(handle);
            parents.release();
            VerbsErrors.check(result, "ibv_dealloc_pd", "cannot free the protection domain");
        }
    }
}
