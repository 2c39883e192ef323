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
 * @param ports   one port, or the port of shared memory followed by a port to other hosts.
 * @param problem why there is no port to other hosts, or null if there is one, or none was requested or needed.
 */
public record LocalPorts(List<LocalPort> ports, String problem)
{
    /**
     * Opens a port of each transport. With two transports, the request applies to the one between hosts.
     *
     * @param transport transports of the ports.
     * @param bootstrap bootstrap of the rank, which knows whether all ranks are on one host.
     * @param request   request for a port.
     * @return ports, to be closed by the caller.
     * @throws ConfigurationException if there is no such provider, device, port or GID.
     * @throws RdmaException          if a provider has no usable device on this host.
     */
    public static LocalPorts open(
        final TransportSetting transport, final Bootstrap bootstrap, final PortRequest request)
    {
        final List<String> names = transport.names();
        if (names.size() == 1)
        {
            return new LocalPorts(List.of(LocalPort.open(bootstrap, names.getFirst(), request)), null);
        }
        return names.isEmpty() ? openByLocality(bootstrap, request) : openBoth(bootstrap, names.get(1), request);
    }

    private static LocalPorts openByLocality(final Bootstrap bootstrap, final PortRequest request)
    {
        if (bootstrap.localSize() == bootstrap.size())
        {
            return openShared(bootstrap, null);
        }
        try
        {
            // A rank alone on its host needs no shared memory, which is scarce in containers.
            return bootstrap.localSize() == 1 ?
                new LocalPorts(List.of(LocalPort.open(bootstrap, TransportNames.BETWEEN_HOSTS, request)), null) :
                openBoth(bootstrap, TransportNames.BETWEEN_HOSTS, request);
        }
        catch (final RdmaException | ConfigurationException e)
        {
            // Ranks on one host need no device, but before the wireup it may be unknown whether all ranks are on one
            // host.
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
