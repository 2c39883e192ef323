/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni.impl;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.SVCRegMr;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AddressHandle;
import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Context;
import org.tutti.rdma.DeviceAttributes;
import org.tutti.rdma.Errno;
import org.tutti.rdma.MemoryRegion;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.SharedReceiveQueue;
import org.tutti.rdma.spi.Children;
import org.tutti.rdma.spi.Parents;
import org.tutti.rdma.spi.RegistrationRules;

import java.io.IOException;

/** A protection domain. Thread-safe. */
final class DisniProtectionDomain implements ProtectionDomain
{
    private static final String REG_MR = "ibv_reg_mr";
    private static final String CREATE_QP = "ibv_create_qp";

    private final DisniContext context;
    private final IbvPd domain;
    private final Children children = new Children("protection domain", "memory regions and queue pairs");

    DisniProtectionDomain(final DisniContext context, final IbvPd domain)
    {
        this.context = context;
        this.domain = domain;
    }

    IbvPd domain()
    {
        return domain;
    }

    DisniContext disniContext()
    {
        return context;
    }

    @Override
    public Context context()
    {
        return context;
    }

    @Override
    public MemoryRegion registerMemory(final long address, final long length, final int access)
    {
        final String what = length + " bytes at 0x" + Long.toHexString(address);
        RegistrationRules.check(address, length, access,
            context.limits().onDemandPaging ? 0 : AccessFlags.ON_DEMAND, context.device().name());
        if (length > DisniContext.MAX_REGION)
        {
            throw new RdmaException(Errno.EINVAL, REG_MR, what + " exceed DiSNI's maximum of " +
                DisniContext.MAX_REGION + " bytes per region: register several");
        }
        children.retain(REG_MR);
        try
        {
            final SVCRegMr call = RdmaVerbs.open().regMr(domain, address, (int)length, access).execute();
            final IbvMr made = call.getMr();
            call.free();
            final DisniMemoryRegion region = new DisniMemoryRegion(this, made, address, length, access);
            context.add(region);
            return region;
        }
        catch (final IOException e)
        {
            children.release();
            throw DisniErrors.of(REG_MR, what + " with access 0x" + Integer.toHexString(access), e);
        }
    }

    void remove(final DisniMemoryRegion region)
    {
        context.remove(region);
        children.release();
    }

    @Override
    public QueuePair createQueuePair(final QueuePairInitAttributes attributes)
    {
        if (attributes.type() != QueuePairType.RC || attributes.sharedReceiveQueue() != null)
        {
            throw new RdmaException(Errno.EOPNOTSUPP, CREATE_QP, "disni supports reliable connections only, got " +
                attributes.type() + (attributes.sharedReceiveQueue() != null ? " with a shared receive queue" : "") +
                "; use QueuePairType.RC with a receive queue of its own, or the transport verbs");
        }
        final DisniCompletionQueue sendQueue = own(attributes.sendQueue(), "send_cq");
        final DisniCompletionQueue receiveQueue = own(attributes.receiveQueue(), "recv_cq");
        final DeviceAttributes limits = context.limits();
        checkRange("max_send_wr", attributes.maxSendRequests(), 1, limits.maxWorkRequests);
        checkRange("max_recv_wr", attributes.maxReceiveRequests(), 0, limits.maxWorkRequests);
        checkRange("max_send_sge", attributes.maxSendSge(), 0, limits.maxSge);
        checkRange("max_recv_sge", attributes.maxReceiveSge(), 0, limits.maxSge);
        checkRange("max_inline_data", attributes.maxInlineData(), 0, limits.maxInlineData);
        final Parents parents = Parents.retain(CREATE_QP, children, sendQueue.children(), receiveQueue.children());
        try
        {
            return new DisniQueuePair(this, attributes, parents);
        }
        catch (final IOException e)
        {
            parents.release();
            throw DisniErrors.of(CREATE_QP, attributes.maxSendRequests() + " sends and " +
                attributes.maxReceiveRequests() + " receives with " + attributes.maxInlineData() + " bytes inline", e);
        }
        catch (final RuntimeException e)
        {
            parents.release();
            throw e;
        }
    }

    private DisniCompletionQueue own(final CompletionQueue queue, final String name)
    {
        if (queue instanceof DisniCompletionQueue own && own.context() == context)
        {
            return own;
        }
        throw new RdmaException(Errno.EINVAL, CREATE_QP, name + " is not a completion queue of this context");
    }

    private static void checkRange(final String name, final int value, final int min, final int max)
    {
        if (value < min || value > max)
        {
            throw new RdmaException(Errno.EINVAL, CREATE_QP, name + " " + value + " is not from " + min + " to " + max);
        }
    }

    @Override
    public SharedReceiveQueue createSharedReceiveQueue(final int maxWorkRequests, final int maxSge)
    {
        throw new RdmaException(Errno.EOPNOTSUPP, "ibv_create_srq",
            "DiSNI does not support shared receive queues; post receives to each queue pair, or use the transport " +
            "verbs");
    }

    @Override
    public AddressHandle createAddressHandle(final AddressHandleAttributes attributes)
    {
        throw new RdmaException(Errno.EOPNOTSUPP, "ibv_create_ah",
            "DiSNI does not support datagrams; use reliable connections, or the transport verbs");
    }

    @Override
    public void close()
    {
        if (!children.close("ibv_dealloc_pd"))
        {
            return;
        }
        try
        {
            RdmaVerbs.open().deallocPd(domain);
        }
        catch (final IOException e)
        {
            throw DisniErrors.of("ibv_dealloc_pd", "the protection domain", e);
        }
        finally
        {
            context.children().release();
        }
    }
}
