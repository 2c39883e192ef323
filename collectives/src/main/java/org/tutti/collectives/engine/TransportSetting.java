/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.collectives.ConfigurationException;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.select.PortRequest;
import org.tutti.rdma.select.TransportNames;

import java.util.List;

/**
 * Which transports a rank uses: one for all peers, or shared memory for those of its host and another one for the
 * others.
 *
 * @param setting where it comes from.
 * @param names   of providers; none if they depend on where the ranks are.
 */
record TransportSetting(Setting setting, List<String> names)
{
    /**
     * Ports that were opened.
     *
     * @param ports   one, or that of shared memory and one to other hosts.
     * @param problem why there is none to other hosts, or null if there is, or none was asked for.
     */
    record Opened(List<LocalPort> ports, String problem)
    {
    }

    /**
     * Reads the setting.
     *
     * @throws ConfigurationException if it is more than two transports, or the first of two is not shared memory.
     */
    static TransportSetting of(final Setting setting)
    {
        if (setting.text().equals(TransportNames.AUTO))
        {
            return new TransportSetting(setting, List.of());
        }
        final List<String> names = TransportNames.of(setting.text());
        if (names.size() > 1 && (names.size() > 2 || !names.getFirst().equals(TransportNames.SHARED) ||
            List.of(TransportNames.SHARED, TransportNames.AUTO, "").contains(names.get(1).strip())))
        {
            throw setting.wrong("no transport: give auto, one provider such as shm or verbs, or shm and one for " +
                "other hosts, such as shm+verbs");
        }
        return new TransportSetting(setting, names);
    }

    /** Whether ranks of one host reach each other by shared memory. */
    boolean isSharedWithinHosts()
    {
        return names.isEmpty() || names.getFirst().equals(TransportNames.SHARED);
    }

    /**
     * Opens a port of each transport. What the user asks for is that to other hosts, where there are two.
     *
     * @param bootstrap of the rank, which says whether all ranks are on its host.
     * @param request   for a port.
     * @return owned by the caller.
     * @throws ConfigurationException if there is no such provider, device, port or GID.
     * @throws RdmaException          if a provider has no device here that can be used.
     */
    Opened open(final Bootstrap bootstrap, final PortRequest request)
    {
        if (names.size() == 1)
        {
            return new Opened(List.of(LocalPort.open(bootstrap, names.getFirst(), request)), null);
        }
        return names.isEmpty() ? openWhatSuits(bootstrap, request) : openBoth(bootstrap, names.get(1), request);
    }

    private static Opened openWhatSuits(final Bootstrap bootstrap, final PortRequest request)
    {
        if (bootstrap.localSize() == bootstrap.size())
        {
            return openShared(bootstrap, null);
        }
        try
        {
            // Who is alone on its host has nobody to share memory with, of which a container may have little.
            return bootstrap.localSize() == 1 ?
                new Opened(List.of(LocalPort.open(bootstrap, TransportNames.BETWEEN_HOSTS, request)), null) :
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

    private static Opened openShared(final Bootstrap bootstrap, final String problem)
    {
        return new Opened(List.of(LocalPort.open(bootstrap, TransportNames.SHARED, PortRequest.ANY)), problem);
    }

    private static Opened openBoth(final Bootstrap bootstrap, final String toOtherHosts, final PortRequest request)
    {
        final LocalPort near = LocalPort.open(bootstrap, TransportNames.SHARED, PortRequest.ANY);
        try
        {
            return new Opened(List.of(near, LocalPort.open(bootstrap, toOtherHosts, request)), null);
        }
        catch (final RuntimeException | Error e)
        {
            near.close();
            throw e;
        }
    }

    @Override
    public String toString()
    {
        return setting.text();
    }
}
