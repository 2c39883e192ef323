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
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.SharedReceiveQueue;

/** A protection domain: a number that regions and queue pairs must have in common. */
final class ShmProtectionDomain implements ProtectionDomain
{
    private static final String CREATE_QP = "ibv_create_qp";

    private final ShmContext context;
    private final int number;
    private int children;
    private boolean isClosed;

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
        checkRegistration(address, length, access);
        final ShmDeviceMemory memory = context.fabric().memoryAt(address, length);
        if (memory == null && (access & AccessFlags.REMOTE_ATOMIC) != 0)
        {
            throw new RdmaException(Errno.EOPNOTSUPP, "ibv_reg_mr", "REMOTE_ATOMIC needs memory that peers map, and " +
                length + " bytes at 0x" + Long.toHexString(address) + " are not; use Context.allocateMemory");
        }
        if (memory == null && !Native.isMapped(address, length))
        {
            throw new RdmaException(Errno.EFAULT, "ibv_reg_mr", length + " bytes at 0x" + Long.toHexString(address) +
                " are not all mapped in this process; register native memory, as long as it is open");
        }
        retain("ibv_reg_mr");
        try
        {
            return new ShmMemoryRegion(this, address, length, access, memory);
        }
        catch (final RuntimeException e)
        {
            release();
            throw e;
        }
    }

    private static void checkRegistration(final long address, final long length, final int access)
    {
        if (length <= 0 || address == 0)
        {
            throw new RdmaException(Errno.EINVAL, "ibv_reg_mr", length + " bytes at 0x" + Long.toHexString(address) +
                ": both must be more than 0");
        }
        if ((access & ~AccessFlags.ALL) != 0)
        {
            throw new RdmaException(Errno.EINVAL, "ibv_reg_mr", "access 0x" + Integer.toHexString(access) +
                " has bits that are not AccessFlags");
        }
        final boolean isWritten = (access & (AccessFlags.REMOTE_WRITE | AccessFlags.REMOTE_ATOMIC)) != 0;
        if (isWritten && (access & AccessFlags.LOCAL_WRITE) == 0)
        {
            throw new RdmaException(Errno.EINVAL, "ibv_reg_mr", "access 0x" + Integer.toHexString(access) +
                " has REMOTE_WRITE or REMOTE_ATOMIC without LOCAL_WRITE; add it");
        }
    }

    @Override
    public QueuePair createQueuePair(final QueuePairInitAttributes attributes)
    {
        if (attributes.type() != QueuePairType.RC || attributes.sharedReceiveQueue() != null)
        {
            throw new RdmaException(Errno.EOPNOTSUPP, CREATE_QP, "shm has reliable connections only, got " +
                attributes.type() + (attributes.sharedReceiveQueue() != null ? " with a shared receive queue" : "") +
                "; use QueuePairType.RC with a receive queue of its own");
        }
        checkQueue(attributes.sendQueue(), "send_cq");
        checkQueue(attributes.receiveQueue(), "recv_cq");
        checkRange("max_send_wr", attributes.maxSendRequests(), 1, ShmContext.MAX_WORK_REQUESTS);
        checkRange("max_recv_wr", attributes.maxReceiveRequests(), 0, ShmContext.MAX_WORK_REQUESTS);
        checkRange("max_send_sge", attributes.maxSendSge(), 0, ShmContext.MAX_SGE);
        checkRange("max_recv_sge", attributes.maxReceiveSge(), 0, ShmContext.MAX_SGE);
        checkRange("max_inline_data", attributes.maxInlineData(), 0, ShmContext.MAX_INLINE_DATA);
        retain(CREATE_QP);
        try
        {
            return context.createQueuePair(this, attributes);
        }
        catch (final RuntimeException e)
        {
            release();
            throw e;
        }
    }

    private void checkQueue(final Object queue, final String name)
    {
        if (!(queue instanceof ShmCompletionQueue shm && context.owns(shm)))
        {
            throw new RdmaException(Errno.EINVAL, CREATE_QP, name + " is not an open completion queue of this context");
        }
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
            "shm has no shared receive queues; post receives to each queue pair");
    }

    @Override
    public AddressHandle createAddressHandle(final AddressHandleAttributes attributes)
    {
        throw new RdmaException(Errno.EOPNOTSUPP, "ibv_create_ah",
            "shm has no datagrams; use reliable connections");
    }

    synchronized void retain(final String verb)
    {
        if (isClosed)
        {
            throw new RdmaException(Errno.EINVAL, verb, "the protection domain is closed");
        }
        children++;
    }

    synchronized void release()
    {
        children--;
    }

    @Override
    public synchronized void close()
    {
        if (isClosed)
        {
            return;
        }
        if (children > 0)
        {
            throw new RdmaException(Errno.EBUSY, "ibv_dealloc_pd",
                children + " memory regions and queue pairs of it are open; close them first");
        }
        isClosed = true;
        context.release();
    }
}
