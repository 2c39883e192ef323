/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.host;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Finds free ports of this host. */
public final class Ports
{
    private Ports()
    {
    }

    /**
     * Finds a free TCP port for the rendezvous of other libraries in the ranks; for Tutti's own, the kernel chooses the
     * port.
     *
     * @param address the address at which the port is free; null for all addresses.
     * @return the port.
     * @throws IOException if no port is free.
     */
    public static int free(final InetAddress address) throws IOException
    {
        try (ServerSocket socket = new ServerSocket(0, 1, address))
        {
            return socket.getLocalPort();
        }
    }
}
