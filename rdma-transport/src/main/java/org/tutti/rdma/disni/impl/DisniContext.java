/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni.impl;

import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvPd;
import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.AsyncEvent;
import org.tutti.rdma.CompletionChannel;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Context;
import org.tutti.rdma.Device;
import org.tutti.rdma.DeviceAttributes;
import org.tutti.rdma.Errno;
import org.tutti.rdma.Gid;
import org.tutti.rdma.GidEntry;
import org.tutti.rdma.PortAttributes;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.spi.AttributeRules;
import org.tutti.rdma.spi.Children;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** An open device: its listener and the objects created from it. Thread-safe. */
final class DisniContext implements Context
{
    /** Maximum entries of a scatter/gather list: the number that DiSNI requests from every device. */
    static final int MAX_SGE = 4;
    /** Maximum length of a region, which DiSNI stores in an int. */
    static final long MAX_REGION = Integer.MAX_VALUE;
    /** Maximum inline data, which DiSNI does not report: a value that all current devices support. */
    static final int MAX_INLINE = 256;

    private final Device device;
    private final Context queries;
    private final ConnectionManager manager;
    private final ConnectionRequests requests;
    private final IbvContext verbs;
    private final QueuePairTable queuePairs = new QueuePairTable();
    private final DeviceAttributes limits;
    private final GidEntry source;
    private final AttributeRules.Limits modifyLimits;
    private final Set<DisniMemoryRegion> regions = new HashSet<>();
    private final Children children = new Children("context", "protection domains, queues, channels and memories");

    /**
     * Creates a context that listens on the device's first IPv4 address.
     *
     * @param device  device of the context.
     * @param queries context for queries of the device and its ports; closed with this context.
     */
    DisniContext(final Device device, final Context queries)
    {
        this.device = device;
        this.queries = queries;
        limits = limits(queries);
        source = source(device, queries, limits.physicalPorts);
        final PortAttributes port = queries.queryPort(source.portNum());
        modifyLimits = new AttributeRules.Limits(limits.physicalPorts,
            (number) -> queries.queryPort(number).gidTableLength, port.pkeyTableLength, limits.maxInitRdAtomic,
            limits.maxRdAtomic);
        try
        {
            manager = ConnectionManager.get();
            requests = new ConnectionRequests(manager, CmAddress.of(source.gid(), 0));
            verbs = requests.verbs();
        }
        catch (final IOException e)
        {
            throw DisniErrors.of("ibv_open_device", device.name() + " at " + CmAddress.of(source.gid(), 0) +
                " cannot be opened by rdma_cm", e);
        }
        manager.retain();
    }

    private static DeviceAttributes limits(final Context queries)
    {
        final DeviceAttributes limits = queries.queryDevice();
        limits.maxMemoryRegionLength = MAX_REGION;
        limits.maxSge = Math.min(MAX_SGE, limits.maxSge);
        limits.maxSgeRead = Math.min(MAX_SGE, limits.maxSgeRead);
        limits.maxInlineData = MAX_INLINE;
        limits.maxSharedReceiveQueues = 0;
        limits.maxAddressHandles = 0;
        limits.maxMulticastGroups = 0;
        return limits;
    }

    private static GidEntry source(final Device device, final Context queries, final int ports)
    {
        for (int port = 1; port <= ports; port++)
        {
            for (final GidEntry entry : queries.queryGidTable(port))
            {
                if (entry.gid().isIpv4Mapped())
                {
                    return entry;
                }
            }
        }
        throw new RdmaException(Errno.ENODEV, "ibv_open_device", device.name() + " has no IPv4 address, which DiSNI " +
            "requires: give its network interface one (ip addr add ...), or use the transport verbs");
    }

    ConnectionManager manager()
    {
        return manager;
    }

    ConnectionRequests requests()
    {
        return requests;
    }

    IbvContext verbs()
    {
        return verbs;
    }

    QueuePairTable queuePairs()
    {
        return queuePairs;
    }

    DeviceAttributes limits()
    {
        return limits;
    }

    AttributeRules.Limits modifyLimits()
    {
        return modifyLimits;
    }

    /** The entry of the GID table that this context's queue pairs connect from. */
    GidEntry source()
    {
        return source;
    }

    @Override
    public Device device()
    {
        return device;
    }

