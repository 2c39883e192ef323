/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.net.InetAddress;
import java.net.UnknownHostException;

import org.tutti.bootstrap.HostPort;

/**
 * Determines where rank 0 listens for the others, which know it by the name of its host. Debian maps a host's own name
 * to 127.0.1.1, so rank 0 may find a loopback address there, which other hosts cannot reach. Stateless.
 */
final class ListenEndpoint
{
    private static final int IPV4_LENGTH = 4;

    private ListenEndpoint()
    {
    }

    /**
     * Returns the endpoint to listen at.
     *
     * @param coordinator the endpoint that the other ranks connect to, {@code host:port}.
     * @return all addresses of this host if it resolves the name to a loopback address, else the same endpoint.
     */
    static String of(final String coordinator)
    {
        return byName(coordinator, "0.0.0.0", "::");
    }

    /**
     * Returns the endpoint at which a rank of any host reaches one that listens at {@link #of}. A socket at all
     * addresses answers a sender of its host from 127.0.0.1 or ::1, and the sender accepts answers only from the
     * address that it has sent to.
     *
     * @param coordinator the endpoint that ranks connect to, {@code host:port}.
     * @return the first loopback address if this host resolves the name to a loopback address, else the same endpoint.
     */
    static String reachedAt(final String coordinator)
    {
        return byName(coordinator, "127.0.0.1", "::1");
    }

    private static String byName(final String coordinator, final String ipv4, final String ipv6)
    {
        final HostPort given = HostPort.parse(coordinator);
        if (given.isLoopback())
        {
            return coordinator;
        }
        try
        {
            final InetAddress address = InetAddress.getByName(given.host());
            return !address.isLoopbackAddress() ? coordinator :
                new HostPort(address.getAddress().length == IPV4_LENGTH ? ipv4 : ipv6, given.port()).toString();
        }
        catch (final UnknownHostException ex)
        {
            // Listening there, or sending to it, reports it.
            return coordinator;
        }
    }
}
