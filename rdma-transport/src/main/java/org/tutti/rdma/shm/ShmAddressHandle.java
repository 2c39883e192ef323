/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.tutti.rdma.AddressHandle;
import org.tutti.rdma.shm.transport.DatagramRoute;

/** An address handle: a route for datagrams, valid until it is closed. */
final class ShmAddressHandle implements AddressHandle
{
    private final ShmProtectionDomain protectionDomain;
    private final DatagramRoute route;
    private boolean isClosed;

    ShmAddressHandle(final ShmProtectionDomain protectionDomain, final DatagramRoute route)
    {
        this.protectionDomain = protectionDomain;
        this.route = route;
    }

    @Override
    public long handle()
    {
        return route.handle();
    }

    @Override
    public synchronized void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            protectionDomain.context().addressHandles().remove(route.handle());
            protectionDomain.release();
        }
    }
}
