/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import org.tutti.rdma.Device;
import picocli.CommandLine.Command;

/**
 * Exercise 1: go over all RDMA devices, and print each one's node type.
 * <p>
 * A device is an adapter, or a driver that does as if. Its name is this host's affair and may change with the next
 * boot; its GUID is its own for ever. The node type tells what it is in the network: nearly always a channel adapter
 * (CA), at which messages begin and end; switches and routers have drivers too, and iWARP's adapters are called RNIC.
 */
@Command(name = "verbs-1", mixinStandardHelpOptions = true, description = "Devices, and what kind of node each is.")
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
