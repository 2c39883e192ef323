/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.tutti.rdma.AddressHandle;
import org.tutti.rdma.shm.transport.AddressHandles;
import org.tutti.rdma.shm.transport.DatagramRoute;
import org.tutti.rdma.soft.SoftProtectionDomain;

/** An address handle: a route for datagrams, valid until it is closed. */
final class ShmAddressHandle implements AddressHandle
{
    private final SoftProtectionDomain protectionDomain;
    private final AddressHandles addressHandles;
    private final DatagramRoute route;
    private boolean isClosed;

    ShmAddressHandle(
        final SoftProtectionDomain protectionDomain, final AddressHandles addressHandles, final DatagramRoute route)
    {
        this.protectionDomain = protectionDomain;
        this.addressHandles = addressHandles;
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
            addressHandles.remove(route.handle());
            protectionDomain.release();
        }
    }
}
