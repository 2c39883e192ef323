/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.transport;

import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.shm.segment.Delivery;

/** Where the datagrams of an address handle go, looked up once. Immutable. */
public final class DatagramRoute
{
    /** In place of the index of a context: a multicast group. */
    public static final int GROUP = -1;

    private final long handle;
    private final int domain;
    private final AddressHandleAttributes attributes;
    private final int contextIndex;
    private final long completionPath;

    /**
     * Describes a route.
     *
     * @param handle       handle by which work requests name it.
     * @param domain       number of the protection domain that may use it.
     * @param attributes   checked.
     * @param contextIndex index of the context whose port it leads to, or {@link #GROUP}.
     * @param sourceLid    source LID of the port that it begins at.
     */
    DatagramRoute(final long handle, final int domain, final AddressHandleAttributes attributes,
        final int contextIndex, final int sourceLid)
    {
        this.handle = handle;
        this.domain = domain;
        this.attributes = attributes;
        this.contextIndex = contextIndex;
        completionPath = Delivery.path(sourceLid, attributes.serviceLevel());
    }

    public long handle()
    {
        return handle;
    }

    int domain()
    {
        return domain;
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
     * The path as the receiver's completion names it.
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
}
