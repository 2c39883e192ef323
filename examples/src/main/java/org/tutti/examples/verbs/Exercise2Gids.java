/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import org.tutti.rdma.Context;
import org.tutti.rdma.Device;
import org.tutti.rdma.GidEntry;
import org.tutti.rdma.PortAttributes;
import picocli.CommandLine.Command;

/**
 * Exercise 2: print GID 0 of every port of every device.
 * <p>
 * A device must be opened before it can be queried. Ports count from 1, table entries from 0. On InfiniBand entry 0 is
 * the port's own GID and sufficient. On Ethernet (RoCE) entry 0 is usually link-local, and so the wrong GID to send
 * from. The other entries are therefore printed too: one for each IP address of the port's interface and each RoCE
 * version.
 */
@Command(name = "verbs-2", mixinStandardHelpOptions = true, description = "The GID of every port.")
final class Exercise2Gids extends Example
{
    @Override
    public Integer call()
    {
        for (final Device device : provider().devices())
        {
            try (Context context = device.open())
            {
                final int ports = context.queryDevice().physicalPorts;
                for (int portNum = 1; portNum <= ports; portNum++)
                {
                    print(context, portNum);
                }
            }
        }
        return 0;
    }

    private void print(final Context context, final int portNum)
    {
        final PortAttributes port = context.queryPort(portNum);
        say("%s port %d: GID[0] %s", context.device().name(), portNum, context.queryGid(portNum, 0));
        say("    %s, %s, LID %d, MTU %d", port.state, port.linkLayer, port.lid, port.activeMtu);
        for (final GidEntry entry : context.queryGidTable(portNum))
        {
            say("    GID[%d] %s %s", entry.index(), entry.gid(), entry.type());
        }
    }
}
