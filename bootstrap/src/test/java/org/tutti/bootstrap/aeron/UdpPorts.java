/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;

/** Finds UDP ports for tests. */
final class UdpPorts
{
    private UdpPorts()
    {
    }

    /** Returns a port that was free a moment ago. */
    static int free()
    {
        try (DatagramSocket socket = new DatagramSocket(0))
        {
            return socket.getLocalPort();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
