/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import org.tutti.rdma.Device;
import picocli.CommandLine.Command;

/**
 * Exercise 1: list all RDMA devices with their node types.
 * <p>
 * A device is an adapter or a driver that emulates one. Its name is local to this host and may change at the next boot;
 * its GUID is permanent. The node type is its role in the network: nearly always a channel adapter (CA), at which
 * messages start and end; switches and routers have drivers too, and iWARP adapters are called RNIC.
 */
@Command(name = "verbs-1", mixinStandardHelpOptions = true, description = "Devices and their node types.")
final class Exercise1Devices extends Example
{
    @Override
    public Integer call()
    {
        for (final Device device : provider().devices())
        {
            say("%s: node type %s, transport %s, GUID %016x",
                device.name(), device.nodeType(), device.transportType(), device.guid());
        }
        return 0;
    }
}
