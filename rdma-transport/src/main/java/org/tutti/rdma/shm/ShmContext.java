/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AddressHandle;
import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.DeviceAttributes;
import org.tutti.rdma.Errno;
import org.tutti.rdma.Gid;
import org.tutti.rdma.LinkLayer;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.os.MemoryCalls;
import org.tutti.rdma.os.ProcessCalls;
import org.tutti.rdma.os.ThisProcess;
import org.tutti.rdma.shm.peer.Fabric;
import org.tutti.rdma.shm.peer.MulticastGroups;
import org.tutti.rdma.shm.peer.Peers;
import org.tutti.rdma.shm.peer.SharedMemory;
import org.tutti.rdma.shm.transport.AddressHandles;
import org.tutti.rdma.shm.transport.DatagramRoute;
import org.tutti.rdma.shm.transport.GuardedQueuePair;
import org.tutti.rdma.shm.transport.PeerSendQueue;
import org.tutti.rdma.shm.transport.PeerTransport;
import org.tutti.rdma.shm.transport.RetryQueues;
import org.tutti.rdma.soft.PortInfo;
import org.tutti.rdma.soft.SoftContext;
import org.tutti.rdma.soft.SoftProtectionDomain;
import org.tutti.rdma.soft.queue.LocalQueuePair;
import org.tutti.rdma.soft.queue.ReceiveSource;
import org.tutti.rdma.soft.queue.SendQueue;
import org.tutti.rdma.soft.queue.Transport;
import org.tutti.rdma.soft.segment.ControlLayout;
import org.tutti.rdma.soft.segment.RegionMemory;
import org.tutti.rdma.spi.PathRules;


/** An open context, whose control segment peers map. */
final class ShmContext extends SoftContext
{
    private static final String CREATE_AH = "ibv_create_ah";
    private static final long GID_PREFIX = 0xfe80_0000_0000_0000L;

    private final Fabric fabric;
    private final PortInfo facts;
    private final Peers peers;
    private final AddressHandles addressHandles = new AddressHandles();
    private final RetryQueues backlogs;
    private ShmProgressThread progressThread;

    ShmContext(final ShmDevice device, final Fabric fabric)
    {
        super(device, fabric.claim(INITIAL_LENGTH));
        this.fabric = fabric;
        final long control = control();
        final Gid gid = new Gid(GID_PREFIX | fabric.id(), device.guid() | index());
        facts = new PortInfo(
            device.guid(), gid, lid(), LinkLayer.SHARED_MEMORY, "shm " + ControlLayout.VERSION);
        UnsafeApi.putInt(control + ControlLayout.VERSION_OFFSET, ControlLayout.VERSION);
        UnsafeApi.putLong(control + ControlLayout.PID_OFFSET, ProcessHandle.current().pid());
        UnsafeApi.putLong(control + ControlLayout.PID_NAMESPACE_OFFSET, ThisProcess.PID_NAMESPACE);
        UnsafeApi.putLong(control + ControlLayout.PROCESS_OFFSET, ThisProcess.ID);
        peers = new Peers(fabric, control, gid);
        backlogs = new RetryQueues(control);
        UnsafeApi.putLongVolatile(null, control + ControlLayout.MAGIC_OFFSET, ControlLayout.MAGIC);
    }

    Fabric fabric()
    {
        return fabric;
    }

    Peers peers()
    {
        return peers;
    }

    RetryQueues backlogs()
    {
        return backlogs;
    }

    AddressHandles addressHandles()
    {
        return addressHandles;
    }

    @Override
    public String provider()
    {
        return "shm";
    }

    @Override
    protected void checkType(final QueuePairType type)
    {
        // All types are supported.
    }

    @Override
    protected LocalQueuePair newQueuePair(final int index, final int domain)
    {
        return new GuardedQueuePair(peers, addressHandles, index, domain);
    }

    @Override
    protected Transport newTransport(
        final QueuePairType type, final LocalQueuePair queuePair, final ReceiveSource receives)
    {
        return PeerTransport.of(type, (GuardedQueuePair)queuePair);
    }

    @Override
    protected SendQueue newSendQueue(final LocalQueuePair queuePair, final Transport transport,
        final QueuePairInitAttributes attributes, final long ring)
    {
        return new PeerSendQueue(queuePair, (PeerTransport)transport, attributes, ring, backlogs);
    }

    @Override
    protected RegionMemory memoryOf(final long address, final long length, final int access)
    {
        final SharedMemory memory = fabric.memoryAt(address, length);
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
        if (memory == null)
        {
            ProcessCalls.allowPeers();
        }
        return memory;
    }

    @Override
    protected AddressHandle createAddressHandle(
        final SoftProtectionDomain domain, final AddressHandleAttributes attributes)
    {
        final int destination = checkPath(attributes);
        domain.retain(CREATE_AH);
        try
        {
            return new ShmAddressHandle(
                domain, addressHandles, addressHandles.add(domain.number(), attributes, destination, lid()));
        }
        catch (final RuntimeException e)
        {
            domain.release();
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
        final int index = peers.indexOf(path, CREATE_AH);
        if (index < 0 || index >= ControlLayout.MAX_CONTEXTS)
        {
            throw new RdmaException(Errno.EINVAL, CREATE_AH, Peers.name(path) +
                " is not a port in this context's directory");
        }
        return index;
    }

    @Override
    protected boolean isDead(final int claimant)
    {
        return peers.isDead(claimant);
    }

    @Override
    protected void progress()
    {
        backlogs.progress();
    }

    @Override
    protected synchronized void startProgress()
    {
        if (progressThread == null)
        {
            progressThread = new ShmProgressThread(this);
            progressThread.start();
        }
    }

    private void stopProgress()
    {
        final ShmProgressThread thread;
        synchronized (this)
        {
            thread = progressThread;
        }
        if (thread != null)
        {
            thread.shutdown();
        }
    }

    @Override
    public DeviceAttributes queryDevice()
    {
        final DeviceAttributes attributes = super.queryDevice();
        attributes.maxMulticastGroups = MulticastGroups.MAX_MEMBERS;
        attributes.maxMulticastQueuePairs = MulticastGroups.MAX_MEMBERS;
        attributes.maxAddressHandles = AddressHandles.MAX;
        return attributes;
    }

    @Override
    public PortInfo portInfo()
    {
        return facts;
    }

    /** The port's LID: the context's index plus 1, because 0 is not a valid LID. */
    private int lid()
    {
        return index() + 1;
    }

    @Override
    public AllocatedMemory allocateMemory(final long length)
    {
        retain("allocate_memory");
        try
        {
            return new ShmAllocatedMemory(this, new SharedMemory(fabric, token(), nextNumber(), length));
        }
        catch (final RuntimeException e)
        {
            release();
            throw e;
        }
    }

    @Override
    protected void shutdown()
    {
        UnsafeApi.putIntVolatile(null, control() + ControlLayout.CLOSED_OFFSET, 1);
        stopProgress();
        peers.close();
        fabric.release(index());
    }

    @Override
    protected void unmapped()
    {
        fabric.leave();
    }
}
