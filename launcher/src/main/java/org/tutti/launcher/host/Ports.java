/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.host;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports of this host. */
public final class Ports
{
    private Ports()
    {
    }

    /**
     * A port for the rendezvous of other libraries in the ranks; ours lets the kernel choose when it listens.
     *
     * @param address that it is free at; null for all.
     * @throws IOException if there is none.
     */
    public static int free(final InetAddress address) throws IOException
    {
        try (ServerSocket socket = new ServerSocket(0, 1, address))
        {
            return socket.getLocalPort();
        }
    }
}
