/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.agrona.UnsafeApi;
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
import org.tutti.rdma.spi.Children;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** An open device: {@code struct ibv_context}. */
final class VerbsContext implements Context
{
    private final VerbsDevice device;
    private final long handle;
    private final Children children = new Children("context", "protection domains, queues, channels and memories");
    private final MemorySegment pollCq;
    private final MemorySegment requestNotify;
    private final MemorySegment postSend;
    private final MemorySegment postReceive;
    private final MemorySegment postSharedReceive;
    private final int completionVectors;
    private final DeviceAttributes limits;
    private final EventObjects elements = new EventObjects();
    private final AllocatedMemories memories = new AllocatedMemories();
    private final AsyncEventThread events;
    /** Maximum inline data of a request, in bytes; -1 until determined. */
    private int maxInlineData = -1;

    private VerbsContext(final VerbsDevice device, final long handle)
    {
        this.device = device;
        this.handle = handle;
        pollCq = Structs.function(handle + Layout.CONTEXT_POLL_CQ);
        requestNotify = Structs.function(handle + Layout.CONTEXT_REQ_NOTIFY_CQ);
        postSend = Structs.function(handle + Layout.CONTEXT_POST_SEND);
        postReceive = Structs.function(handle + Layout.CONTEXT_POST_RECV);
        postSharedReceive = Structs.function(handle + Layout.CONTEXT_POST_SRQ_RECV);
        completionVectors = Math.max(1, UnsafeApi.getInt(handle + Layout.CONTEXT_NUM_COMP_VECTORS));
        limits = DeviceQuery.attributes(handle);
        limits.onDemandPaging = DeviceQuery.hasOnDemandPaging(handle);
        events = new AsyncEventThread(device.name(), handle, elements);
    }

    /**
     * Creates a context of an open device.
     *
     * @param device device of the context.
     * @param handle {@code struct ibv_context *}; closed if this fails.
     * @return the context, owned by the caller.
     */
    static VerbsContext open(final VerbsDevice device, final long handle)
    {
        try
        {
            return new VerbsContext(device, handle);
        }
        catch (final RuntimeException ex)
        {
            Libibverbs.CLOSE_DEVICE.call(handle);
            throw ex;
        }
    }

    long handle()
    {
        return handle;
    }

    Children children()
    {
        return children;
    }

    /** The limits at the time of opening, without the length of inline data; must not be modified. */
    DeviceAttributes limits()
    {
        return limits;
    }

    EventObjects elements()
    {
        return elements;
    }

    AllocatedMemories memories()
    {
        return memories;
    }

    MemorySegment pollCq()
    {
        return pollCq;
    }

    MemorySegment requestNotify()
    {
        return requestNotify;
    }

    MemorySegment postSend()
    {
        return postSend;
    }

    MemorySegment postReceive()
    {
        return postReceive;
    }

    MemorySegment postSharedReceive()
    {
        return postSharedReceive;
    }

    @Override
    public Device device()
    {
        return device;
    }

    @Override
    public synchronized DeviceAttributes queryDevice()
    {
        checkOpen("ibv_query_device");
        final DeviceAttributes attributes = DeviceQuery.attributes(handle);
        attributes.maxInlineData = maxInlineData();
        attributes.onDemandPaging = limits.onDemandPaging;
        return attributes;
    }

    /** The maximum inline data, in bytes; determined once by trial, because no query reports it. */
    synchronized int maxInlineData()
    {
        if (maxInlineData < 0)
        {
            maxInlineData = DeviceQuery.maxInlineData(handle);
        }
        return maxInlineData;
    }

    @Override
    public synchronized PortAttributes queryPort(final int portNum)
    {
        checkOpen("ibv_query_port");
        checkPort("ibv_query_port", portNum);
        try (Arena arena = Arena.ofConfined())
        {
            // The exported function fills all but the last fields of the header's structure, which are not used.
            final long attributes = arena.allocate(Layout.PORT_ATTR_SIZE, Long.BYTES).address();
            VerbsErrors.check(Libibverbs.QUERY_PORT.call(handle, portNum, attributes), "ibv_query_port",
                "port " + portNum + " of " + device);
            return Structs.portAttributes(attributes);
        }
    }

