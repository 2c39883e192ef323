/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.tutti.rdma.Context;
import org.tutti.rdma.Device;
import org.tutti.rdma.Gid;
import org.tutti.rdma.NodeType;
import org.tutti.rdma.TransportType;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.ByteBuffer;

/** A network interface. */
final class TcpDevice implements Device
{
    private static final long LOCAL = 0x0200_0000_0000_0000L;
    private static final long EUI64_MIDDLE = 0xFF_FE00_0000L;
    private static final int MAC_LENGTH = 6;

    private final String name;
    private final InetAddress address;
    private final byte[] secret;
    private final boolean isCrcUsed;
    private final long guid;

    TcpDevice(final NetworkInterface networkInterface, final InetAddress address, final byte[] secret,
        final boolean isCrcUsed) throws SocketException
    {
        this.address = address;
        this.secret = secret;
        this.isCrcUsed = isCrcUsed;
        name = networkInterface.getName();
        guid = guid(networkInterface.getHardwareAddress(), address);
    }

    /** The EUI-64 of the MAC, or a locally administered one of the address. */
    private static long guid(final byte[] mac, final InetAddress address)
    {
        if (mac == null || mac.length != MAC_LENGTH)
        {
            return LOCAL | (gid(address).low() & 0xFFFF_FFFFL);
        }
        final ByteBuffer buffer = ByteBuffer.allocate(Long.BYTES).putShort(0, (short)0);
        buffer.position(2);
        final long bits = buffer.put(mac).getLong(0);
        return (bits >>> 24 << 40 | EUI64_MIDDLE | (bits & 0xFF_FFFF)) ^ LOCAL;
    }

    static Gid gid(final InetAddress address)
    {
        final byte[] bytes = address.getAddress();
        return bytes.length == Gid.LENGTH ? Gid.of(bytes) :
            new Gid(0, 0xFFFFL << 32 | (ByteBuffer.wrap(bytes).getInt() & 0xFFFF_FFFFL));
    }

    InetAddress address()
    {
        return address;
    }

    byte[] secret()
    {
        return secret;
    }

    boolean isCrcUsed()
    {
        return isCrcUsed;
    }

    @Override
    public String name()
    {
        return name;
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

    @Override
    public long guid()
    {
        return guid;
    }

    @Override
    public Context open()
    {
        return new TcpContext(this);
    }
}
