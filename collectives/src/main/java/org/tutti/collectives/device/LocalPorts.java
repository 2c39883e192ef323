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
 * @param ports one port, or the port of shared memory followed by a port to other hosts.
 */
public record LocalPorts(List<LocalPort> ports)
{
    /**
     * Opens a port of each transport. With two transports, the request applies to the one between hosts. If the
     * transport depends on where the ranks are, this call is collective.
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
            return new LocalPorts(List.of(open(configuration, bootstrap, names.getFirst())));
        }
        return names.isEmpty() ? openByLocality(configuration, bootstrap) :
            openBoth(configuration, bootstrap, names.get(1));
    }

    private static LocalPort open(
        final EngineConfiguration configuration, final Bootstrap bootstrap, final String transport)
    {
        return open(configuration, bootstrap, transport, configuration.portRequest());
    }

    private static LocalPort open(final EngineConfiguration configuration, final Bootstrap bootstrap,
        final String transport, final PortRequest request)
    {
        return LocalPort.open(bootstrap, transport, request, configuration.shmDirectory(), configuration.tcp());
    }

    private static LocalPorts openByLocality(final EngineConfiguration configuration, final Bootstrap bootstrap)
    {
        final boolean isTcp = configuration.portRequest().isTcp();
        if (bootstrap.localSize() == bootstrap.size())
        {
            // A network interface is named to be used, even where memory can be shared.
            return new LocalPorts(List.of(isTcp ? open(configuration, bootstrap, TransportNames.TCP) :
                openShared(configuration, bootstrap)));
        }
        LocalPort toOtherHosts = null;
        String problem = null;
        try
        {
            toOtherHosts = open(
                configuration, bootstrap, isTcp ? TransportNames.TCP : TransportNames.BETWEEN_HOSTS);
        }
        catch (final RdmaException | ConfigurationException e)
        {
            if (isTcp)
            {
                throw e;
            }
            problem = e.getMessage();
        }
        try
        {
            if (!isTcp && !haveAll(toOtherHosts != null, configuration, bootstrap))
            {
                if (toOtherHosts != null)
                {
                    toOtherHosts.close();
                }
                toOtherHosts = openTcp(configuration, bootstrap, problem);
            }
            // A rank alone on its host needs no shared memory, which is scarce in containers.
            return new LocalPorts(bootstrap.localSize() == 1 ? List.of(toOtherHosts) :
                List.of(openShared(configuration, bootstrap), toOtherHosts));
        }
        catch (final RuntimeException | Error e)
        {
            if (toOtherHosts != null)
            {
                toOtherHosts.close();
            }
            throw e;
        }
    }

    /** Whether all ranks have a device: collective over the ranks of the job. */
    private static boolean haveAll(
        final boolean hasOwn, final EngineConfiguration configuration, final Bootstrap bootstrap)
    {
        return bootstrap.allgather(
            "tutti.device", new byte[]{(byte)(hasOwn ? 1 : 0)}, configuration.connectTimeoutNs()).stream()
            .allMatch(has -> has[0] == 1);
    }

    private static LocalPort openTcp(
        final EngineConfiguration configuration, final Bootstrap bootstrap, final String noDevice)
    {
        try
        {
            return open(configuration, bootstrap, TransportNames.TCP);
        }
        catch (final RdmaException | ConfigurationException e)
        {
            throw new ConfigurationException("no transport to other hosts: " + e.getMessage() +
                (noDevice == null ? "" : "; " + noDevice), e);
        }
    }

    private static LocalPort openShared(final EngineConfiguration configuration, final Bootstrap bootstrap)
    {
        return open(configuration, bootstrap, TransportNames.SHARED, PortRequest.ANY);
    }

    private static LocalPorts openBoth(
        final EngineConfiguration configuration, final Bootstrap bootstrap, final String toOtherHosts)
    {
        final LocalPort near = openShared(configuration, bootstrap);
        try
        {
            return new LocalPorts(List.of(near, open(configuration, bootstrap, toOtherHosts)));
        }
        catch (final RuntimeException | Error e)
        {
            near.close();
            throw e;
        }
    }
}
