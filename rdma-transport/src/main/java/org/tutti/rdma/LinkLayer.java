/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** The link layer of a port. The ordinals of the first three are native values. */
public enum LinkLayer
{
    /** Not reported; with old drivers, this means InfiniBand. */
    UNSPECIFIED("unspecified"),
    /** InfiniBand. */
    INFINIBAND("InfiniBand"),
    /** Ethernet: RoCE or iWARP. */
    ETHERNET("Ethernet"),
    /** Memory shared by processes of one host; there is no link. */
    SHARED_MEMORY("SharedMemory");

    private final String text;

    LinkLayer(final String text)
    {
        this.text = text;
    }

    @Override
    public String toString()
    {
        return text;
    }
}
