/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.tutti.rdma.AddressHandle;
import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.Device;
import org.tutti.rdma.Gid;
import org.tutti.rdma.LinkLayer;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.os.MemoryCalls;
import org.tutti.rdma.soft.PortInfo;
import org.tutti.rdma.soft.SoftContext;
import org.tutti.rdma.soft.SoftProtectionDomain;
import org.tutti.rdma.soft.queue.LocalQueuePair;
import org.tutti.rdma.soft.queue.ReceiveSource;
import org.tutti.rdma.soft.queue.SendQueue;
import org.tutti.rdma.soft.queue.Transport;
import org.tutti.rdma.soft.segment.RegionMemory;
import org.tutti.rdma.tcp.stream.HandshakeResult;
import org.tutti.rdma.tcp.stream.WireNetwork;
import org.tutti.rdma.tcp.stream.WireQueuePair;
import org.tutti.rdma.tcp.stream.WireSendQueue;
import org.tutti.rdma.tcp.stream.WireTransport;
import org.tutti.rdma.tcp.wire.Fpdu;
import org.tutti.rdma.tcp.wire.PrivateData;
import org.tutti.rdma.tcp.wire.ReadLimits;

import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * A context as that of the tcp provider, but without sockets and threads: the test gives its queue pair a connection by
 * {@link #establish}, and advances it by {@link #step}. Has one queue pair at a time. Used by one thread.
 */
final class StreamContext extends SoftContext implements WireNetwork
{
    private final PortInfo port;
    private final List<Runnable> writers = new ArrayList<>();
    private WireTransport transport;

    StreamContext(final Device device, final int lid)
    {
        super(device, new ProcessMemory());
        port = new PortInfo(device.guid(), new Gid(0, 0xFFFF_7F00_0001L), lid, LinkLayer.ETHERNET, "test");
    }

    /** The transport of the queue pair. */
    WireTransport transport()
    {
        return transport;
    }

    /** Gives the queue pair, which expects a connection, this one. */
    boolean establish(final SocketChannel channel, final boolean isCrcUsed)
    {
        return transport.established(channel, transport.incarnation(),
            new HandshakeResult(isCrcUsed, true, 1, 1, transport.incarnation().psn(), ReadLimits.MAX));
    }

    /** Whether the queue pair has a connection. */
    boolean isConnected()
    {
        return transport.channel() != null;
    }

    /** Does what the progress thread does; true if anything was received. */
    boolean step()
    {
        final boolean isActive = transport.tryProgress();
        List.copyOf(writers).forEach(Runnable::run);
        attend();
        flushReceives();
        return isActive;
    }

    @Override
    public void connect(final WireTransport connecting)
    {
        // The test connects.
    }

    @Override
    public void reconnect(final WireTransport connecting)
    {
        // The test connects.
    }

    @Override
    public void disconnect(final WireTransport disconnecting)
    {
        // Nothing to stop.
    }

    @Override
    public void linger(final SocketChannel channel, final Runnable writer)
    {
        writers.add(writer);
    }

    @Override
    public boolean acceptsStandardPeers()
    {
        return true;
    }

    @Override
    public void wake()
    {
        // No thread waits.
    }

    @Override
    public String provider()
    {
        return "tcp";
    }

    @Override
    protected void checkType(final QueuePairType type)
    {
        // The test creates reliable connections only.
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
        transport = new WireTransport((WireQueuePair)queuePair, this,
            new PrivateData.Place(port.gid(), queryPort(1).lid, queuePair.qpNum()), Fpdu.MAX_PAYLOAD);
        return transport;
    }

    @Override
    protected SendQueue newSendQueue(final LocalQueuePair queuePair, final Transport created,
        final QueuePairInitAttributes attributes, final long ring)
    {
        return new WireSendQueue((WireQueuePair)queuePair, (WireTransport)created, attributes, ring);
    }

    @Override
    protected RegionMemory memoryOf(final long address, final long length, final int access)
    {
        return null;
    }

    @Override
    protected AddressHandle createAddressHandle(
        final SoftProtectionDomain domain, final AddressHandleAttributes attributes)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    protected boolean isDead(final int claimant)
    {
        return false;
    }

    @Override
    protected void progress()
    {
        transport.tryProgress();
    }

    @Override
    protected void startProgress()
    {
        // The test makes progress.
    }

    @Override
    protected void shutdown()
    {
        writers.clear();
    }

    @Override
    public PortInfo portInfo()
    {
        return port;
    }

    @Override
    public AllocatedMemory allocateMemory(final long length)
    {
        return new MappedPages(MemoryCalls.map(length), length);
    }

    /** Zeroed memory. */
    private record MappedPages(long address, long length) implements AllocatedMemory
    {
        @Override
        public void closeExcept(final long... kept)
        {
            MemoryCalls.unmapExcept(address, length, kept);
        }
    }
}
