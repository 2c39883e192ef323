/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

import io.aeron.protocol.HeaderFlyweight;
import io.aeron.protocol.SetupFlyweight;

/** Opens sessions at a coordinator's port, by one frame each, without sending data. */
public final class SessionFloodMain
{
    private SessionFloodMain()
    {
    }

    /**
     * Sends the frames; they are in the coordinator's socket when this method returns.
     *
     * @param args the port on this host, and the number of sessions.
     */
    public static void main(final String[] args) throws IOException
    {
        final InetSocketAddress coordinator =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
        try (DatagramChannel channel = DatagramChannel.open())
        {
            for (int session = 1; session <= Integer.parseInt(args[1]); session++)
            {
                final ByteBuffer frame = ByteBuffer.allocateDirect(SetupFlyweight.HEADER_LENGTH);
                final SetupFlyweight setup = new SetupFlyweight(frame);
                setup.sessionId(session).streamId(Protocol.COORDINATOR_STREAM_ID)
                    .initialTermId(7).activeTermId(7).termOffset(0)
                    .termLength(64 * 1024).mtuLength(1408)
                    .version(HeaderFlyweight.CURRENT_VERSION)
                    .headerType(HeaderFlyweight.HDR_TYPE_SETUP)
                    .frameLength(SetupFlyweight.HEADER_LENGTH);
                channel.send(frame, coordinator);
            }
        }
        System.out.println("sent");
    }
}
