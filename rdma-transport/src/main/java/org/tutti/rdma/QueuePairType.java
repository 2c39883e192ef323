/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** The transport service of a queue pair ({@code ibv_qp_type}). */
public enum QueuePairType
{
    /** Reliable connection. */
    RC(2),
    /** Unreliable connection. */
    UC(3),
    /** Unreliable datagram. */
    UD(4);

    private final int value;

    QueuePairType(final int value)
    {
        this.value = value;
    }

    /**
     * The native value.
     *
     * @return value as in {@code verbs.h}.
     */
    public int value()
    {
        return value;
    }
}
