/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.lightgbm;

import com.microsoft.ml.lightgbm.lightgbmlib;

import org.tutti.collectives.Communicator;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Arrays;
import java.util.stream.Collectors;

/** LightGBM's own network of the calling thread, over sockets of this host's loopback interface. */
final class SocketNetwork implements AutoCloseable
{
    /**
     * LightGBM's default, which counts as minutes for each message, and as milliseconds until a connection is accepted.
     */
    private static final int TIMEOUT = 120;
    private static final int BACKLOG = 1;

    private SocketNetwork()
    {
    }

    /**
     * Connects all ranks.
     *
     * @param world ranks of one host, which exchange their ports.
     * @return network, to be closed by the calling thread.
     * @throws IOException if this rank has no free port, or cannot connect.
     */
    static SocketNetwork open(final Communicator world) throws IOException
    {
        final int[] ports = new int[world.size()];
        final InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        final int port;
        try (ServerSocket free = new ServerSocket(0, BACKLOG, loopback))
        {
            port = free.getLocalPort();
        }
        // The ports of all ranks are closed again before a rank connects.
        world.allgather(new int[] {port}, ports);
        final String machines =
            Arrays.stream(ports).mapToObj(each -> "127.0.0.1:" + each).collect(Collectors.joining(","));
        if (lightgbmlib.LGBM_NetworkInit(machines, port, TIMEOUT, ports.length) != 0)
        {
            throw new IOException("LightGBM cannot connect " + machines + ": " + lightgbmlib.LGBM_GetLastError());
        }
        return new SocketNetwork();
    }

    @Override
    public void close()
    {
        lightgbmlib.LGBM_NetworkFree();
    }
}