    @Override
    public DeviceAttributes queryDevice()
    {
        return limits(queries);
    }

    /** Reports the port number on which rdma_cm listens as the LID, because peers need it to connect. */
    @Override
    public PortAttributes queryPort(final int portNum)
    {
        final PortAttributes attributes = queries.queryPort(portNum);
        attributes.lid = requests.address().port();
        return attributes;
    }

    @Override
    public Gid queryGid(final int portNum, final int index)
    {
        return queries.queryGid(portNum, index);
    }

    @Override
    public List<GidEntry> queryGidTable(final int portNum)
    {
        return queries.queryGidTable(portNum);
    }

    @Override
    public int queryPkey(final int portNum, final int index)
    {
        return queries.queryPkey(portNum, index);
    }

    @Override
    public int completionVectors()
    {
        return queries.completionVectors();
    }

    @Override
    public ProtectionDomain allocateProtectionDomain()
    {
        children.retain("ibv_alloc_pd");
        try
        {
            final IbvPd domain = verbs.allocPd();
            return new DisniProtectionDomain(this, domain);
        }
        catch (final IOException e)
        {
            children.release();
            throw DisniErrors.of("ibv_alloc_pd", "a protection domain of " + device.name(), e);
        }
    }

    @Override
    public CompletionChannel createCompletionChannel()
    {
        children.retain("ibv_create_comp_channel");
        return new DisniCompletionChannel(this);
    }

    @Override
    public CompletionQueue createCompletionQueue(
        final int capacity, final CompletionChannel channel, final int vector)
    {
        if (capacity < 1 || capacity > limits.maxCqe)
        {
            throw new RdmaException(Errno.EINVAL, "ibv_create_cq", "capacity " + capacity + " is not from 1 to " +
                limits.maxCqe);
        }
        if (vector < 0 || vector >= completionVectors())
        {
            throw new RdmaException(Errno.EINVAL, "ibv_create_cq", "vector " + vector + " is not from 0 to " +
                (completionVectors() - 1));
        }
        if (channel != null && !(channel instanceof DisniCompletionChannel own && own.context() == this))
        {
            throw new RdmaException(Errno.EINVAL, "ibv_create_cq", "the channel belongs to another context");
        }
        children.retain("ibv_create_cq");
        try
        {
            return new DisniCompletionQueue(this, capacity, (DisniCompletionChannel)channel, vector);
        }
        catch (final IOException e)
        {
            children.release();
            throw DisniErrors.of("ibv_create_cq", "a completion queue of " + capacity, e);
        }
        catch (final RuntimeException e)
        {
            children.release();
            throw e;
        }
    }

    @Override
    public AllocatedMemory allocateMemory(final long length)
    {
        children.retain("allocate_memory");
        try
        {
            return new ChildMemory(queries.allocateMemory(length), children, this::covers);
        }
        catch (final RuntimeException e)
        {
            children.release();
            throw e;
        }
    }

    /** Waits for the timeout, because DiSNI has no asynchronous events. */
    @Override
    public AsyncEvent awaitAsyncEvent(final long timeoutNs)
    {
        final long startNs = System.nanoTime();
        synchronized (this)
        {
            try
            {
                long leftNs = timeoutNs;
                while (children.isOpen() && leftNs > 0)
                {
                    wait(leftNs / 1_000_000, (int)(leftNs % 1_000_000));
                    leftNs = timeoutNs - (System.nanoTime() - startNs);
                }
            }
            catch (final InterruptedException e)
            {
                Thread.currentThread().interrupt();
            }
        }
        return null;
    }

    synchronized void add(final DisniMemoryRegion region)
    {
        regions.add(region);
    }

    synchronized void remove(final DisniMemoryRegion region)
    {
        regions.remove(region);
    }

    /** Whether a region overlaps a range. */
    synchronized boolean covers(final long address, final long length)
    {
        for (final DisniMemoryRegion region : regions)
        {
            if (region.address() < address + length && address < region.address() + region.length())
            {
                return true;
            }
        }
        return false;
    }

    Children children()
    {
        return children;
    }

    @Override
    public void close()
    {
        if (!children.close("ibv_close_device"))
        {
            return;
        }
        synchronized (this)
        {
            notifyAll();
        }
        requests.close();
        manager.release();
        queries.close();
    }
}
