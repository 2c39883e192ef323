/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** The node type of a device ({@code ibv_node_type}). */
public enum NodeType
{
    /** Not reported. */
    UNKNOWN(-1),
    /** InfiniBand channel adapter; also reported by RoCE devices. */
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
     * Converts the native value.
     *
     * @param value value as in {@code verbs.h}.
     * @return the constant with that value; {@link #UNKNOWN} if there is none.
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
