/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.tutti.rdma.AddressHandle;
import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.Errno;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.os.MemoryCalls;
import org.tutti.rdma.soft.PortInfo;
import org.tutti.rdma.soft.SoftContext;
import org.tutti.rdma.soft.SoftProtectionDomain;
import org.tutti.rdma.soft.queue.LocalQueuePair;
import org.tutti.rdma.soft.queue.ReceiveSource;
import org.tutti.rdma.soft.queue.SendQueue;
import org.tutti.rdma.soft.queue.Transport;
import org.tutti.rdma.soft.segment.RegionMemory;
import org.tutti.rdma.tcp.stream.WireQueuePair;
import org.tutti.rdma.tcp.stream.WireSendQueue;
import org.tutti.rdma.tcp.stream.WireTransport;
import org.tutti.rdma.tcp.wire.PrivateData;

import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** An open context: it listens on the address of its interface, at a port that is its LID. */
final class TcpContext extends SoftContext
{
    private final TcpPoller poller;
    private final PortInfo port;
    private final int maxPayload;
    private final NavigableMap<Long, TcpAllocatedMemory> memories = new ConcurrentSkipListMap<>();
    private boolean isStarted;

    TcpContext(final TcpDevice device)
    {
        this(device, Handshakes.LIMIT_NS);
    }

    /**
     * Opens a context.
     *
     * @param device           device.
     * @param handshakeLimitNs time for a handshake in nanoseconds, greater than 0.
     */
    TcpContext(final TcpDevice device, final long handshakeLimitNs)
    {
        super(device, new ProcessMemory());
        maxPayload = device.options().maxPayload();
        try
        {
            poller = new TcpPoller(this, device, handshakeLimitNs);
        }
        catch (final RuntimeException e)
        {
            super.close();
            throw e;
        }
        port = device.portInfo(poller.port());
    }

    TcpPoller poller()
    {
        return poller;
    }

    @Override
    public String provider()
    {
        return "tcp";
    }

    @Override
    protected void checkType(final QueuePairType type)
    {
        if (type != QueuePairType.RC)
        {
            throw new RdmaException(Errno.EOPNOTSUPP, "ibv_create_qp",
                "tcp has no queue pairs of type " + type + "; use RC, or the transport verbs or shm");
        }
    }

    @Override
    protected LocalQueuePair newQueuePair(final int index, final int domain)
    {
        return new WireQueuePair(control(), token(), index, domain);
    }

    @Override
    protected Transport newTransport(
        final QueuePairType type, final LocalQueuePair queuePair, final ReceiveSource receives)
    {
        return new WireTransport((WireQueuePair)queuePair, poller,
            new PrivateData.Place(port.gid(), poller.port(), queuePair.qpNum()), maxPayload);
    }

    @Override
    protected SendQueue newSendQueue(final LocalQueuePair queuePair, final Transport transport,
        final QueuePairInitAttributes attributes, final long ring)
    {
        return new WireSendQueue((WireQueuePair)queuePair, (WireTransport)transport, attributes, ring);
    }

    @Override
    protected RegionMemory memoryOf(final long address, final long length, final int access)
    {
        final Map.Entry<Long, TcpAllocatedMemory> entry = memories.floorEntry(address);
        if (entry != null && address - entry.getKey() <= entry.getValue().length() - length)
        {
            return entry.getValue();
        }
        if (!MemoryCalls.isMapped(address, length))
        {
            throw new RdmaException(Errno.EFAULT, "ibv_reg_mr", length + " bytes at 0x" + Long.toHexString(address) +
                " are not all mapped in this process; register native memory while its arena is open");
        }
        return null;
    }

    @Override
    protected AddressHandle createAddressHandle(
        final SoftProtectionDomain domain, final AddressHandleAttributes attributes)
    {
        throw new RdmaException(Errno.EOPNOTSUPP, "ibv_create_ah",
            "tcp has no datagrams; use reliable connections, or the transport verbs or shm");
    }

    @Override
    protected boolean isDead(final int claimant)
    {
        return false;
    }

    @Override
    protected void progress()
    {
        poller.progress();
    }

    @Override
    protected void handOver()
    {
        poller.handOver();
    }

    @Override
    protected synchronized void startProgress()
    {
        if (!isStarted)
        {
            isStarted = true;
            poller.start();
        }
    }

    @Override
    public PortInfo portInfo()
    {
        return port;
    }

    @Override
    public AllocatedMemory allocateMemory(final long length)
    {
        retain("allocate_memory");
        try
        {
            final TcpAllocatedMemory memory = new TcpAllocatedMemory(this, nextNumber(), length);
            memories.put(memory.address(), memory);
            return memory;
        }
        catch (final RuntimeException e)
        {
            release();
            throw e;
        }
    }

    void remove(final TcpAllocatedMemory memory)
    {
        memories.remove(memory.address());
        release();
    }

    @Override
    protected void shutdown()
    {
        if (poller != null)
        {
            poller.shutdown();
        }
    }
}
