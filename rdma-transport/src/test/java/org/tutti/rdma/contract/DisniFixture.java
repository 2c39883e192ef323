/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.tutti.rdma.Context;
import org.tutti.rdma.disni.DisniProvider;

import java.util.List;

/** The first RDMA device of this host, by DiSNI. */
public final class DisniFixture implements ProviderFixture
{
    private final DisniProvider provider = new DisniProvider();

    @Override
    public String name()
    {
        return "DiSNI";
    }

    @Override
    public Context open()
    {
        return provider.devices().getFirst().open();
    }

    @Override
    public PeerProcess startPeer()
    {
        return new PeerProcess("disni", List.of());
    }

    /** The kernel frees the resources of a process. */
    @Override
    public void close()
    {
    }
}
