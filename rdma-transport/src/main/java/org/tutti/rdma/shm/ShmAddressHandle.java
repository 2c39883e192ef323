/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.tutti.rdma.AddressHandle;
import org.tutti.rdma.AddressHandleAttributes;

/** An address handle: where datagrams go, looked up once. Immutable but for its life. */
final class ShmAddressHandle implements AddressHandle
{
    /** In place of the index of a context: a multicast group. */
    static final int GROUP = -1;

    private final ShmProtectionDomain protectionDomain;
    private final AddressHandleAttributes attributes;
    private final int contextIndex;
    private final long completionPath;
    private final long handle;
    private boolean isClosed;

    /**
     * Makes one that work requests can name.
     *
     * @param protectionDomain that it belongs to.
     * @param attributes       checked.
     * @param contextIndex     of the context whose port it leads to, or {@link #GROUP}.
     */
    ShmAddressHandle(final ShmProtectionDomain protectionDomain, final AddressHandleAttributes attributes,
        final int contextIndex)
    {
        this.protectionDomain = protectionDomain;
        this.attributes = attributes;
        this.contextIndex = contextIndex;
        final ShmContext context = protectionDomain.context();
        completionPath = Delivery.path(context.lid(), attributes.serviceLevel());
        handle = context.addressHandles().add(this);
    }

    @Override
    public long handle()
    {
        return handle;
    }

    int domain()
    {
        return protectionDomain.number();
    }

    boolean isMulticast()
    {
        return contextIndex == GROUP;
    }

    int contextIndex()
    {
        return contextIndex;
    }

    boolean isGlobal()
    {
        return attributes.global();
    }

    /**
     * What the receiver's completion tells of the path.
     *
     * @return as {@link Delivery#path}.
     */
    long completionPath()
    {
        return completionPath;
    }

    long gidHigh()
    {
        return attributes.dgid().high();
    }

    long gidLow()
    {
        return attributes.dgid().low();
    }

    int flowLabel()
    {
        return attributes.flowLabel();
    }

    int trafficClass()
    {
        return attributes.trafficClass();
    }

    int hopLimit()
    {
        return attributes.hopLimit();
    }

    @Override
    public synchronized void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            protectionDomain.context().addressHandles().remove(handle);
            protectionDomain.release();
        }
    }
}
