/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.tutti.rdma.Context;
import org.tutti.rdma.tcp.TcpOptions;
import org.tutti.rdma.tcp.TcpProvider;

import java.util.HexFormat;
import java.util.List;

/** The tcp provider on the loopback interface, with a secret of its own. */
public final class TcpFixture implements ProviderFixture
{
    private final byte[] secret = TcpProvider.randomSecret();
    private final TcpProvider provider = new TcpProvider(secret, TcpOptions.DEFAULT);

    @Override
    public String name()
    {
        return "tcp";
    }

    /** Opens the last device, which is the loopback interface. */
    @Override
    public Context open()
    {
        return provider.devices().getLast().open();
    }

    @Override
    public PeerProcess startPeer()
    {
        return new PeerProcess("tcp", List.of(TcpProvider.SECRET_PROP_NAME + "=" + HexFormat.of().formatHex(secret)));
    }

    @Override
    public void close()
    {
        // Sockets are closed with their contexts.
    }
}
