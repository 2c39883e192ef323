/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.device;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.collectives.ConfigurationException;
import org.tutti.collectives.config.TransportSetting;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.select.PortRequest;
import org.tutti.rdma.select.TransportNames;

import java.util.List;

/**
 * The ports that a rank has opened.
 *
 * @param ports   one, or that of shared memory and one to other hosts.
 * @param problem why there is none to other hosts, or null if there is, or none was asked for.
 */
public record LocalPorts(List<LocalPort> ports, String problem)
{
    /**
     * Opens a port of each transport. What the user asks for is that to other hosts, where there are two.
     *
     * @param transport transports of the ports.
     * @param bootstrap bootstrap of the rank, which says whether all ranks are on its host.
     * @param request   request for a port.
     * @return owned by the caller.
     * @throws ConfigurationException if there is no such provider, device, port or GID.
     * @throws RdmaException          if a provider has no device here that can be used.
     */
    public static LocalPorts open(
        final TransportSetting transport, final Bootstrap bootstrap, final PortRequest request)
    {
        final List<String> names = transport.names();
        if (names.size() == 1)
        {
            return new LocalPorts(List.of(LocalPort.open(bootstrap, names.getFirst(), request)), null);
        }
        return names.isEmpty() ? openWhatSuits(bootstrap, request) : openBoth(bootstrap, names.get(1), request);
    }

    private static LocalPorts openWhatSuits(final Bootstrap bootstrap, final PortRequest request)
    {
        if (bootstrap.localSize() == bootstrap.size())
        {
            return openShared(bootstrap, null);
        }
        try
        {
            // A rank alone on its host needs no shared memory, of which a container may have little.
            return bootstrap.localSize() == 1 ?
                new LocalPorts(List.of(LocalPort.open(bootstrap, TransportNames.BETWEEN_HOSTS, request)), null) :
                openBoth(bootstrap, TransportNames.BETWEEN_HOSTS, request);
        }
        catch (final RdmaException | ConfigurationException e)
        {
            // Ranks of one host need none, and whether all are on one is not always known before they meet.
            if (request.equals(PortRequest.ANY))
            {
                return openShared(bootstrap, e.getMessage());
            }
            throw e;
        }
    }

    private static LocalPorts openShared(final Bootstrap bootstrap, final String problem)
    {
        return new LocalPorts(List.of(LocalPort.open(bootstrap, TransportNames.SHARED, PortRequest.ANY)), problem);
    }

    private static LocalPorts openBoth(final Bootstrap bootstrap, final String toOtherHosts, final PortRequest request)
    {
        final LocalPort near = LocalPort.open(bootstrap, TransportNames.SHARED, PortRequest.ANY);
        try
        {
            return new LocalPorts(List.of(near, LocalPort.open(bootstrap, toOtherHosts, request)), null);
        }
        catch (final RuntimeException | Error e)
        {
            near.close();
            throw e;
        }
    }
}
