/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.collectives.ConfigurationException;
import org.tutti.rdma.Device;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.RdmaProvider;
import org.tutti.rdma.shm.ShmProvider;

import java.nio.file.Path;
import java.util.List;

/** Finds the device that a rank uses. */
final class Devices
{
    private static final String SHM = "shm";

    private Devices()
    {
    }

    /**
     * The device that the configuration names, else the provider's first.
     *
     * @param bootstrap     of the rank.
     * @param configuration of the communicator.
     * @return never null.
     * @throws ConfigurationException if there is no such provider or device.
     * @throws RdmaException          if the provider has no device here.
     */
    static Device find(final Bootstrap bootstrap, final EngineConfiguration configuration)
    {
        final List<Device> devices = provider(bootstrap, configuration.transport()).devices();
        if (devices.isEmpty())
        {
            throw new RdmaException(Errno.ENODEV, "ibv_open_device",
                "transport " + configuration.transport() + " has no device on this host: choose another transport");
        }
        for (final Device device : devices)
        {
            if (configuration.device().isEmpty() || device.name().equals(configuration.device()))
            {
                return device;
            }
        }
        throw new ConfigurationException("TUTTI_DEVICE='" + configuration.device() + "' is no device of transport " +
            configuration.transport() + ": choose one of " + devices.stream().map(Device::name).toList());
    }

    /** Ranks reach each other over shm when their files are in one directory: the job's, unless the user named one. */
    private static RdmaProvider provider(final Bootstrap bootstrap, final String transport)
    {
        if (transport.equals(SHM) && bootstrap.size() > 1)
        {
            return ShmProvider.ofConfiguredDirectoryOr(Path.of(bootstrap.jobDirectory()));
        }
        try
        {
            return RdmaProvider.load(transport);
        }
        catch (final RdmaException e)
        {
            throw new ConfigurationException("TUTTI_TRANSPORT='" + transport + "': " + e.getMessage(), e);
        }
    }
}
