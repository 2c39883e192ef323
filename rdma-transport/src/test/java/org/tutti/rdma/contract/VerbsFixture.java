/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.tutti.rdma.Context;
import org.tutti.rdma.verbs.VerbsProvider;

import java.util.List;

/** The first RDMA device of this host. */
public final class VerbsFixture implements ProviderFixture
{
    private final VerbsProvider provider = new VerbsProvider();

    @Override
    public String name()
    {
        return "verbs";
    }

    @Override
    public Context open()
    {
        return provider.devices().getFirst().open();
    }

    @Override
    public PeerProcess startPeer()
    {
        return new PeerProcess("verbs", List.of());
    }

    /** The kernel frees the resources of a process. */
    @Override
    public void close()
    {
    }
}
