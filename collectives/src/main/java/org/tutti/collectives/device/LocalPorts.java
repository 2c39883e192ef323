/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.device;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.collectives.ConfigurationException;
import org.tutti.collectives.config.EngineConfiguration;
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
     * @param configuration settings of the rank: its transports, port and directory for shared memory.
     * @param bootstrap     bootstrap of the rank, which knows whether all ranks are on one host.
     * @return ports, to be closed by the caller.
     * @throws ConfigurationException if there is no such provider, device, port or GID.
     * @throws RdmaException          if a provider has no usable device on this host.
     */
    public static LocalPorts open(final EngineConfiguration configuration, final Bootstrap bootstrap)
    {
        final List<String> names = configuration.transport().names();
        if (names.size() == 1)
        {
            return new LocalPorts(List.of(open(configuration, bootstrap, names.getFirst())), null);
        }
        return names.isEmpty() ? openByLocality(configuration, bootstrap) :
            openBoth(configuration, bootstrap, names.get(1));
    }

    private static LocalPort open(
        final EngineConfiguration configuration, final Bootstrap bootstrap, final String transport)
    {
        return LocalPort.open(bootstrap, transport, configuration.portRequest(), configuration.shmDirectory());
    }

    private static LocalPorts openByLocality(final EngineConfiguration configuration, final Bootstrap bootstrap)
    {
        if (bootstrap.localSize() == bootstrap.size())
        {
            return new LocalPorts(List.of(openShared(configuration, bootstrap)), null);
        }
        try
        {
            // A rank alone on its host needs no shared memory, which is scarce in containers.
            return bootstrap.localSize() == 1 ?
                new LocalPorts(List.of(open(configuration, bootstrap, TransportNames.BETWEEN_HOSTS)), null) :
                openBoth(configuration, bootstrap, TransportNames.BETWEEN_HOSTS);
        }
        catch (final RdmaException | ConfigurationException e)
        {
            // Ranks on one host need no device, but before the wireup it may be unknown whether all ranks are on one
            // host.
            if (configuration.portRequest().equals(PortRequest.ANY))
            {
                return new LocalPorts(List.of(openShared(configuration, bootstrap)), e.getMessage());
            }
            throw e;
        }
    }

    private static LocalPort openShared(final EngineConfiguration configuration, final Bootstrap bootstrap)
    {
        return LocalPort.open(bootstrap, TransportNames.SHARED, PortRequest.ANY, configuration.shmDirectory());
    }

    private static LocalPorts openBoth(
        final EngineConfiguration configuration, final Bootstrap bootstrap, final String toOtherHosts)
    {
        final LocalPort near = openShared(configuration, bootstrap);
        try
        {
            return new LocalPorts(List.of(near, open(configuration, bootstrap, toOtherHosts)), null);
        }
        catch (final RuntimeException | Error e)
        {
            near.close();
            throw e;
        }
    }
}
