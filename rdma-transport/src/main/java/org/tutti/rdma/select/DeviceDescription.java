/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import org.tutti.rdma.Context;
import org.tutti.rdma.Device;
import org.tutti.rdma.DeviceAttributes;
import org.tutti.rdma.RdmaException;

import java.util.ArrayList;
import java.util.List;

/**
 * The properties that a device reports.
 *
 * @param device            device.
 * @param attributes        limits of the device, or null if it does not work.
 * @param completionVectors number of completion vectors.
 * @param ports             ports in the order of their numbers; empty if the device does not work.
 * @param problem           one line that says why the device does not work, or null.
 */
public record DeviceDescription(
    Device device, DeviceAttributes attributes, int completionVectors, List<PortDescription> ports, String problem)
{
    /** Keeps a copy of the list. */
    public DeviceDescription
    {
        ports = List.copyOf(ports);
    }

    /**
     * Queries an open device.
     *
     * @param context context of the device, which stays open.
     * @return the description; it has a problem if the device does not work.
     */
    public static DeviceDescription of(final Context context)
    {
        final Device device = context.device();
        try
        {
            final DeviceAttributes attributes = context.queryDevice();
            final List<PortDescription> ports = new ArrayList<>();
            for (int port = 1; port <= attributes.physicalPorts; port++)
            {
                ports.add(new PortDescription(device.name(), device.transportType(), port,
                    context.queryPort(port), context.queryGidTable(port)));
            }
            return new DeviceDescription(device, attributes, context.completionVectors(), ports, null);
        }
        catch (final RdmaException e)
        {
            return broken(device, e.getMessage());
        }
    }

    /**
     * Opens, queries and closes a device.
     *
     * @param device device to query.
     * @return the description; it has a problem if the device does not work.
     */
    public static DeviceDescription of(final Device device)
    {
        try (Context context = device.open())
        {
            return of(context);
        }
        catch (final RdmaException e)
        {
            return broken(device, e.getMessage());
        }
    }

    /**
     * Describes a device that does not work.
     *
     * @param device  device.
     * @param problem reason, in one line.
     * @return a description without attributes and ports.
     */
    public static DeviceDescription broken(final Device device, final String problem)
    {
        return new DeviceDescription(device, null, 0, List.of(), problem);
    }
}
