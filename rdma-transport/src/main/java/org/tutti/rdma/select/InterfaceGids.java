/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import org.tutti.rdma.Gid;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/** GIDs of IP addresses. Stateless. */
public final class InterfaceGids
{
    private static final long IPV4_MAPPED = 0xFFFFL << 32;

    private InterfaceGids()
    {
    }

    /**
     * The GID of an address.
     *
     * @param address IPv4 or IPv6 address.
     * @return the IPv6 address, or the IPv4 address mapped to IPv6.
     */
    public static Gid of(final InetAddress address)
    {
        final byte[] bytes = address.getAddress();
        return bytes.length == Gid.LENGTH ? Gid.of(bytes) :
            new Gid(0, IPV4_MAPPED | (ByteBuffer.wrap(bytes).getInt() & 0xFFFF_FFFFL));
    }

    static InetAddress address(final byte[] bytes)
    {
        try
        {
            return InetAddress.getByAddress(bytes);
        }
        catch (final UnknownHostException e)
        {
            throw new IllegalArgumentException(bytes.length + " bytes are not an address", e);
        }
    }
}
