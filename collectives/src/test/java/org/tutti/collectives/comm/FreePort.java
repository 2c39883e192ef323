/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import java.io.IOException;
import java.net.DatagramSocket;

/** Free UDP ports for coordinators of test jobs. */
final class FreePort
{
    private FreePort()
    {
    }

    /** Returns a port that no process listened on a moment ago, as the value of an environment variable. */
    static String choose() throws IOException
    {
        try (DatagramSocket socket = new DatagramSocket(0))
        {
            return Integer.toString(socket.getLocalPort());
        }
    }
}
