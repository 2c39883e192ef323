/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** The transport protocol of a device ({@code ibv_transport_type}). */
public enum TransportType
{
    /** Not reported. */
    UNKNOWN(-1),
    /** InfiniBand's transport, over InfiniBand or Ethernet (RoCE). */
    INFINIBAND(0),
    /** iWARP, over TCP. */
    IWARP(1),
    /** Cisco usNIC. */
    USNIC(2),
    /** Cisco usNIC over UDP. */
    USNIC_UDP(3),
    /** None of these, such as shared memory. */
    UNSPECIFIED(4);

    private final int value;

    TransportType(final int value)
    {
        this.value = value;
    }

    /**
     * Converts the native value.
     *
     * @param value value as in {@code verbs.h}.
     * @return the constant with that value; {@link #UNKNOWN} if there is none.
     */
    public static TransportType of(final int value)
    {
        for (final TransportType type : values())
        {
            if (type.value == value)
            {
                return type;
            }
        }
        return UNKNOWN;
    }
}
