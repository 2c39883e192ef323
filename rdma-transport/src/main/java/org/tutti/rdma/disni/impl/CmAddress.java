/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni.impl;

import org.tutti.rdma.Gid;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;

/**
 * An IPv4 address with a port, as in rdma_cm.
 *
 * @param ip   IPv4 address in host byte order.
 * @param port port from 1 to 65535, 0 for any.
 */
record CmAddress(int ip, int port) implements Comparable<CmAddress>
{
    private static final long IPV4_MAPPED = 0xFFFFL << 32;
    private static final long IPV4_MASK = 0xFFFF_FFFFL;

    /**
     * Extracts the address of a GID.
     *
     * @param gid  a GID for which {@link Gid#isIpv4Mapped} is true.
     * @param port port of the address.
     * @return the address, never null.
     */
    static CmAddress of(final Gid gid, final int port)
    {
        return new CmAddress((int)(gid.low() & IPV4_MASK), port);
    }

    /**
     * Converts an address from DiSNI.
     *
     * @param address IPv4 address.
     * @return the address, never null.
     */
    static CmAddress of(final SocketAddress address)
    {
        final InetSocketAddress inet = (InetSocketAddress)address;
        int ip = 0;
        for (final byte part : inet.getAddress().getAddress())
        {
            ip = ip << Byte.SIZE | (part & 0xFF);
        }
        return new CmAddress(ip, inet.getPort());
    }

    /** Converts the address for DiSNI. */
    InetSocketAddress socketAddress()
    {
        final byte[] bytes = {(byte)(ip >>> 24), (byte)(ip >>> 16), (byte)(ip >>> 8), (byte)ip};
        try
        {
            return new InetSocketAddress(Inet4Address.getByAddress(bytes), port);
        }
        catch (final UnknownHostException e)
        {
            throw new IllegalStateException(e);
        }
    }

    Gid gid()
    {
        return new Gid(0, IPV4_MAPPED | (ip & IPV4_MASK));
    }

    @Override
    public int compareTo(final CmAddress other)
    {
        final int order = Integer.compareUnsigned(ip, other.ip);
        return order == 0 ? Integer.compare(port, other.port) : order;
    }

    @Override
    public String toString()
    {
        return host() + ":" + port;
    }

    private String host()
    {
        final InetAddress address = socketAddress().getAddress();
        return address.getHostAddress();
    }
}
