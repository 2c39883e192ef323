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

/** A protection domain: a number that regions and queue pairs must have in common. */
final class ShmProtectionDomain implements ProtectionDomain
{
    private static final String CREATE_QP = "ibv_create_qp";
    private static final String CREATE_AH = "ibv_create_ah";

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
        if (memory == null && !ProcessCalls.isMapped(address, length))
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
        checkQueue(attributes.sendQueue(), "send_cq");
        checkQueue(attributes.receiveQueue(), "recv_cq");
        checkSharedQueue(attributes.sharedReceiveQueue());
        checkRange(CREATE_QP, "max_send_wr", attributes.maxSendRequests(), 1, ShmContext.MAX_WORK_REQUESTS);
        checkRange(CREATE_QP, "max_recv_wr", attributes.maxReceiveRequests(), 0, ShmContext.MAX_WORK_REQUESTS);
        checkRange(CREATE_QP, "max_send_sge", attributes.maxSendSge(), 0, ShmContext.MAX_SGE);
        checkRange(CREATE_QP, "max_recv_sge", attributes.maxReceiveSge(), 0, ShmContext.MAX_SGE);
        checkRange(CREATE_QP, "max_inline_data", attributes.maxInlineData(), 0, ShmContext.MAX_INLINE_DATA);
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
        checkRange(verb, "max_wr", maxWorkRequests, 1, ShmContext.MAX_WORK_REQUESTS);
        checkRange(verb, "max_sge", maxSge, 0, ShmContext.MAX_SGE);
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
            return new ShmAddressHandle(this, attributes, destination);
        }
        catch (final RuntimeException e)
        {
            release();
            throw e;
        }
    }

    /** Where a path leads: to a context, there or not, or to a group. */
    private int checkPath(final AddressHandleAttributes path)
    {
        checkRange(CREATE_AH, "port_num", path.portNum(), 1, 1);
        checkRange(CREATE_AH, "sl", path.serviceLevel(), 0, 15);
        if (path.global())
        {
            checkRange(CREATE_AH, "grh.sgid_index", path.sgidIndex(), 0, 0);
            checkRange(CREATE_AH, "grh.flow_label", path.flowLabel(), 0, 0xF_FFFF);
            checkRange(CREATE_AH, "grh.hop_limit", path.hopLimit(), 0, 0xFF);
            checkRange(CREATE_AH, "grh.traffic_class", path.trafficClass(), 0, 0xFF);
            if (path.dgid() == null)
            {
                throw new RdmaException(Errno.EINVAL, CREATE_AH, "the path is global and has no dgid");
            }
            if (path.dgid().isMulticast())
            {
                return ShmAddressHandle.GROUP;
            }
        }
        final int index = context.indexOf(path, CREATE_AH);
        if (index < 0 || index >= ControlLayout.MAX_CONTEXTS)
        {
            throw new RdmaException(Errno.EINVAL, CREATE_AH, Peers.name(path) + " is no port of this directory");
        }
        return index;
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
            throw new RdmaException(Errno.EBUSY, "ibv_dealloc_pd", children +
                " memory regions, queue pairs, address handles and shared queues of it are open; close them first");
        }
        isClosed = true;
        context.release();
    }
}
