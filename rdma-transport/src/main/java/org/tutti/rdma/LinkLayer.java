/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** What a port runs on; of the first three, the ordinal is the native value. */
public enum LinkLayer
{
    /** Not told, which stands for InfiniBand in old drivers. */
    UNSPECIFIED("unspecified"),
    /** InfiniBand. */
    INFINIBAND("InfiniBand"),
    /** Ethernet: RoCE or iWARP. */
    ETHERNET("Ethernet"),
    /** Memory that processes of a host share: no link at all. */
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
