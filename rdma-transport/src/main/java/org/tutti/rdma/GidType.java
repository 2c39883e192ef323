/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** The packet format that a GID selects ({@code ibv_gid_type}). The ordinals of the first three are native values. */
public enum GidType
{
    /** InfiniBand. */
    INFINIBAND("IB"),
    /** RoCE within an Ethernet segment. */
    ROCE_V1("RoCE v1"),
    /** RoCE over UDP, which routers forward. */
    ROCE_V2("RoCE v2"),
    /** Not reported. */
    UNKNOWN("unknown");

    private final String text;

    GidType(final String text)
    {
        this.text = text;
    }

    @Override
    public String toString()
    {
        return text;
    }
}
