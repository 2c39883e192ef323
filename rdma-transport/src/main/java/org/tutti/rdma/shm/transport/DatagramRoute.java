/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.transport;

import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.soft.segment.Delivery;

/** The destination of an address handle's datagrams, resolved once. Immutable. */
public final class DatagramRoute
{
    /** Used instead of the index of a context for a multicast group. */
    public static final int GROUP = -1;

    private final long handle;
    private final int domain;
    private final AddressHandleAttributes attributes;
    private final int contextIndex;
    private final long completionPath;

    /**
     * Describes a route.
     *
     * @param handle       handle number in work requests.
     * @param domain       number of the protection domain that may use it.
     * @param attributes   attributes, already checked.
     * @param contextIndex index of the destination context, or {@link #GROUP}.
     * @param sourceLid    source LID.
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
     * The path in the receiver's completion.
     *
     * @return a value for {@link Delivery#path}.
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
