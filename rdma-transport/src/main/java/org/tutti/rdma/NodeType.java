/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** What kind of node a device makes its host ({@code ibv_node_type}). */
public enum NodeType
{
    /** Not told. */
    UNKNOWN(-1),
    /** InfiniBand channel adapter; RoCE devices say so too. */
    CA(1),
    /** InfiniBand switch. */
    SWITCH(2),
    /** InfiniBand router. */
    ROUTER(3),
    /** iWARP adapter. */
    RNIC(4),
    /** Cisco usNIC. */
    USNIC(5),
    /** Cisco usNIC over UDP. */
    USNIC_UDP(6),
    /** None of these. */
    UNSPECIFIED(7);

    private final int value;

    NodeType(final int value)
    {
        this.value = value;
    }

    /**
     * From the native value.
     *
     * @param value value as in {@code verbs.h}.
     * @return {@link #UNKNOWN} if it is none of them.
     */
    public static NodeType of(final int value)
    {
        for (final NodeType type : values())
        {
            if (type.value == value)
            {
                return type;
            }
        }
        return UNKNOWN;
    }
}
