/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni;

import org.tutti.rdma.Context;
import org.tutti.rdma.Device;
import org.tutti.rdma.NodeType;
import org.tutti.rdma.TransportType;

/** A device that is opened twice: by libibverbs for queries, and by rdma_cm for use. */
final class DisniDevice implements Device
{
    private final Device queried;

    DisniDevice(final Device queried)
    {
        this.queried = queried;
    }

    @Override
    public String name()
    {
        return queried.name();
    }

    @Override
    public NodeType nodeType()
    {
        return queried.nodeType();
    }

    @Override
    public TransportType transportType()
    {
        return queried.transportType();
    }

    @Override
    public long guid()
    {
        return queried.guid();
    }

    @Override
    public Context open()
    {
        final Context queries = queried.open();
        try
        {
            return DisniLoader.opener().apply(this, queries);
        }
        catch (final RuntimeException | Error e)
        {
            queries.close();
            throw e;
        }
    }
}
