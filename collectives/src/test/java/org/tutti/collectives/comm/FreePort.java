/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import java.io.IOException;
import java.net.DatagramSocket;

/** UDP ports for coordinators of test jobs. */
final class FreePort
{
    private FreePort()
    {
    }

    /** A port that no process listened at a moment ago, as an environment variable has it. */
    static String choose() throws IOException
    {
        try (DatagramSocket socket = new DatagramSocket(0))
        {
            return Integer.toString(socket.getLocalPort());
        }
    }
}