    @Override
    public synchronized Gid queryGid(final int portNum, final int index)
    {
        final int length = queryPort(portNum).gidTableLength;
        VerbsErrors.checkRange("ibv_query_gid", "index", index, 0, length - 1);
        try (Arena arena = Arena.ofConfined())
        {
            final long gid = arena.allocate(Gid.LENGTH, Long.BYTES).address();
            final long result = Libibverbs.QUERY_GID.call(handle, portNum, index, gid);
            // Some kernels and libraries fail for an empty entry, which is not an error here.
            return result == 0 ? Structs.gid(gid) : Gid.ZERO;
        }
    }

    @Override
    public synchronized List<GidEntry> queryGidTable(final int portNum)
    {
        checkOpen("ibv_query_gid_table");
        checkPort("ibv_query_gid_table", portNum);
        final List<GidEntry> table = new ArrayList<>();
        for (final GidEntry entry : GidTable.read(this, handle, device.name(), limits.physicalPorts))
        {
            if (entry.portNum() == portNum)
            {
                table.add(entry);
            }
        }
        return table;
    }

    @Override
    public synchronized int queryPkey(final int portNum, final int index)
    {
        final int length = queryPort(portNum).pkeyTableLength;
        VerbsErrors.checkRange("ibv_query_pkey", "index", index, 0, length - 1);
        try (Arena arena = Arena.ofConfined())
        {
            final long pkey = arena.allocate(Short.BYTES, Long.BYTES).address();
            VerbsErrors.check(Libibverbs.QUERY_PKEY.call(handle, portNum, index, pkey), "ibv_query_pkey",
                "index " + index + " of port " + portNum + " of " + device);
            // The P_Key is in network order.
            return Structs.getByte(pkey) << 8 | Structs.getByte(pkey + 1);
        }
    }

    private void checkPort(final String verb, final int portNum)
    {
        VerbsErrors.checkRange(verb, "port", portNum, 1, limits.physicalPorts);
    }

    @Override
    public int completionVectors()
    {
        return completionVectors;
    }

    @Override
    public ProtectionDomain allocateProtectionDomain()
    {
        return new VerbsProtectionDomain(this);
    }

    @Override
    public CompletionChannel createCompletionChannel()
    {
        return new VerbsCompletionChannel(this);
    }

    @Override
    public CompletionQueue createCompletionQueue(final int capacity, final CompletionChannel channel, final int vector)
    {
        VerbsErrors.checkRange("ibv_create_cq", "cqe", capacity, 1, limits.maxCqe);
        VerbsErrors.checkRange("ibv_create_cq", "comp_vector", vector, 0, completionVectors - 1);
        if (channel != null && !(channel instanceof VerbsCompletionChannel verbs && verbs.context() == this))
        {
            throw VerbsErrors.invalid("ibv_create_cq", "the channel belongs to another context");
        }
        return new VerbsCompletionQueue(this, capacity, (VerbsCompletionChannel)channel, vector);
    }

    @Override
    public AllocatedMemory allocateMemory(final long length)
    {
        return memories.allocate(children, length);
    }

    @Override
    public AsyncEvent awaitAsyncEvent(final long timeoutNs)
    {
        return events.await(timeoutNs);
    }

    private void checkOpen(final String verb)
    {
        if (!children.isOpen())
        {
            throw new RdmaException(Errno.EINVAL, verb, "the context is closed");
        }
    }

    @Override
    public synchronized void close()
    {
        if (children.close("ibv_close_device"))
        {
            events.stop();
            Libibverbs.CLOSE_DEVICE.call(handle);
        }
    }
}
