/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.tutti.rdma.Context;
import org.tutti.rdma.Errno;
import org.tutti.rdma.Gid;
import org.tutti.rdma.GidEntry;
import org.tutti.rdma.GidType;
import org.tutti.rdma.LinkLayer;
import org.tutti.rdma.NodeType;
import org.tutti.rdma.PortAttributes;
import org.tutti.rdma.PortState;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.TransportType;
import org.tutti.rdma.select.DeviceDescription;
import org.tutti.rdma.select.InterfaceDescription;
import org.tutti.rdma.select.InterfaceDevice;
import org.tutti.rdma.select.InterfaceGids;
import org.tutti.rdma.select.LinkRate;
import org.tutti.rdma.select.PortDescription;
import org.tutti.rdma.soft.PortInfo;

import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** A network interface, at one of its addresses. */
final class TcpDevice implements InterfaceDevice
{
    private static final String FIRMWARE = "tcp 1";
    private static final long LOCAL = 0x0200_0000_0000_0000L;
    private static final long EUI64_MIDDLE = 0xFF_FE00_0000L;

    private final InterfaceDescription networkInterface;
    private final InetAddress address;
    private final byte[] secret;
    private final TcpOptions options;
    private final OptionalInt standardPort;

    /**
     * Describes an interface.
     *
     * @param networkInterface the interface.
     * @param address          the address that peers connect to; null if it has none.
     * @param secret           secret of the job.
     * @param options          options of the connections.
     * @param standardPort     port of contexts that accept standard peers, 0 for any; empty if none does.
     */
    TcpDevice(final InterfaceDescription networkInterface, final InetAddress address, final byte[] secret,
        final TcpOptions options, final OptionalInt standardPort)
    {
        this.networkInterface = networkInterface;
        this.address = address;
        this.secret = secret;
        this.options = options;
        this.standardPort = standardPort;
    }

    static Gid gid(final InetAddress address)
    {
        return InterfaceGids.of(address);
    }

    InetAddress address()
    {
        return address;
    }

    byte[] secret()
    {
        return secret;
    }

    TcpOptions options()
    {
        return options;
    }

    boolean isCrcUsed()
    {
        return options.crc();
    }

    @Override
    public Map<String, Object> settings()
    {
        return options.inEffect();
    }

    /**
     * The attributes of the device and its port.
     *
     * @param port TCP port that peers connect to, which is the LID; 0 if none yet.
     * @return new attributes.
     */
    PortInfo portInfo(final int port)
    {
        return new PortInfo(guid(), gid(address), port, LinkLayer.ETHERNET, FIRMWARE,
            new PortInfo.Rate(LinkRate.width(networkInterface.mbit()), LinkRate.speed(networkInterface.mbit())));
    }

    @Override
    public InterfaceDescription networkInterface()
    {
        return networkInterface;
    }

    @Override
    public InterfaceDevice at(final InetAddress other)
    {
        return new TcpDevice(networkInterface, other, secret, options, standardPort);
    }

    @Override
    public DeviceDescription describe()
    {
        if (address == null)
        {
            return DeviceDescription.broken(this, name() + " has no address");
        }
        final PortInfo info = portInfo(0);
        final PortAttributes attributes = info.port(1);
        attributes.state = networkInterface.isUp() ? PortState.ACTIVE : PortState.DOWN;
        return new DeviceDescription(this, info.device(), 1, List.of(new PortDescription(name(), transportType(), 1,
            attributes, List.of(new GidEntry(info.gid(), 0, 1, GidType.UNKNOWN, 0)))), null);
    }

    boolean acceptsStandardPeers()
    {
        return standardPort.isPresent();
    }

    /** The port to listen at, or 0 for any. */
    int port()
    {
        return standardPort.orElse(0);
    }

    @Override
    public String name()
    {
        return networkInterface.name();
    }

    @Override
    public NodeType nodeType()
    {
        return NodeType.RNIC;
    }

    @Override
    public TransportType transportType()
    {
        return TransportType.IWARP;
    }

    /** The EUI-64 of the MAC, or a locally administered one of the address. */
    @Override
    public long guid()
    {
        final long mac = networkInterface.mac();
        return mac != 0 ? (mac >>> 24 << 40 | EUI64_MIDDLE | (mac & 0xFF_FFFF)) ^ LOCAL :
            LOCAL | (address == null ? 0 : gid(address).low() & 0xFFFF_FFFFL);
    }

    @Override
    public Context open()
    {
        if (address == null || !networkInterface.isUp())
        {
            throw new RdmaException(Errno.ENODEV, "ibv_open_device", "network interface " + name() +
                (address == null ? " has no address" : " is down") + ": choose another one");
        }
        return new TcpContext(this);
    }
}
